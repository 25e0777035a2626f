/* The step between the velocity pass and the position pass of `split`: the equations of
 * kernels/displacement.h in double. */
#pragma once

#include "rows/problem.h"

/* Computes, from p's solution V⁺, r, the corrections of its blocks and P₀ of every body (six numbers each,
 * linear first, m/s). `v` and `r` are scratch for six numbers per body and three per block. */
void reference_displace(problem *p, double *rebounds, double *v, double *r);
