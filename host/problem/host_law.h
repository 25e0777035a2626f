/* The friction laws of one block in double precision: u = A r + q, r and u in the frame (n, t₁, t₂). */
#pragma once

#include <scree/solver.h>

#include "base/real3.h"

/* Returns the block's solution under a law. A is symmetric or nearly so, and positive definite except for
 * rows without mobility, which are regularised relative to `near` so that a solution stays one. q = u − A
 * near. */
real3 host_law_solve(scree_law law, const real3x3 *a, real3 q, double friction, real3 near);

/* Solves Coulomb's law with the shift s = μ‖u_T‖ held: K* ∋ u + (s, 0, 0) ⟂ r ∈ K, which is convex, and with
 * s = 0 the associated law. Accurate to round-off (host_cone.c); `near` is the initial guess. A need not be
 * exactly symmetric. */
real3 host_held_solve(const real3x3 *a, real3 q, double friction, double shift, real3 near);

/* A block with data reused by repeated solves: its inverse, where that is as accurate as elimination. */
typedef struct host_factored {
    real3x3 a, inverse;
    bool inverted;
    bool regular; /* every direction has mobility */
} host_factored;
host_factored host_factor(const real3x3 *a);
/* Computes −A⁻¹ q; returns false if A is singular. */
bool host_stick(const host_factored *a, real3 q, real3 *out);
/* Variants of the first two functions for a factored block. */
real3 host_factored_solve(scree_law law, const host_factored *a, real3 q, double friction, real3 near);
real3 host_factored_held(const host_factored *a, real3 q, double friction, double shift, real3 near);

/* Returns the natural map r − P(r − ρ û): û = u + (μ‖u_T‖, 0, 0) and the cone for Coulomb; û = u and the cone
 * for the associated law; û = u and the box r_N ≥ 0, |r_T,i| ≤ μ r_N for the pyramid. For the radial law r −
 * Π(r − A⁻¹ u) with the block's own A, whatever ρ. Zero exactly at solutions of the law. */
real3 host_natural_map(scree_law law, const real3x3 *a, real3 r, real3 u, double friction, double rho);
