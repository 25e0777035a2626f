/* The Delassus operator A = J M⁻¹ Jᵀ, assembled: block-sparse rows of 3×3 blocks in double precision, from
 * the bodies of a problem or from a given matrix (triplets.h). */
#pragma once

#include "rows/problem.h"
#include "host_bounded.h"
#include "host_resistance.h"

#include <scree/problem.h>

/* u = A r + q, one row per contact. */
typedef struct delassus {
    int count;
    int *first;       /* entries of row i: first[i] … first[i + 1] */
    int *column;      /* ascending within a row */
    int *diagonal;    /* entry of A_ii */
    real3x3 *entries; /* compliance included */
    real3 *q;         /* J V* + bias; in the position pass the correction alone */
    double *friction; /* μ of a contact; in the position pass this and the next two are 0 */
    double *rolling;  /* of a resistance l_r/s */
    double *spinning; /* of a resistance l_s/s */
    scree_block_kind *kind;
    real3 *low, *high; /* of bounded blocks, otherwise unused; NULL without bounded blocks; one allocation */
} delassus;

/* Assembles A and q, in parallel over rows. Errors: MEMORY; CAPACITY when a body with very many contacts
 * makes A too dense. */
scree_result delassus_assemble(delassus *self, const problem *p, bool position_pass, int threads);
/* Allocates `count` rows and `blocks` blocks, all zero. Errors: MEMORY. */
scree_result delassus_allocate(delassus *self, int count, int blocks);
/* Allocates `low` and `high`, all equality rows. Errors: MEMORY. */
scree_result delassus_allocate_bounds(delassus *self);
void delassus_release(delassus *self);

/* Returns row i of A r + q. */
real3 delassus_velocity(const delassus *self, const real3 *r, int i);
/* Returns the bound of block i, a resistance, at the impulses r. */
host_bound delassus_bound(const delassus *self, const real3 *r, int i);
/* Returns the bounds of block i, a bounded one. */
host_box delassus_box(const delassus *self, int i);
/* Returns 3/trace(A_ii); 0 for a block that no impulse moves. */
double delassus_rho(const delassus *self, int i);

/* Connected components of blocks: sets of blocks that act on each other directly or through others.
 * Components do not influence each other. */
typedef struct components {
    int count;
    int *first; /* rows of component c: rows[first[c] … first[c + 1]) */
    int *rows;  /* ascending within a component; components in the order of their first rows */
} components;

/* Finds the connected components of A; entries that are all zero do not connect. Errors: MEMORY. */
scree_result components_find(components *self, const delassus *a);
void components_release(components *self);
