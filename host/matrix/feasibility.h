/* Whether a problem has a solution at all. */
#ifndef SCREE_MATRIX_FEASIBILITY_H
#define SCREE_MATRIX_FEASIBILITY_H

#include "delassus.h"

/* A proof that there is none, and the block that has the largest part in it. */
typedef struct infeasibility {
    bool proven;
    int block;
} infeasibility;

/* Looks for a proof within about `work` products of two blocks, and at least for a little while. Where none
 * is found the problem may have a solution or not. Errors: MEMORY. */
scree_result feasibility_look(const delassus *a, double work, infeasibility *out);

#endif
