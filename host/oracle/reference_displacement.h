/* Between the velocity pass and the position pass of `split`: what kernels/displacement.h says, in double. */
#ifndef SCREE_ORACLE_REFERENCE_DISPLACEMENT_H
#define SCREE_ORACLE_REFERENCE_DISPLACEMENT_H

#include "rows/problem.h"

/* From p's solution V⁺, r: the corrections of its blocks, and P₀ of every body, six numbers each, linear
 * first, m/s. `v` and `r` are room for six numbers of each body and three of each block. */
void reference_displace(problem *p, double *rebounds, double *v, double *r);

#endif
