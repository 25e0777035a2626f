/* The broadphase on the device: pairs of bodies whose axis-aligned boxes, of any sizes, share a point
 * (kernels/grid.cl). Nothing is read back. */
#pragma once

#include "opencl_images.h"

typedef struct opencl_grid {
    opencl_primitives *primitives;
    /* Parts of the device's scratch during a search. */
    opencl_buffer keys, order, boxes; /* in the grid's order: keys, indices, boxes */
    opencl_buffer levels;             /* places of the levels' first keys */
    opencl_buffer marks;              /* a bit for cells in use */
    opencl_buffer places;             /* of each box's pairs, before they are sorted */
} opencl_grid;

/* Bodies on the device: boxes (struct bounds), types (a byte each, slot_type), and the planes of half-spaces,
 * whose boxes are infinite. Pairs without a body marked in `wanted` (a byte each) are left out, unless that
 * has no memory. */
typedef struct grid_bodies {
    opencl_buffer boxes, types, wanted, planes;
    cl_uint plane_count;
    cl_uint slots;         /* set by the search */
    opencl_images *images; /* of a periodic world, with space for their boxes behind those of the bodies;
                              null: there are none */
    float period[3];       /* lengths of the cell, m */
    const opencl_buffer *endless; /* as of opencl_images_add */
    device_length length;
} grid_bodies;

/* Pairs of bodies a[k] < b[k], ascending by (a, b, image of b). The word `total` is their number even if it
 * exceeds the capacity (2^32 − 1 stands for anything larger): then the list is incomplete, and the caller
 * enlarges the capacity and repeats the search. */
typedef struct device_pairs {
    opencl_buffer a, b;
    opencl_buffer images; /* of b, int; only in a periodic world */
    cl_uint capacity;     /* < 2^31 */
    device_word total;
} device_pairs;

/* `primitives` outlive the grid. */
void opencl_grid_open(opencl_grid *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_grid_close(opencl_grid *self);

/* Finds the pairs of bodies, at least one of them dynamic, whose boxes share a point; half-spaces are
 * compared by their plane, as by plane_meets. Intervals are closed and compared as in bounds_meet. Boxes with
 * lower > upper meet nothing, nor do those that are not finite, unless they are half-spaces'. Reserves the
 * pairs' buffers, enqueues commands and does not wait. The pairs' order does not depend on the device's
 * timing nor on the number of work-groups. Errors: KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_grid_search(opencl_grid *self, const grid_bodies *bodies, device_pairs *pairs);
/* Writes first[a], for a from 0 to `rows`: the number of pairs of bodies below a. Reserves `first`. */
scree_result opencl_grid_rows(opencl_grid *self, const device_pairs *pairs, cl_uint rows,
                              opencl_buffer *first);
