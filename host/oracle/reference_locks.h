/* The unbounded rows of a problem, such as the locks of joints, solved all at once. */
#pragma once

#include "base/error.h"

#include <scree/problem.h>

/* A of these rows, factorised; empty (count = 0) if there are none, or more than can be factorised
 * densely. */
typedef struct reference_locks {
    int count, rank;
    int *row;       /* 3 × block + row in the block; the first `rank` are independent, the others follow */
    int *place;     /* of each row of the problem: index in `row` as first listed; −1: not a lock */
    double *factor; /* L and U of P A Pᵀ in one matrix, row-major */
    double *change; /* of impulses; scratch */
} reference_locks;

/* Lists the locks of `p` and factorises their A. Errors: MEMORY. */
scree_result reference_locks_form(reference_locks *self, const scree_problem_def *p);
void reference_locks_release(reference_locks *self);
/* Fixes the locks among a block's rows at r, so that the block is solved for its other rows. */
void reference_locks_hold(const reference_locks *self, int block, const double r[3], double low[3],
                          double high[3]);
/* Changes r so that the independent rows have zero velocity; u[i] is the velocity of row i at the given r
 * (rows in the order of `row`). Overwrites `u`. */
void reference_locks_solve(reference_locks *self, double *u, double *r);
