/* Verification: solves a step's problem with other backends and compares the results. */
#pragma once

#include "world.h"

/* Returns whether this step is to be verified. */
bool verify_is_due(const step_context *step);
/* Copies the step's problem before the solve; `from`: its assembly. Errors: MEMORY, DEVICE. */
scree_result verify_prepare(step_context *step, const problem_input *from);
/* Solves the copy with `reference`, then with the other single-precision backend, with the options of the
 * step, and fills the verify_ statistics of the step. Without an OpenCL device, the second difference is NaN.
 * Errors: MEMORY, DEVICE. */
scree_result verify_compare(step_context *step, const scree_solver_def *options);
