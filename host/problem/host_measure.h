/* The error of impulses in every measure, for a problem given as a matrix. */
#pragma once

#include "delassus.h"

#include <scree/problem.h>

/* The natural map summed over all contacts, and the contact with the largest ‖F‖. */
typedef struct host_norms {
    double map, unit_map;            /* ‖F‖₂² with ρ_a = 3/trace(A_aa) and with ρ = 1 */
    double impulse, velocity, drive; /* ‖r‖₂², ‖u‖₂², ‖q‖₂² */
    double violation; /* the largest (‖F‖ + ε‖r‖)/ρ_a of a contact, or its approach velocity if no impulse
                         moves it */
    double idle_map, idle_violation; /* `map` and `violation` of zero impulses */
    int worst;                       /* −1: no contacts */
    double worst_residual;           /* its ‖F‖ (ρ_a) */
} host_norms;

/* Returns all norms at r. Fills u (a->count long) unless it is NULL. */
host_norms host_measure(const delassus *a, scree_law law, const real3 *r, real3 *u);
/* Also fills Coulomb's shifts μ‖u_T‖, zero for blocks without one, unless NULL. */
host_norms host_measure_shifts(const delassus *a, scree_law law, const real3 *r, real3 *u, double *shift);
/* Returns the norms of `count` rows alone. */
host_norms host_measure_rows(const delassus *a, scree_law law, const real3 *r, const int *rows, int count);
/* Returns the second part of the scaled error: the weighted largest violation (solver.h). */
double host_violation_of(const host_norms *norms);
double host_map_of(const host_norms *norms, scree_measure measure);
/* Returns the residual; of `scaled` the larger of map and violation. */
double host_error_of(const host_norms *norms, scree_measure measure);
