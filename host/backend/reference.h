/* The independent check: what the double-precision reference knows about a problem, for tests and for other
 * backends' figures. Nothing here shares code with the kernels. The problem's velocities V* and mobilities
 * are taken as they stand in it. */
#ifndef SCREE_BACKEND_REFERENCE_H
#define SCREE_BACKEND_REFERENCE_H

#include "backend.h"
#include "reference_maths.h"

/* The natural map over all blocks: scaled = ‖F‖₂ / max(‖r‖₂, ‖ρ q‖₂), absolute = the largest ‖F‖ of one block
 * (N s). Both 0 without blocks. */
typedef struct reference_error {
    double scaled, absolute;
} reference_error;

/* The error of `impulses` (block frames, p->block_count long) under `law`; `position_pass` for the second
 * problem of `split`. Velocities are formed body by body, without the matrix. Errors: MEMORY. */
scree_result reference_residual(const problem *p, scree_law law, const block_impulse *impulses,
                                bool position_pass, reference_error *out);

/* u = A r + q and q of every block, in its frame; either may be null. Without the matrix. Errors: MEMORY. */
scree_result reference_velocities(const problem *p, const block_impulse *impulses, bool position_pass,
                                  real3 *u, real3 *q);

#endif
