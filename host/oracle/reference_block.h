/* One block of the oracle: solution and measure of its law, by independent formulas. */
#pragma once

#include <scree/problem.h>

/* The law between the impulse r and the velocity u of a block, with rows (n, t₁, t₂) or as in
 * scree_block_kind. */
typedef struct reference_rule {
    scree_block_kind kind;
    scree_law law;            /* of a contact */
    double friction;          /* of a contact */
    double spinning, rolling; /* resistance: limits of |r_1| and ‖(r_2, r_3)‖, N s */
    double low[3], high[3];   /* of a bounded block */
} reference_rule;

/* Replaces r, at which the block's velocity is u, by the solution for u + A (r⁺ − r). A (row-major) is
 * positive semidefinite or nearly so. */
void reference_block_solve(const reference_rule *rule, const double a[9], const double u[3], double r[3]);
/* Computes the natural map at r: zero exactly at solutions. */
void reference_block_map(const reference_rule *rule, const double a[9], const double u[3], const double r[3],
                         double rho, double out[3]);
/* Returns 3/trace(A); 0 for a block that no impulse moves. */
double reference_block_rho(const double a[9]);
