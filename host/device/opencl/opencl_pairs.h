/* The search for pairs of bodies on the device, for the broadphase of the host and for the narrow phase of
 * the device. */
#pragma once

#include "detect/broadphase.h"
#include "opencl_grid.h"

/* Words of opencl_pairs.counts. */
enum { PAIR_COUNT_BODIES, PAIR_COUNT_PAIRS, PAIR_COUNTS };

typedef struct opencl_pairs {
    opencl_primitives primitives;
    opencl_grid grid;
    grid_bodies bodies; /* of the last search */
    bool marked;        /* whether it uses bodies.wanted */
    /* 1 + body_array.definitions that opencl_pairs_describe has sent; 0: none. Its half-spaces. */
    uint64_t described;
    int plane_capacity;
    body_plane *planes;
    device_pairs found;
    opencl_images images;
    uint64_t endless_sent;     /* 1 + body_array.definitions of images.endless; 0: none */
    cl_uint sent[PAIR_COUNTS]; /* counts before the search */
    opencl_buffer counts;      /* of the bodies, and of the pairs */
    opencl_buffer first;       /* rows of the pairs */
} opencl_pairs;

/* Reserves nothing. `device` outlives the search. */
void opencl_pairs_open(opencl_pairs *self, opencl_device *device);
/* A zeroed struct is allowed. */
void opencl_pairs_close(opencl_pairs *self);

/* Takes the first capacity again. */
void opencl_pairs_shrink(opencl_pairs *self);
/* Brings the bodies of a search to the device. They must not change until the next wait. Errors:
 * DEVICE_MEMORY, DEVICE. */
scree_result opencl_pairs_send(opencl_pairs *self, const pair_search *search);
/* Brings types and half-spaces of the bodies to the device if their definitions have changed, and reserves
 * `boxes` and `counts`: boxes, planes and the number of bodies are computed there (opencl_detect_boxes), with
 * `planes` as slots. Does not wait. Errors: MEMORY, DEVICE_MEMORY, DEVICE. */
scree_result opencl_pairs_describe(opencl_pairs *self, const body_array *bodies);
/* Enqueues the search for `found` among the bodies that were sent, and does not wait. Errors: KERNEL_BUILD,
 * DEVICE, DEVICE_MEMORY. */
scree_result opencl_pairs_enqueue(opencl_pairs *self);
/* Returns the images of `found`; null: the world is not periodic. */
static inline const opencl_buffer *opencl_pairs_images(const opencl_pairs *self) {
    return self->bodies.images ? &self->found.images : NULL;
}
/* Enqueues a read of the numbers of images (PERIODIC_SPAN words), if the world is periodic. */
scree_result opencl_pairs_read_images(opencl_pairs *self, cl_uint words[PERIODIC_SPAN]);
/* Given the number of pairs that a search found: if they exceeded their capacity, raises it and sets
 * `repeat`, for the search must be repeated. Errors: CAPACITY. */
scree_result opencl_pairs_grow(opencl_pairs *self, cl_uint count, bool *repeat, int *regrown);

/* As pair_source.find. If the pairs exceed their capacity, it grows, and the search is repeated. Errors:
 * MEMORY, CAPACITY, KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_pairs_find(opencl_pairs *self, const pair_search *search, pair_rows *out, int *regrown);
