/* The problem of contacts that stay on the device: arrangement, rows, and what they read of bodies and
 * materials. */
#pragma once

#include "opencl_arrange.h"
#include "opencl_cohesion.h"
#include "opencl_collide.h"
#include "opencl_links.h"
#include "opencl_rows.h"

typedef struct opencl_assembly {
    opencl_collide *collide; /* which has the contacts and bodies */
    opencl_arrange arrange;
    opencl_links links;
    opencl_rows rows;
    opencl_cohesion cohesion;
    bool cohered;  /* whether cohesion has been applied to the contacts of this solve */
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
    cl_uint rebounds;          /* not 0: a row of the last fill rebounds; read if a material bounces */
} opencl_assembly;

/* `collide` and the buffers outlive the assembly. */
void opencl_assembly_open(opencl_assembly *self, opencl_collide *collide, arranged_problem to);
/* A zeroed struct is allowed. */
void opencl_assembly_close(opencl_assembly *self);

/* The bodies on the device. */
typedef struct assembly_bodies {
    const opencl_buffer *poses, *remainders, *velocities, *masses, *loads;
    bool loaded; /* whether a load may not be 0 */
} assembly_bodies;

/* Enqueues the arrangement of the problem of `contacts`, and of joints that have been collected in `p`
 * (linked_rows_collect), the blocks and warm start of contacts, and the search for colours that balls.cl can
 * sweep. Blocks without room in `places` are left out. Does not wait. Errors: MEMORY, KERNEL_BUILD, DEVICE,
 * DEVICE_MEMORY. */
scree_result opencl_assembly_begin(opencl_assembly *self, const problem_input *from,
                                   device_contacts *contacts, assembly_bodies on, device_row_places places,
                                   const problem *p);
/* Returns the loads of the bodies in the step, with cohesive forces; `own`: without them. */
const opencl_buffer *opencl_assembly_loads(const opencl_assembly *self, const opencl_buffer *own);
/* Returns the step for opencl_cohesion_settle. */
cohesive_step opencl_assembly_cohesive(const opencl_assembly *self, device_contacts *contacts);
/* Waits for its numbers. Errors: as above, CAPACITY. */
scree_result opencl_assembly_finish(opencl_assembly *self, const problem_input *from, int largest,
                                    problem *p);
/* Fills the blocks of joints on the host and sends them to their places. Errors: as above. */
scree_result opencl_assembly_link(opencl_assembly *self, const problem_input *from,
                                  const device_row_places *places, int threads, problem *p, int *regrown);
