/* The oracle: the independent check, for tests, `--verify` and the backend `reference`. Its text is short and
 * plain and shares nothing with what it checks: no solver, no kernel, no formula. A step's velocities V* and
 * mobilities are taken as they stand in the problem. */
#ifndef SCREE_ORACLE_REFERENCE_H
#define SCREE_ORACLE_REFERENCE_H

#include "device/backend.h"
#include "reference_sweep.h"

/* The error of `impulses` (block frames, p->block_count long) under `law`; `position_pass` for the second
 * problem of `split`. Velocities are formed body by body, without the matrix. Errors: MEMORY. */
scree_result reference_residual(const problem *p, scree_law law, const block_impulse *impulses,
                                bool position_pass, reference_error *out);

/* u = A r + q and q of every block, three numbers each in its frame; either may be null. Without the matrix.
 * Errors: MEMORY. */
scree_result reference_velocities(const problem *p, const block_impulse *impulses, bool position_pass,
                                  double *u, double *q);

#endif
