/* The tests after a solve on the device: whether all bodies are finite, and whether impulses of an island are
 * larger than needed (kernels/excess.cl). The results are those of check_finite (step/step.c) and of
 * warm_start_find_excess (step/warm_start.h). */
#pragma once

#include "opencl_report.h"

/* Bodies before and after a solve. */
typedef struct excess_bodies {
    cl_uint count;
    const opencl_buffer *poses, *masses;           /* before the step */
    const opencl_buffer *free_velocity, *velocity; /* V*, V */
    const opencl_buffer *poses_after;
    cl_float factor; /* that converts the masses to the problem's unit (mass_unit.h) */
} excess_bodies;

typedef struct opencl_excess {
    opencl_primitives *primitives;
    opencl_buffer excess, islands, ranks, units; /* of each slot */
} opencl_excess;

/* `primitives` outlive the tests. */
void opencl_excess_open(opencl_excess *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_excess_close(opencl_excess *self);

/* Both calls enqueue commands and do not wait. Errors: KERNEL_BUILD, DEVICE, DEVICE_MEMORY.
 *
 * Tests whether the bodies are finite (REPORT_NOT_FINITE), and copies the first `count` words of `counts` to
 * the report; null: none. `weighs`: opencl_excess_find follows. One launch. */
scree_result opencl_excess_test(opencl_excess *self, const excess_bodies *bodies, bool weighs,
                                const opencl_buffer *counts, cl_uint count, const opencl_report *report);
/* Tests for an excess (REPORT_SUSPECTED) in the islands of `pairs`, which are as those of
 * opencl_colours_update (opencl_colours.h). Four launches, which do nothing if no body has any. */
scree_result opencl_excess_find(opencl_excess *self, cl_uint bodies, const opencl_buffer *pairs,
                                device_length length, const opencl_report *report);

/* A solved problem. */
typedef struct weighed_problem {
    cl_uint bodies;
    const opencl_buffer *types; /* slot_type, a byte each */
    const opencl_buffer *blocks, *rows, *impulses, *incidence_first, *incidence, *mobility, *free_velocity;
} weighed_problem;
/* Tests again, after opencl_excess_find has suspected an island, by the energies of the impulses: if none is
 * suspected now, warm_start_scale would scale none. On devices with double precision. Four launches. */
scree_result opencl_excess_weigh(opencl_excess *self, const weighed_problem *p, const opencl_report *report);
