/* Solves u = A r + q under a law to convergence, in double precision on one thread. */
#pragma once

#include "host_measure.h"

/* Parameters of a solve. */
typedef struct host_goal {
    scree_law law;
    scree_measure measure;
    double tolerance;
    int iterations;
    bool plain;      /* no momentum */
    double *history; /* or NULL */
    int history_capacity;
} host_goal;

/* Improves r (a->count blocks, in and out) until its error is at most goal->tolerance or goal->iterations are
 * done; returns the best r found. Errors: MEMORY. */
scree_result host_solve(const delassus *a, const host_goal *goal, real3 *r, scree_problem_report *report);
