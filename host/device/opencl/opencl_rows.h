/* The rows of contacts on the device (kernels/rows.cl, row_bends.cl, rows_bound.cl): the blocks of
 * problem_fill (rows/problem.h) from the contacts of a step, and the impulses of a solution back, as
 * problem_scatter. Nothing is read back. */
#pragma once

#include "opencl_contacts.h"
#include "rows/problem_input.h"

#include "row_layout.h"

/* Bodies at the start of the step or substep, with the velocities of prescribed motion. */
typedef struct device_row_bodies {
    const opencl_buffer *poses, *remainders, *velocities, *masses, *loads;
    const opencl_buffer *collided; /* poses in which the contacts were found, if bodies have moved since; else
                                      null */
    const opencl_buffer *earlier;  /* velocities before the step; null: there is no kinematic body */
    const device_children *children; /* null: no body has any */
} device_row_bodies;

/* Where the blocks of the contacts go. */
typedef struct device_row_places {
    const opencl_buffer *firsts;                              /* the first of each entry's */
    const opencl_buffer *blocks, *impulses, *pseudo_impulses; /* of the problem */
    /* Report of the arrangement (arrangement.h), from which entries and unit of mass are read; null: they are
     * known. */
    const opencl_buffer *arrangement;
    cl_uint block_capacity; /* with an arrangement: blocks of entries that have no room are left out */
} device_row_places;

typedef struct opencl_rows {
    opencl_primitives *primitives;
    opencl_buffer constants; /* row_body of each body */
    opencl_buffer materials; /* row_material of each pair of materials */
    bool turns, rolls;       /* whether a body is not a ball; whether one rolls (surface_rolls) */
    bool bounces;            /* whether a pair of materials has restitution */
    opencl_buffer counts;    /* from word `counts_at` on: ROWS_REBOUND of the last fill */
    cl_uint counts_at;
    bool counts_clear; /* whether the other words are 0, for the next fill */
    int body_capacity, material_capacity;
    row_body *bodies; /* as sent */
    row_material *pairs;
    int pair_count; /* of `pairs` that were sent */
} opencl_rows;

/* `primitives` outlive the rows. */
void opencl_rows_open(opencl_rows *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_rows_close(opencl_rows *self);
/* Send what rows read of the bodies and a step does not change: shapes, types, materials, surface velocities,
 * joints (may be null); and the materials, at most ROW_MATERIALS, if they have changed. Do not wait; a wait
 * is required before the next call. Errors: MEMORY, DEVICE_MEMORY, DEVICE. */
scree_result opencl_rows_send_bodies(opencl_rows *self, const body_array *bodies, const joint_array *joints);
scree_result opencl_rows_send_materials(opencl_rows *self, const material_table *materials);
/* Fills the blocks of all contacts, their warm start, and `rows` of the contacts. Enqueues one to three
 * launches and does not wait. Errors: KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_rows_fill(opencl_rows *self, const device_row_bodies *bodies,
                              const device_contacts *contacts, const row_parameters *parameters,
                              const device_row_places *places);
/* Enqueues a read of whether a contact of the last fill rebounds: not 0. Errors: DEVICE. */
scree_result opencl_rows_rebound(opencl_rows *self, cl_uint *some);
/* Reads the solution in the impulses of the blocks back to `impulses` and `torques` of the contacts. Enqueues
 * one launch and does not wait. Errors: as above. */
scree_result opencl_rows_read(opencl_rows *self, const device_row_bodies *bodies,
                              const device_contacts *contacts, const row_parameters *parameters,
                              const device_row_places *places);
