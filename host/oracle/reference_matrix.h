/* The problem of a step with A = J M⁻¹ Jᵀ assembled, straight from the equations: u = J V = A r + q, q = J V*
 * + bias, V = V* + M⁻¹ Jᵀ r. */
#pragma once

#include "rows/problem.h"

#include <scree/problem.h>

/* The arrays of a scree_problem_def, owned by this struct. */
typedef struct reference_matrix {
    int count;
    int *first, *column;
    double *blocks, *q, *friction, *rolling, *spinning, *low,
        *high; /* the last four in the memory of `friction` */
    scree_block_kind *kind;
} reference_matrix;

/* Assembles the matrix. Errors: MEMORY; CAPACITY when a body with very many contacts makes A too dense. */
scree_result reference_matrix_form(reference_matrix *self, const problem *p, bool position_pass);
void reference_matrix_release(reference_matrix *self);
scree_problem_def reference_matrix_def(const reference_matrix *self);

/* Computes V = V* + M⁻¹ Jᵀ r of every body, six numbers each, linear first; V* = 0 in the position pass. */
void reference_body_velocities(const problem *p, const double *r, bool position_pass, double *v);
/* Computes u = J V + bias + compliance of block i; with V* and r = NULL that is q. */
void reference_block_velocity(const problem *p, int i, const double *v, const double *r, bool position_pass,
                              double u[3]);
/* Reads the bounds of a bounded block in this pass. */
void reference_bounds(const problem *p, int i, bool position_pass, double low[3], double high[3]);
/* Computes A_ii. */
void reference_own_block(const problem *p, int i, bool position_pass, double out[9]);
