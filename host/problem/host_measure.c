#include "host_measure.h"

#include "host_law.h"
#include "eager.h"

#include <float.h>

/* Impulse and velocity of a block, and the bound of a resistance. */
typedef struct block_point {
    real3 r, u;
    host_bound bound;
} block_point;

/* Returns the natural map of block i. */
static real3 map_of(const delassus *a, scree_law law, int i, const block_point *at, double rho) {
    switch ((scree_block_kind)a->kind[i]) {
    case SCREE_BLOCK_CONTACT:
        return host_natural_map(law, &a->entries[a->diagonal[i]], at->r, at->u, a->friction[i], rho);
    case SCREE_BLOCK_RESISTANCE:
        return host_resistance_map(at->r, at->u, at->bound, rho);
    case SCREE_BLOCK_BOUNDED:
        return host_bounded_map(at->r, at->u, delassus_box(a, i), rho);
    case SCREE_BLOCK_KIND_COUNT:
        break;
    }
    return (real3){NAN, NAN, NAN};
}

/* Error of a block: ‖F‖² (N s)², and the same as a velocity, with the round-off of r, m/s. */
typedef struct block_error {
    double map, violation;
} block_error;

static block_error error_of(const delassus *a, scree_law law, int i, const block_point *at) {
    const double closing = a->kind[i] == SCREE_BLOCK_CONTACT ? fmax(0, -at->u.x) : 0;
    const double rho = delassus_rho(a, i), stopped = rho * closing,
                 square = real3_square(map_of(a, law, i, at, rho)),
                 map = law != SCREE_LAW_RADIAL && stopped * stopped > square ? stopped * stopped
                                                                             : square; /* NaN is kept */
    return (block_error){map, rho > 0 ? (sqrt(map) + DBL_EPSILON * real3_length(at->r)) / rho : closing};
}

/* Adds ‖F‖₂² and the other norms of one contact. */
static void add_contact(const delassus *a, scree_law law, int i, const real3 *r, real3 u, host_norms *sum) {
    block_point at = {.r = r[i], .u = u};
    const block_point idle = {.u = a->q[i]};
    if (a->kind[i] == SCREE_BLOCK_RESISTANCE) at.bound = delassus_bound(a, r, i);
    const block_error error = error_of(a, law, i, &at), free = error_of(a, law, i, &idle);
    sum->map += error.map;
    sum->unit_map += real3_square(map_of(a, law, i, &at, 1));
    sum->impulse += real3_square(r[i]);
    sum->velocity += real3_square(u);
    sum->drive += real3_square(a->q[i]);
    sum->idle_map += free.map;
    sum->violation = fmax(sum->violation, error.violation);
    sum->idle_violation = fmax(sum->idle_violation, free.violation);
    if (sum->worst < 0 || !(error.map <= sum->worst_residual)) { /* NaN is kept */
        sum->worst = i;
        sum->worst_residual = error.map;
    }
}

static double shift_of(double friction, real3 u) { return friction * sqrt(u.y * u.y + u.z * u.z); }

host_norms host_measure_shifts(const delassus *a, scree_law law, const real3 *r, real3 *u, double *shift) {
    host_norms sum = {.worst = -1};
    for (int i = 0; i < a->count; i++) {
        const real3 velocity = delassus_velocity(a, r, i);
        add_contact(a, law, i, r, velocity, &sum);
        if (u) u[i] = velocity;
        const bool shifted = law == SCREE_LAW_COULOMB && a->kind[i] == SCREE_BLOCK_CONTACT;
        if (shift) shift[i] = shifted ? shift_of(a->friction[i], velocity) : 0;
    }
    sum.worst_residual = sqrt(sum.worst_residual);
    return sum;
}

host_norms host_measure(const delassus *a, scree_law law, const real3 *r, real3 *u) {
    return host_measure_shifts(a, law, r, u, NULL);
}

host_norms host_measure_rows(const delassus *a, scree_law law, const real3 *r, const int *rows, int count) {
    host_norms sum = {.worst = -1};
    for (int i = 0; i < count; i++) add_contact(a, law, rows[i], r, delassus_velocity(a, r, rows[i]), &sum);
    sum.worst_residual = sqrt(sum.worst_residual);
    return sum;
}

double host_violation_of(const host_norms *norms) {
    return norms->idle_violation > 0 ? EAGER_VIOLATION_WEIGHT * norms->violation / norms->idle_violation : 0;
}

double host_map_of(const host_norms *norms, scree_measure measure) {
    double scale = sqrt(fmax(norms->impulse, norms->idle_map));
    switch (measure) {
    case SCREE_MEASURE_SICONOS:
        scale = sqrt(fmax(norms->drive, fmax(norms->impulse, norms->velocity)));
        return scale > 2.2e-16 ? sqrt(norms->unit_map) / scale : sqrt(norms->unit_map);
    case SCREE_MEASURE_FCLIB:
        return sqrt(norms->unit_map) / (1 + sqrt(sqrt(norms->drive)));
    case SCREE_MEASURE_SCALED:
    case SCREE_MEASURE_COUNT:
        break;
    }
    return norms->map > 0 || !(norms->map <= 0) ? sqrt(norms->map) / scale : 0;
}

double host_error_of(const host_norms *norms, scree_measure measure) {
    const double map = host_map_of(norms, measure), violation = host_violation_of(norms);
    return measure == SCREE_MEASURE_SCALED && violation > map ? violation : map; /* NaN is kept */
}
