/* Properties of a method: the sweeps of an iteration, and whether it uses momentum. */
#pragma once

#include "executor.h"

typedef struct method_row {
    const char *name;
    iteration_kind kind;
    /* Nesterov's momentum; the best iterate is the result. Forward sweeps become symmetric after the first
     * fallback. */
    bool nesterov;
} method_row;

/* Returns the row of a valid method. */
const method_row *method_row_of(scree_method method);
/* Returns whether a method converges with relaxation ω: block Jacobi for ω ≤ 1, sweeps for ω < 2. */
bool method_takes(scree_method method, float relaxation);
