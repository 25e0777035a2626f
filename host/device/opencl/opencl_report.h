/* The report of a step on the device: words and sums that the host reads at once (kernels/step_report.h). */
#pragma once

#include "opencl_primitives.h"

#include "step_report.h"
#include "step_sums.h"

typedef struct step_report {
    uint32_t words[REPORT_WORDS];
    statistic_sums bodies, contacts; /* after opencl_sums */
} step_report;
_Static_assert(REPORT_WORDS % 2 == 0, "the sums are whole numbers of doubles");

typedef struct opencl_report {
    opencl_primitives *primitives;
    opencl_buffer buffer;
} opencl_report;

/* `primitives` outlive the report. */
void opencl_report_open(opencl_report *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_report_close(opencl_report *self);

/* Clears the words; does not wait. Errors: DEVICE_MEMORY, DEVICE. */
scree_result opencl_report_begin(opencl_report *self);
/* Enqueues the read; `out` is valid after the next wait. `sums`: also those of opencl_sums. Errors: DEVICE.
 */
scree_result opencl_report_fetch(opencl_report *self, bool sums, step_report *out);

/* Returns the first of the bodies whose state is not finite, or their number. */
static inline int step_report_first(const step_report *report, int bodies) {
    const uint32_t word = report->words[REPORT_NOT_FINITE];
    return word ? (int)~word : bodies;
}
