/* The broadphase on the device: pairs of axis-aligned boxes of any sizes that share a point
 * (kernels/grid.cl). Nothing is read back. */
#pragma once

#include "opencl_primitives.h"

typedef struct opencl_grid {
    opencl_primitives *primitives;
    opencl_buffer keys, order, boxes; /* in the grid's order: keys, indices, boxes */
    opencl_buffer levels;             /* places of the levels' first keys */
    opencl_buffer marks;              /* a bit for cells in use */
    opencl_buffer places;             /* of each box's pairs, before they are sorted */
} opencl_grid;

/* Pairs of boxes a[k] < b[k], ascending by (a, b). The word `total` is their number even if it exceeds the
 * capacity (2^32 − 1 stands for anything larger): then the list is incomplete, and the caller enlarges the
 * capacity and repeats the search. */
typedef struct device_pairs {
    opencl_buffer a, b;
    cl_uint capacity; /* < 2^31 */
    device_word total;
} device_pairs;

/* `primitives` outlive the grid. */
void opencl_grid_open(opencl_grid *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_grid_close(opencl_grid *self);

/* Finds the pairs of `length` boxes, each laid out as struct bounds. Intervals are closed and compared as in
 * bounds_meet. Boxes with a NaN or with lower > upper meet nothing; infinite ones are allowed. Reserves the
 * pairs' buffers, enqueues commands and does not wait. The pairs' order does not depend on the device's
 * timing nor on the number of work-groups. Errors: KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_grid_search(opencl_grid *self, const opencl_buffer *boxes, device_length length,
                                device_pairs *pairs);
