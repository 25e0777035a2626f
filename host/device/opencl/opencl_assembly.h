/* The problem of contacts that stay on the device: arrangement, rows, and what they read of bodies and
 * materials. */
#pragma once

#include "opencl_arrange.h"
#include "opencl_collide.h"
#include "opencl_rows.h"

typedef struct opencl_assembly {
    opencl_collide *collide; /* which has the contacts and bodies */
    opencl_arrange arrange;
    opencl_rows rows;
    uint64_t sent; /* 1 + body_array.definitions for which the next buffers were sent; 0: none */
    opencl_buffer body_materials;
    opencl_buffer resists; /* bits of material_resistances */
    int resist_words;      /* of the following that were sent */
    uint32_t resist_bits[STAY_MATERIALS * STAY_MATERIALS / 32 + 1];
    opencl_buffer earlier; /* velocities before the step of kinematic bodies */
    bool kinematic;
    body_array held; /* those whose `earlier` was sent last */
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

/* Enqueues the arrangement of the problem of `contacts`, its blocks and warm start, and the search for colours that
 * balls.cl can sweep. Blocks without room in `places` are left out. Does not wait. Errors: MEMORY, KERNEL_BUILD, DEVICE,
 * DEVICE_MEMORY. */
scree_result opencl_assembly_begin(opencl_assembly *self, const problem_input *from,
                                   const device_contacts *contacts, assembly_bodies on,
                                   device_row_places places);
/* Waits for its numbers. Errors: as above, CAPACITY. */
scree_result opencl_assembly_finish(opencl_assembly *self, const problem_input *from, int largest, problem *p);
