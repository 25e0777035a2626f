/* A problem given as a matrix, reordered for coloured sweeps: coupled rows have different colours, and the
 * rows of a colour are consecutive. */
#pragma once

#include <scree/core.h>

struct delassus;

typedef struct matrix_operator {
    int count, colour_count;
    int *colour_first; /* rows of colour c: [c] … [c + 1] */
    int *contact;      /* block of the problem for each row */
    int *first;        /* off-diagonal entries of row i: first[i] … first[i + 1] */
    int *column;       /* rows */
    double *entries;   /* 9 per block, row-major */
    double *diagonal;  /* 9 per row */
    double *drive;     /* 3 per row: q */
    double *friction, *rolling, *spinning;
    double *low, *high;  /* 3 per row: of bounded rows */
    double *split_count; /* split count s_a ≥ 1 of Jacobi's splitting */
    int *kind;           /* scree_block_kind */
    int *partner;        /* row of the contact of a resistance, else −1 */
} matrix_operator;

/* Errors: MEMORY. */
scree_result matrix_operator_create(matrix_operator *self, const struct delassus *a);
void matrix_operator_release(matrix_operator *self);
