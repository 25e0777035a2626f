/* The report of a step on a device: what the host reads of it. */
#ifndef SCREE_KERNELS_STEP_REPORT_H
#define SCREE_KERNELS_STEP_REPORT_H

#include "dialect.h"

/* Words of a report, all 0 at the beginning. After them come the sums of statistics.h, of bodies and of
 * contacts. */
enum {
    REPORT_NOT_FINITE, /* ~slot of the first body whose state is not finite; 0: none */
    REPORT_SOME,       /* whether the excess of some body is positive (excess.h) */
    REPORT_SUSPECTED,  /* whether the excess of some island is */
    REPORT_COUNTS,     /* counts of other parts of the step */
    REPORT_COUNTS_MOST = 13,
    REPORT_WORDS = REPORT_COUNTS + REPORT_COUNTS_MOST
};

#endif
