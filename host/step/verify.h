/* Verification: solves a step's problem with other backends and compares the results. */
#pragma once

#include "world.h"

/* Copies the step's problem before the solve. Errors: MEMORY, DEVICE. */
scree_result verify_prepare(scree_world *world);
/* Solves the copy with `reference`, then with the other single-precision backend, with the options of the
 * step, and fills the verify_ statistics of `s`. Without an OpenCL device, the second difference is NaN.
 * Errors: MEMORY, DEVICE. */
scree_result verify_compare(scree_world *world, const scree_solver_def *options, scree_statistics *s);
