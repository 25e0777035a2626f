/* Solving a step's problem again by others, and how far apart the results are. */
#ifndef SCREE_STEP_VERIFY_H
#define SCREE_STEP_VERIFY_H

#include "world.h"

/* Copies the step's problem as it stands before the solve. Errors: MEMORY, DEVICE. */
scree_result verify_prepare(scree_world *world);
/* Solves the copy by `reference`, then by the other single-precision backend, with the options that the step
 * solved it with, and fills the verify_ figures of `s`. Without an OpenCL device the second is NaN. Errors:
 * MEMORY, DEVICE. */
scree_result verify_compare(scree_world *world, const scree_solver_def *options, scree_statistics *s);

#endif
