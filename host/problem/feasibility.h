/* Whether a problem has a solution at all. */
#ifndef SCREE_PROBLEM_FEASIBILITY_H
#define SCREE_PROBLEM_FEASIBILITY_H

#include "delassus.h"

enum { FEASIBILITY_SWEEPS = 128 };

/* A proof that there is none, in one of its components, and the block that has the largest part in it. */
typedef struct infeasibility {
    bool proven;
    int block;
    double work; /* that the search took, as feasibility_look counts it */
} infeasibility;

/* What so many sweeps take: only normal rows are swept. */
static inline double feasibility_work(const delassus *a, double sweeps) {
    return 0.2 * a->first[a->count] * sweeps;
}

/* Looks for a proof within about `work` products of two blocks, and at least FEASIBILITY_SWEEPS sweeps. Where
 * none is found the problem may have a solution or not. Errors: MEMORY. */
scree_result feasibility_look(const delassus *a, double work, infeasibility *out);

#endif
