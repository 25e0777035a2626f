/* How far impulses are from a solution, in every measure, of a problem given as a matrix. */
#ifndef SCREE_PROBLEM_HOST_MEASURE_H
#define SCREE_PROBLEM_HOST_MEASURE_H

#include "delassus.h"

#include <scree/problem.h>

/* The natural map summed up over all contacts, and in it the contact with the largest ‖F‖. */
typedef struct host_norms {
    double map, unit_map; /* ‖F‖₂² with ρ_a = 3/trace(A_aa) and with ρ = 1 */
    double impulse, velocity, drive, scaled_drive; /* ‖r‖₂², ‖u‖₂², ‖q‖₂², ‖ρ q‖₂² */
    double violation,
        free; /* the largest (‖F‖ + ε‖r‖)/ρ_a, or closing where nothing can move, and ‖q‖ of a contact */
    int worst;             /* −1: none */
    double worst_residual; /* ‖F‖ of it (ρ_a) */
} host_norms;

/* All norms at r; u (a->count long) unless null. */
host_norms host_measure(const delassus *a, scree_law law, const real3 *r, real3 *u);
/* The same; also fills Coulomb's shifts μ‖u_T‖, zero where there is none, unless null. */
host_norms host_measure_shifts(const delassus *a, scree_law law, const real3 *r, real3 *u, double *shift);
/* The norms of some rows alone. */
host_norms host_measure_rows(const delassus *a, scree_law law, const real3 *r, const int *rows, int count);
/* The second part of the scaled error: the largest violation, weighed (solver.h). */
double host_violation_of(const host_norms *norms);
double host_map_of(const host_norms *norms, scree_measure measure);
/* The residual: of `scaled` the larger of the two. */
double host_error_of(const host_norms *norms, scree_measure measure);

#endif
