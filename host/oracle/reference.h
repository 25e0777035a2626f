/* The oracle: an independent check for tests, `--verify` and the backend `reference`. Its code is short and
 * plain and shares no solver, kernel or formula with the code that it checks. The free velocities V* and
 * mobilities of a step are read from the problem. */
#pragma once

#include "device/backend.h"
#include "reference_sweep.h"

/* Computes the error of `impulses` (block frames, p->block_count long) under `law`; `position_pass` selects
 * the second problem of `split`. Forms the velocities body by body, without the matrix. Errors: MEMORY. */
scree_result reference_residual(const problem *p, scree_law law, const block_impulse *impulses,
                                bool position_pass, reference_error *out);

/* Computes u = A r + q and q of every block, three numbers each in its frame, without the matrix; u and q may
 * be NULL. Errors: MEMORY. */
scree_result reference_velocities(const problem *p, const block_impulse *impulses, bool position_pass,
                                  double *u, double *q);
