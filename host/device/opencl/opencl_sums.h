/* The sums of a step's statistics on the device (kernels/step_sums.cl): those of statistics_fill
 * (step/statistics.h), to the bit. For devices with double precision (scree_device_info.fp64). */
#pragma once

#include "opencl_contacts.h"
#include "opencl_report.h"

typedef struct opencl_sums {
    opencl_primitives *primitives;
    opencl_buffer of_bodies, of_contacts; /* of chunks */
} opencl_sums;

/* Bodies after the step. */
typedef struct summed_bodies {
    cl_uint count;
    const opencl_buffer *types; /* slot_type, a byte each */
    const opencl_buffer *poses, *velocities, *masses, *shapes /* record_shape */;
    const opencl_buffer *cells; /* periods that bodies have crossed, three words each; null: none */
    vec3s period;               /* lengths of the cell, m */
    vec3s gravity;              /* m/s² */
    double time_step;           /* s */
} summed_bodies;

/* `primitives` outlive the sums. */
void opencl_sums_open(opencl_sums *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_sums_close(opencl_sums *self);

/* Adds up bodies and contacts, which have their impulses, in the report. Three launches; does not wait.
 * Errors: KERNEL_BUILD, DEVICE, DEVICE_MEMORY. */
scree_result opencl_sums_make(opencl_sums *self, const summed_bodies *bodies, const device_contacts *contacts,
                              const opencl_report *report);
