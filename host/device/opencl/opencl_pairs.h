/* The search for pairs of bodies on the device, for the broadphase of the host. */
#pragma once

#include "detect/broadphase.h"
#include "opencl_grid.h"

typedef struct opencl_pairs {
    opencl_primitives primitives;
    opencl_grid grid;
    grid_bodies bodies;
    device_pairs found;
    opencl_buffer counts; /* of the bodies, and of the pairs */
    opencl_buffer first;  /* rows of the pairs */
} opencl_pairs;

/* Reserves nothing. `device` outlives the search. */
void opencl_pairs_open(opencl_pairs *self, opencl_device *device);
/* A zeroed struct is allowed. */
void opencl_pairs_close(opencl_pairs *self);

/* As pair_source.find. If the pairs exceed their capacity, it grows, and the search is repeated. Errors:
 * MEMORY, CAPACITY, KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_pairs_find(opencl_pairs *self, const pair_search *search, pair_rows *out, int *regrown);
