/* What a method is made of: which sweeps an iteration makes, and whether momentum goes between iterations. */
#ifndef SCREE_SOLVE_METHOD_H
#define SCREE_SOLVE_METHOD_H

#include "executor.h"

typedef struct method_row {
    const char *name;
    iteration_kind kind;
    bool nesterov; /* Nesterov's momentum, and the best iterate is the result; forward sweeps go back too from
                      a first fallback on */
} method_row;

/* The row of a known method. */
const method_row *method_row_of(scree_method method);
/* Block Jacobi converges for ω ≤ 1 only; sweeps for ω < 2. */
bool method_takes(scree_method method, float relaxation);

#endif
