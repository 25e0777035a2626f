/* Solves u = A r + q under a law to convergence. */
#ifndef SCREE_BACKEND_REFERENCE_ITERATION_H
#define SCREE_BACKEND_REFERENCE_ITERATION_H

#include "reference_delassus.h"

/* Improves r (a->count blocks, in and out) until its scaled residual is at most `tolerance` or `iterations`
 * symmetric sweeps are done; leaves the best r found. The report has iterations, stop and residuals. Errors:
 * MEMORY. */
scree_result reference_iterate(const delassus *a, scree_law law, double tolerance, int iterations, real3 *r,
                               scree_solve_report *report);

#endif
