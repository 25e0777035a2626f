/* Deferred impacts on the device (kernels/impacts.cl): what deferred_impact_mark does
 * (rows/deferred_impact.h).
 */
#pragma once

#include "opencl_rows.h"

typedef struct opencl_impacts {
    opencl_primitives *primitives;
    opencl_buffer words;        /* IMPACTS_LISTED, … */
    opencl_buffer flags, list;  /* of entries with a rebound */
    opencl_buffer keys, values; /* the same by second body */
    opencl_buffer struck;       /* of each body */
} opencl_impacts;

/* `primitives` outlive the impacts. */
void opencl_impacts_open(opencl_impacts *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_impacts_close(opencl_impacts *self);
/* Marks the contacts that rebounds of the step have closed, and waits for the number of new marks. `rows` and
 * `places` are those of the contacts' problem, after it has been solved and read back. Errors: KERNEL_BUILD,
 * DEVICE, DEVICE_MEMORY. */
scree_result opencl_impacts_mark(opencl_impacts *self, const opencl_rows *rows,
                                 const device_row_bodies *bodies, cl_uint slots,
                                 const device_contacts *contacts, const device_row_places *places,
                                 const row_parameters *parameters, int *marked);
