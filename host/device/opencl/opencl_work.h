/* The work of contacts on the device (kernels/work.cl), as contact_work_add (rows/contact_work.h) finds it.
 * For devices with double precision. */
#pragma once

#include "opencl_rows.h"

#include "point_work.h"

typedef struct opencl_work {
    opencl_primitives *primitives;
    opencl_buffer works, sums; /* work_terms of points, and of slices */
} opencl_work;

/* A solved step: the rows that were filled, and their places. */
typedef struct worked_step {
    const opencl_rows *rows;
    const device_row_bodies *bodies;
    const device_row_places *places;
    const device_contacts *contacts;
    const opencl_buffer *after, *loads; /* velocities after the step; loads in kg, which may be 0 */
    motion_parameters motion;
    cl_int material_count;
} worked_step;

/* `primitives` outlive it. */
void opencl_work_open(opencl_work *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_work_close(opencl_work *self);
/* Enqueues a read of the sums over WORK_SLICES slices of the contacts, which are there after the next wait.
 * Two launches. Errors: KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_work_find(opencl_work *self, const worked_step *step, work_terms out[WORK_SLICES]);
