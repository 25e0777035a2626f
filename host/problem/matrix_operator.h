/* A problem given as a matrix, made ready for sweeps over colours: rows that couple are of different colours,
 * and the rows of a colour are consecutive. */
#ifndef SCREE_PROBLEM_MATRIX_OPERATOR_H
#define SCREE_PROBLEM_MATRIX_OPERATOR_H

#include <scree/result.h>

struct delassus;

typedef struct matrix_operator {
    int count, colour_count;
    int *colour_first; /* rows of colour c: [c] … [c + 1] */
    int *contact;      /* of each row: its block in the problem */
    int *first;        /* entries of row i off the diagonal: first[i] … first[i + 1] */
    int *column;       /* rows */
    double *entries;   /* 9 each, row by row */
    double *diagonal;  /* 9 a row */
    double *drive;     /* 3 a row: q */
    double *friction, *rolling, *spinning;
    double *low, *high; /* 3 a row: of bounded rows */
    double *share;      /* s_a ≥ 1 of Jacobi's splitting */
    int *kind;          /* scree_block_kind */
    int *partner;       /* row of the contact of a resistance, else −1 */
} matrix_operator;

/* Errors: MEMORY. */
scree_result matrix_operator_create(matrix_operator *self, const struct delassus *a);
void matrix_operator_release(matrix_operator *self);

#endif
