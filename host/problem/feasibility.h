/* Decides whether a problem has a solution. */
#pragma once

#include "delassus.h"

enum { FEASIBILITY_SWEEPS = 128 };

/* A proof that one component of a problem has no solution, and the block with the largest part in it. */
typedef struct infeasibility {
    bool proven;
    int block;
    double work; /* work of the search, as feasibility_test counts it */
} infeasibility;

/* Returns the work of `sweeps` sweeps: only normal rows are swept. */
static inline double feasibility_work(const delassus *a, double sweeps) {
    return 0.2 * a->first[a->count] * sweeps;
}

/* Searches for a proof of infeasibility within about `work` products of two blocks, but at least
 * FEASIBILITY_SWEEPS sweeps. Without a proof the problem may or may not have a solution. Errors: MEMORY. */
scree_result feasibility_test(const delassus *a, double work, infeasibility *out);
