/* Solves u = A r + q under a law to convergence. */
#ifndef SCREE_BACKEND_REFERENCE_ITERATION_H
#define SCREE_BACKEND_REFERENCE_ITERATION_H

#include "reference_delassus.h"

#include <scree/problem.h>

/* What is asked of a solve. */
typedef struct reference_goal {
    scree_law law;
    scree_measure measure;
    double tolerance;
    int iterations;
    int patience;    /* iterations without halving the best error after which the momentum is held back */
    bool plain;      /* no momentum at all */
    double *history; /* or null */
    int history_capacity;
} reference_goal;

/* The natural map summed up over all contacts, and in it the contact with the largest ‖F‖. */
typedef struct reference_norms {
    double map, unit_map; /* ‖F‖₂² with ρ_a = 3/trace(A_aa) and with ρ = 1 */
    double impulse, velocity, drive, scaled_drive; /* ‖r‖₂², ‖u‖₂², ‖q‖₂², ‖ρ q‖₂² */
    int worst;                                     /* −1: none */
    double worst_residual;                         /* ‖F‖ of it (ρ_a) */
} reference_norms;

/* All norms at r; u (a->count long) unless null. */
reference_norms reference_measure(const delassus *a, scree_law law, const real3 *r, real3 *u);
double reference_error_of(const reference_norms *norms, scree_measure measure);

/* Improves r (a->count blocks, in and out) until its error is at most the goal's tolerance or its iterations
 * are done; leaves the best r found. The residuals of `report` are those of the measure `scaled`; `detail`
 * (may be null) has everything. Errors: MEMORY. */
scree_result reference_iterate(const delassus *a, const reference_goal *goal, real3 *r,
                               scree_solve_report *report, scree_problem_report *detail);

#endif
