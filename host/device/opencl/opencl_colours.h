/* The colouring of pairs on the device: the colours of colouring_update (rows/pairs.h), kernels/colours.cl.
 * Nothing is read back. */
#pragma once

#include "opencl_primitives.h"

typedef struct opencl_colours {
    opencl_primitives *primitives;
    opencl_buffer masks, once, twice, highest; /* of each slot */
    opencl_buffer flags, list, places;         /* of the pairs; of the candidates */
    opencl_buffer counts; /* of candidates, of those that `places` names, of those left */
} opencl_colours;

/* `primitives` outlive the colouring. */
void opencl_colours_open(opencl_colours *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_colours_close(opencl_colours *self);

/* Colours pairs: two words each, the slots of its bodies, with COLOURS_MOVES added if the body is dynamic.
 * `colours` has the signed colour of each pair in the last step, which its new one replaces: 0 … limit − 1,
 * or `limit` for the uncoloured remainder; 1 ≤ limit ≤ 32. Enqueues commands and does not wait. Errors:
 * KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_colours_update(opencl_colours *self, const opencl_buffer *pairs,
                                   const opencl_buffer *colours, device_length length, cl_uint slots,
                                   cl_int limit);
