/* One block of the oracle: its law, solved and measured by formulas of its own. */
#ifndef SCREE_ORACLE_REFERENCE_BLOCK_H
#define SCREE_ORACLE_REFERENCE_BLOCK_H

#include <scree/problem.h>

/* What holds between the impulse r and the velocity u of a block, rows (n, t₁, t₂) or as scree_block_kind
 * says. */
typedef struct reference_rule {
    scree_block_kind kind;
    scree_law law;            /* of a contact */
    double friction;          /* of a contact */
    double spinning, rolling; /* most |r_1| and ‖(r_2, r_3)‖ of a resistance, N s */
    double low[3], high[3];   /* of a bounded block */
} reference_rule;

/* Takes r, with which the block's velocity is u, to the solution for u + A (r⁺ − r). A is positive
 * semidefinite, or nearly so, row by row. */
void reference_block_solve(const reference_rule *rule, const double a[9], const double u[3], double r[3]);
/* The natural map at r: zero exactly at solutions. */
void reference_block_map(const reference_rule *rule, const double a[9], const double u[3], const double r[3],
                         double rho, double out[3]);
/* 3/trace(A), 0 where nothing can move. */
double reference_block_rho(const double a[9]);

#endif
