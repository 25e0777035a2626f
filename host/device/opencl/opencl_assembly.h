/* The problem of contacts that stay on the device: arrangement, rows, and what they read of bodies and
 * materials. */
#pragma once

#include "opencl_arrange.h"
#include "opencl_collide.h"
#include "opencl_links.h"
#include "opencl_rows.h"

typedef struct opencl_assembly {
    opencl_collide *collide; /* which has the contacts and bodies */
    opencl_arrange arrange;
    opencl_links links;
    opencl_rows rows;
    uint64_t sent; /* 1 + body_array.definitions for which the next buffers were sent; 0: none */
    opencl_buffer types, body_materials;
    opencl_buffer resists; /* bits of material_resistances */
    opencl_buffer earlier; /* velocities before the step of kinematic bodies */
    bool kinematic;
    device_row_bodies bodies;
    row_parameters parameters; /* of the last fill */
} opencl_assembly;

/* `collide` and the buffers outlive the assembly. */
void opencl_assembly_open(opencl_assembly *self, opencl_collide *collide, arranged_problem to);
/* A zeroed struct is allowed. */
void opencl_assembly_close(opencl_assembly *self);

/* The bodies on the device. */
typedef struct assembly_bodies {
    const opencl_buffer *poses, *remainders, *velocities, *masses;
    const opencl_buffer *loads; /* null: all are 0 */
} assembly_bodies;

/* Arranges the problem of `contacts`, and of joints that have been collected (linked_rows_collect), and waits
 * for its numbers. Sets `refused` if the host must do so, because the device cannot hold a pair with joints.
 * Errors: MEMORY, CAPACITY, KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_assembly_arrange(opencl_assembly *self, const problem_input *from,
                                     const device_contacts *contacts, assembly_bodies on, int largest,
                                     problem *p, bool *refused);
/* Fills its blocks and warm start; the host has filled those of joints. Finds the colours that balls.cl can
 * sweep, for which it waits if there are balls. Errors: as above. */
scree_result opencl_assembly_fill(opencl_assembly *self, const problem_input *from,
                                  const device_contacts *contacts, const device_row_places *places,
                                  const problem *p);
