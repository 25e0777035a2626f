/* Solves u = A r + q under a law to convergence, in double precision on one thread of the host. */
#ifndef SCREE_PROBLEM_HOST_SOLVE_H
#define SCREE_PROBLEM_HOST_SOLVE_H

#include "host_measure.h"

/* What is asked of a solve. */
typedef struct host_goal {
    scree_law law;
    scree_measure measure;
    double tolerance;
    int iterations;
    bool plain;      /* no momentum at all */
    double *history; /* or null */
    int history_capacity;
} host_goal;

/* Improves r (a->count blocks, in and out) until its error is at most the goal's tolerance or its iterations
 * are done; leaves the best r found. Errors: MEMORY. */
scree_result host_solve(const delassus *a, const host_goal *goal, real3 *r, scree_problem_report *report);

#endif
