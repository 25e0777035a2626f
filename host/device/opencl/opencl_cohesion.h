/* Cohesion of contacts that stay on the device (kernels/cohesion.cl): what cohesion_apply and
 * held_pairs_settle (rows/) do. Calls enqueue commands and do not wait. Errors: KERNEL_BUILD, DEVICE,
 * DEVICE_MEMORY. */
#pragma once

#include "opencl_rows.h"

typedef struct opencl_cohesion {
    opencl_primitives *primitives;
    opencl_buffer marks, forces; /* of entries */
    opencl_buffer flags, words;  /* entries with a force, and their number */
    opencl_buffer list;          /* these in their order */
    opencl_buffer keys, values;  /* these by second bodies */
    opencl_buffer loads;         /* of bodies: own ones and cohesive forces */
    cl_uint slots, capacity;     /* bodies and entries of the last application */
} opencl_cohesion;

/* `primitives` outlive the object. */
void opencl_cohesion_open(opencl_cohesion *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_cohesion_close(opencl_cohesion *self);

/* A step with cohesive contacts. */
typedef struct cohesive_step {
    const opencl_rows *rows; /* constants of bodies, and materials */
    const device_row_bodies *bodies;
    const device_bodies *shapes; /* of the search for contacts */
    const row_parameters *parameters;
    device_contacts *contacts;
} cohesive_step;

/* Finds the forces of the contacts, places those of held balls, and fills `loads` and the cohesive impulses.
 * The first application of a step adds these to the impulses of the contacts. */
scree_result opencl_cohesion_apply(opencl_cohesion *self, const cohesive_step *step);
/* Writes the velocities `out` that bodies have after the solve, from those of the solve and the poses
 * `after`. */
scree_result opencl_cohesion_settle(opencl_cohesion *self, const cohesive_step *step,
                                    const opencl_buffer *after, const opencl_buffer *velocities,
                                    const opencl_buffer *out);
