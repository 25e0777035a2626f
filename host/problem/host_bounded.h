/* Bounded rows of one block in double precision: u = A r + q with low ≤ r ≤ high in each row; u = 0 between
 * the bounds, u ≥ 0 at low, u ≤ 0 at high (a mixed linear complementarity problem). */
#pragma once

#include "base/real3.h"

/* −∞ … ∞ is an equality row. */
typedef struct host_box {
    real3 low, high;
} host_box;

/* Returns the block's solution, which is unique where A is positive definite. Rows that no impulse moves keep
 * `near`, clamped to the box. */
real3 host_bounded_solve(const real3x3 *a, real3 q, host_box box, real3 near);
/* Returns r − P(r − ρ u), with P the projection on the box. */
real3 host_bounded_map(real3 r, real3 u, host_box box, double rho);
