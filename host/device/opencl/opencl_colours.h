/* The colouring of pairs on the device: the colours of colouring_update (rows/pairs.h), kernels/colours.cl.
 * Nothing is read back. */
#pragma once

#include "opencl_primitives.h"

typedef struct opencl_colours {
    opencl_primitives *primitives;
    opencl_buffer masks, once, twice, highest; /* of each slot */
    opencl_buffer lists[2];                    /* of candidates; a round reads one and writes the other */
} opencl_colours;

/* `primitives` outlive the colouring. */
void opencl_colours_open(opencl_colours *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_colours_close(opencl_colours *self);

/* Reserves the buffers. Errors: DEVICE, DEVICE_MEMORY. */
scree_result opencl_colours_reserve(opencl_colours *self, cl_uint pairs, cl_uint slots);
/* Pairs that get their colours first, in this order. */
typedef struct first_pairs {
    cl_uint count;
    const opencl_buffer *numbers, *held; /* ascending indices; scratch of as many words */
} first_pairs;

/* Colours pairs, two words each (pair_ends.h). `colours` has the colour of each pair in the last step, 0 …
 * limit − 1 or negative, which its new one replaces: 0 … limit − 1, or `limit` for the uncoloured remainder;
 * 1 ≤ limit ≤ 32. The caller has reserved the buffers, cleared those of slots, marked the colours in `once`
 * and `twice` (end_mark), and cleared the words from `candidates` on, which receive the numbers of candidates
 * before each of the `rounds` that the whole device makes, and before those that one work-group makes. The
 * colours do not depend on `rounds`. Enqueues commands and does not wait. Errors: KERNEL_BUILD, DEVICE,
 * DEVICE_MEMORY. */
scree_result opencl_colours_update(opencl_colours *self, const opencl_buffer *pairs,
                                   const opencl_buffer *colours, device_length length, first_pairs first,
                                   cl_int limit, device_word candidates, int rounds);
