/* The oracle itself: u = A r + q under a law, swept until it is solved. */
#ifndef SCREE_ORACLE_REFERENCE_SWEEP_H
#define SCREE_ORACLE_REFERENCE_SWEEP_H

#include "base/error.h"

#include <scree/problem.h>

/* How wrong impulses are, in every measure (problem.h); the largest ‖F‖ of one block (N s) and which, −1
 * without blocks. */
typedef struct reference_error {
    double measure[SCREE_MEASURE_COUNT];
    double absolute;
    double violation; /* the largest velocity by which a block breaks its law, over the largest ‖q‖ */
    int worst;
} reference_error;

/* What one block adds to it: F with ρ = 3/trace(A_ii) and with ρ = 1, r, u, q and ρ q, squared and summed. */
typedef struct reference_sum {
    double map, unit_map, impulse, velocity, drive, scaled_drive, largest;
    double broken, fastest; /* the largest (‖F‖ + ε‖r‖)/ρ and ‖q‖ of a block; where nothing can move −u_N */
    int count, worst;
} reference_sum;

/* Block i of a problem: its rule where the contact before it presses with r_N. */
struct reference_rule;
struct reference_rule reference_rule_of(const scree_problem_def *p, int i, scree_law law, double pressed);
void reference_sum_add(reference_sum *self, const struct reference_rule *rule, const double a[9],
                       const double r[3], const double u[3], const double q[3]);
reference_error reference_error_of(const reference_sum *sum);

/* The error of r (3 for each block); u = A r + q unless null. */
reference_error reference_measure(const scree_problem_def *p, scree_law law, const double *r, double *u);

typedef struct reference_goal {
    scree_law law;
    scree_measure measure;
    double tolerance;
    int sweeps;      /* at most */
    bool plain;      /* without acceleration */
    double *history; /* errors, or null */
    int history_capacity;
} reference_goal;

typedef struct reference_outcome {
    int history_count;
    int sweeps, fallbacks; /* fallbacks: accelerations taken back */
    bool solved;           /* to the tolerance */
    bool still; /* the last sweep changed nothing but rounding: locks contradict each other, or this is all
                   that double gives */
    reference_error before, after;
} reference_outcome;

/* Improves r until it is solved or the sweeps are made; leaves the best r found. The rows of `p` begin with
 * their own block. Errors: MEMORY. */
scree_result reference_solve(const scree_problem_def *p, const reference_goal *goal, double *r,
                             reference_outcome *out);

/* Why it ended, of a problem with blocks. */
scree_stop reference_stop(const reference_outcome *out);

#endif
