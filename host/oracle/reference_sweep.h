/* The oracle itself: u = A r + q under a law, swept to convergence. */
#pragma once

#include "base/error.h"

#include <scree/problem.h>

/* The error of impulses in every measure (problem.h), the largest ‖F‖ of one block (N s), and that block's
 * index; −1 without blocks. */
typedef struct reference_error {
    double measure[SCREE_MEASURE_COUNT];
    double absolute;
    double violation; /* the largest velocity by which a block violates its law, relative to that of zero
                         impulses */
    int worst;
} reference_error;

/* The terms of the error: F with ρ = 3/trace(A_ii) and with ρ = 1, r, u and q, squared and summed over
 * blocks. */
typedef struct reference_sum {
    double map, unit_map, impulse, velocity, drive, largest;
    double violation; /* the largest (‖F‖ + ε‖r‖)/ρ of a block, or −u_N of a contact that no impulse moves */
    double idle_map, idle_violation; /* `map` and `violation` of zero impulses */
    int count, worst;
} reference_sum;

struct reference_rule;
void reference_sum_add(reference_sum *self, const struct reference_rule *rule, const double a[9],
                       const double r[3], const double u[3], const double q[3]);
reference_error reference_error_of(const reference_sum *sum);

typedef struct reference_goal {
    scree_law law;
    scree_measure measure;
    double tolerance;
    int sweeps;      /* at most */
    bool plain;      /* without acceleration */
    double *history; /* errors, or NULL */
    int history_capacity;
} reference_goal;

typedef struct reference_outcome {
    int history_count;
    int sweeps, fallbacks; /* fallbacks: rejected accelerations */
    bool solved;           /* to the tolerance */
    bool still; /* the last sweep changed r by round-off only: locks contradict each other, or double
                   precision is exhausted */
    reference_error before, after;
} reference_outcome;

/* Improves r until it is solved or the sweeps are used up; returns the best r found. Each row of `p` must
 * begin with its diagonal block. Errors: MEMORY. */
scree_result reference_solve(const scree_problem_def *p, const reference_goal *goal, double *r,
                             reference_outcome *out);

/* Returns the reason for the end, for a problem with blocks. */
scree_stop reference_stop(const reference_outcome *out);
