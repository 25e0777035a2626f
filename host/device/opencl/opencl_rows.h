/* The rows of contacts on the device (kernels/rows.cl): the blocks of problem_fill (rows/problem.h) from the
 * contacts of a step, and the impulses of a solution back, as problem_scatter. Entry i of the contacts is
 * pair i of the problem: no joints, and no bodies with children. Nothing is read back, and nothing waits. */
#pragma once

#include "opencl_contacts.h"

#include "row_layout.h"

/* Bodies at the start of the step, as rows read them, with the velocities of prescribed motion. */
typedef struct device_row_bodies {
    const opencl_buffer *constants; /* row_body (rows/row_input.h) */
    const opencl_buffer *poses, *remainders, *velocities, *masses, *loads;
    const opencl_buffer *earlier; /* velocities before the step; null: there is no kinematic body */
    bool turns; /* whether rows may have bends: a shape is not a ball, or the scheme is `relaxed` */
} device_row_bodies;

/* Where the blocks of the contacts go. */
typedef struct device_row_places {
    const opencl_buffer *groups, *pair_group;                 /* block_group; group of each entry */
    const opencl_buffer *blocks, *impulses, *pseudo_impulses; /* of the problem */
} device_row_places;

typedef struct opencl_rows {
    opencl_primitives *primitives;
    opencl_buffer materials; /* row_material, of each pair of materials (row_materials_of) */
    bool bounces;            /* whether a pair of materials has restitution */
    opencl_buffer counts;    /* from word `counts_at` on: ROWS_LEFT, … of the last fill */
    cl_uint counts_at;
} opencl_rows;

/* `primitives` outlive the rows. */
void opencl_rows_open(opencl_rows *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_rows_close(opencl_rows *self);
/* Sends the table of the materials' pairs, count² of them, count ≤ ROW_MATERIALS. Waits. Errors:
 * DEVICE_MEMORY, DEVICE. */
scree_result opencl_rows_send_materials(opencl_rows *self, const row_material *pairs, int count);

/* Fills the blocks of all contacts, their warm start, and `rows` of the contacts. Contacts that the host must
 * fill are counted; their blocks are undefined. Errors: KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_rows_fill(opencl_rows *self, const device_row_bodies *bodies,
                              const device_contacts *contacts, const row_parameters *parameters,
                              const device_row_places *places);
/* Reads the solution in the impulses of the blocks back to `impulses` and `torques` of the contacts. Errors:
 * as above. */
scree_result opencl_rows_read(opencl_rows *self, const device_row_bodies *bodies,
                              const device_contacts *contacts, const row_parameters *parameters,
                              const device_row_places *places);
