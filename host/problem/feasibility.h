/* Decides whether a problem has a solution. */
#pragma once

#include "delassus.h"

enum { FEASIBILITY_SWEEPS = 128 };

/* A proof that one component of a problem has no solution. */
typedef struct infeasibility {
    bool proven;
    int block;   /* the contact with the largest part in it, or else the block; −1: not proven */
    double work; /* work of the search, as feasibility_work counts it */
} infeasibility;

/* Extent of a search. */
typedef struct feasibility_goal {
    double work;        /* budget; at least FEASIBILITY_SWEEPS sweeps are made */
    double least_speed; /* speed at which the blocks of a proof must close, m/s; 0: any */
    /* u of each block after an attempt to solve the problem: also finds bodies that are jammed by friction
     * (feasibility.c). NULL: only proofs that hold for every law. */
    const real3 *velocities;
} feasibility_goal;

/* Returns the work of `sweeps` sweeps in products of two blocks; without friction only normal rows of
 * contacts are swept. */
static inline double feasibility_work(const delassus *a, bool friction, double sweeps) {
    return (friction ? 1 : 0.2) * a->first[a->count] * sweeps;
}

/* Searches for a proof of infeasibility. Without one the problem may or may not have a solution. Errors:
 * MEMORY. */
scree_result feasibility_test(const delassus *a, const feasibility_goal *goal, infeasibility *out);
