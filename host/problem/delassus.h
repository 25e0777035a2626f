/* The Delassus operator A = J M⁻¹ Jᵀ, formed: block-sparse rows of 3×3 blocks in double precision, from the
 * bodies of a problem or from a matrix that comes as such (triplets.h). */
#ifndef SCREE_PROBLEM_DELASSUS_H
#define SCREE_PROBLEM_DELASSUS_H

#include "rows/problem.h"
#include "host_bounded.h"
#include "host_resistance.h"

#include <scree/problem.h>

/* u = A r + q with one row for each contact. */
typedef struct delassus {
    int count;
    int *first;       /* entries of row i: first[i] … first[i + 1] */
    int *column;      /* ascending within a row */
    int *diagonal;    /* entry of A_ii */
    real3x3 *entries; /* compliance included */
    real3 *q;         /* J V* + bias; in the position pass the correction alone */
    double *friction; /* of a contact μ; this and the next two are 0 in the position pass */
    double *rolling;  /* of a resistance l_r/s */
    double *spinning; /* of a resistance l_s/s */
    scree_block_kind *kind;
    host_box *box; /* of bounded blocks, else not read; null when there are none */
} delassus;

/* Forms A and q, in parallel over rows. Errors: MEMORY; CAPACITY when a body with very many contacts makes A
 * too dense. */
scree_result delassus_assemble(delassus *self, const problem *p, bool position_pass, int threads);
/* Room for `count` rows and `blocks` blocks, all zero. Errors: MEMORY. */
scree_result delassus_allocate(delassus *self, int count, int blocks);
/* Room for `box`, all equality rows. Errors: MEMORY. */
scree_result delassus_allocate_boxes(delassus *self);
void delassus_release(delassus *self);

/* Row i of A r + q. */
real3 delassus_velocity(const delassus *self, const real3 *r, int i);
/* What bounds block i, a resistance, at the impulses r. */
host_bound delassus_bound(const delassus *self, const real3 *r, int i);
/* 3/trace(A_ii); 0 for a block that nothing can move. */
double delassus_rho(const delassus *self, int i);

#endif
