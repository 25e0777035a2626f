/* The energy of all grains, the energy that contacts dissipate and the work of driven bodies
 * (rows/contact_work.c). */
#include "measurement.h"

#include "base/vector.h"
#include "rotation.h"

enum { KINETIC, POTENTIAL, FRICTION, IMPACT, ROLLING, DRIVE, TOTALS_AT, FLOWS = 4, RESIDUE = 10 };

static const measurement_quantity quantities[] = {
    {"kinetic_energy", "J"}, {"potential_energy", "J"}, {"friction_power", "W"},
    {"impact_power", "W"},   {"rolling_power", "W"},    {"drive_power", "W"},
    {"friction", "J"},       {"impact", "J"},           {"rolling", "J"},
    {"drive", "J"},          {"residue", "J"},
};
_Static_assert(MEASUREMENT_COUNT_OF(quantities) == RESIDUE + 1, "the enum must match the table");

typedef struct energy {
    double kinetic, potential; /* J */
} energy;

/* Returns a coordinate of a body as if it had never crossed a periodic boundary, m. */
static double unwrapped(const measurement_view *view, int i, float at, int axis) {
    const double crossed = view->bodies.periods ? (double)view->bodies.periods[3 * i + axis] : 0;
    return (double)at + crossed * view->period[axis];
}

/* Returns ½ m v² + ½ ω·R I Rᵀ ω and −m s g·x. */
static energy energy_of(const measurement_view *view, int i, const scree_body_state *state) {
    const scree_body_columns *bodies = &view->bodies;
    const scree_vec3 moments = column_vec3(bodies->inertias, i), v = state->linear_velocity,
                     x = state->position;
    const vec3s w = rotate_inverse(quat_in(state->rotation), vec3_in(state->angular_velocity));
    const double m = (double)column_float(bodies->masses, i), *g = view->gravity;
    return (energy){0.5 * m * ((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z) +
                        0.5 * ((double)moments.x * w.x * w.x + (double)moments.y * w.y * w.y +
                               (double)moments.z * w.z * w.z),
                    -m * (double)column_float(bodies->gravity_scales, i) *
                        (g[0] * unwrapped(view, i, x.x, 0) + g[1] * unwrapped(view, i, x.y, 1) +
                         g[2] * unwrapped(view, i, x.z, 2))};
}

static void measure(const measurement_view *view, const measurement *self, double *out) {
    const scree_contact_work *did = &view->work;
    const double work[FLOWS] = {did->friction, did->impact, did->rolling, did->drive};
    double change = 0, *memory = self->values;
    out[KINETIC] = out[POTENTIAL] = 0;
    for (int i = 0; i < view->bodies.count; i++) {
        if (view->bodies.types[i] != 1 + SCREE_BODY_DYNAMIC) continue;
        const scree_body_state now = measurement_state(&view->bodies, i);
        const energy before = energy_of(view, i, &view->before[i]), after = energy_of(view, i, &now);
        out[KINETIC] += after.kinetic;
        out[POTENTIAL] += after.potential;
        change += after.kinetic - before.kinetic + (after.potential - before.potential);
    }
    for (int k = 0; k < FLOWS; k++) {
        out[FRICTION + k] = work[k] / view->time_step;
        memory[k] += work[k];
    }
    memory[FLOWS] += change + work[0] + work[1] + work[2] - work[3];
    for (int k = 0; k <= FLOWS; k++) out[TOTALS_AT + k] = memory[k];
}

const measurement_kind measurement_energy =
    MEASUREMENT_KIND("energy", quantities, .totals = FLOWS + 1, .memory = FLOWS + 1, .needs_before = true,
                     .needs_work = true, .every_step = true);
