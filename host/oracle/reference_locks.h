/* The rows of a problem that have no bounds, as the locks of joints, solved all at once. */
#ifndef SCREE_ORACLE_REFERENCE_LOCKS_H
#define SCREE_ORACLE_REFERENCE_LOCKS_H

#include "base/error.h"

#include <scree/problem.h>

/* A of these rows, factored; nothing (count = 0) where there are none, or more than are factored densely. */
typedef struct reference_locks {
    int count, rank;
    int *row;       /* 3 × block + row of the block; the first `rank` are independent, the others follow */
    int *place;     /* of each row of the problem: −1, or not */
    double *factor; /* L and U of P A Pᵀ in one, row by row */
    double *change; /* of impulses, to work in */
} reference_locks;

/* Errors: MEMORY. */
scree_result reference_locks_form(reference_locks *self, const scree_problem_def *p);
void reference_locks_release(reference_locks *self);
/* Holds the locks among a block's rows at r, so that the block is solved for the others. */
void reference_locks_hold(const reference_locks *self, int block, const double r[3], double low[3],
                          double high[3]);
/* Takes r, with which row i has the velocity u[i] (rows in the order of `row`), to where the independent rows
 * have none. `u` is overwritten. */
void reference_locks_solve(reference_locks *self, double *u, double *r);

#endif
