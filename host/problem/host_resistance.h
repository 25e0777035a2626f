/* Rolling and spinning friction of one block in double precision: u = A r + q, rows (spin, roll, roll). */
#pragma once

#include "base/real3.h"

/* |r_1| ≤ spinning, ‖(r_2, r_3)‖ ≤ rolling, N s. */
typedef struct host_bound {
    double spinning, rolling;
} host_bound;

/* Returns the r within the bound for which −(A r + q) is in the normal cone of the bound. A is symmetric or
 * nearly so, and positive definite except for rows without mobility. */
real3 host_resistance_solve(const real3x3 *a, real3 q, host_bound bound);
/* Returns r − P(r − ρ u), with P the projection on the bound. */
real3 host_resistance_map(real3 r, real3 u, host_bound bound, double rho);
