/* The energy of all grains, the energy that contacts dissipate and the work of driven bodies
 * (rows/contact_work.c). */
#include "measurement_kinds.h"

#include "rotation.h"

enum { KINETIC, POTENTIAL, FRICTION, IMPACT, ROLLING, DRIVE, TOTALS_AT, FLOWS = 4, RESIDUE = 10 };

static const measurement_quantity quantities[] = {
    {"kinetic_energy", "J", false}, {"potential_energy", "J", false},
    {"friction_power", "W", false}, {"impact_power", "W", false},
    {"rolling_power", "W", false},  {"drive_power", "W", false},
    {"friction", "J", true},        {"impact", "J", true},
    {"rolling", "J", true},         {"drive", "J", true},
    {"residue", "J", true},
};
_Static_assert(MEASUREMENT_COUNT_OF(quantities) == RESIDUE + 1, "the enum must match the table");

typedef struct energy {
    double kinetic, potential; /* J */
} energy;

/* Returns ½ m v² + ½ ω·R I Rᵀ ω and −m s g·x. */
static energy energy_of(const measurement_view *view, int i, body_pose pose, body_velocity velocity) {
    const body_mass mass = view->bodies->masses[i];
    const vec3s v = velocity.linear, x = pose.position, w = rotate_inverse(pose.rotation, velocity.angular);
    const double m = (double)mass.mass, *g = view->gravity;
    return (energy){0.5 * m * ((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z) +
                        0.5 * ((double)mass.inertia.x * w.x * w.x + (double)mass.inertia.y * w.y * w.y +
                               (double)mass.inertia.z * w.z * w.z),
                    -m * (double)mass.gravity_scale *
                        (g[0] * body_unwrapped(view->bodies, i, x, 0) +
                         g[1] * body_unwrapped(view->bodies, i, x, 1) +
                         g[2] * body_unwrapped(view->bodies, i, x, 2))};
}

static void measure(const measurement_view *view, const measurement *self, double *memory, double *out) {
    const contact_work *did = view->work;
    const double work[FLOWS] = {did->friction, did->impact, did->rolling, did->drive};
    double change = 0;
    (void)self;
    out[KINETIC] = out[POTENTIAL] = 0;
    for (int i = 0; i < view->bodies->count; i++) {
        if (!body_is_dynamic(view->bodies, i)) continue;
        const energy before = energy_of(view, i, view->poses_before[i], view->velocities_before[i]),
                     after = energy_of(view, i, view->bodies->poses[i], view->bodies->velocities[i]);
        out[KINETIC] += after.kinetic, out[POTENTIAL] += after.potential;
        change += after.kinetic - before.kinetic + (after.potential - before.potential);
    }
    for (int k = 0; k < FLOWS; k++) {
        out[FRICTION + k] = work[k] / view->time_step;
        memory[k] += work[k];
    }
    memory[FLOWS] += change + work[0] + work[1] + work[2] - work[3];
    for (int k = 0; k <= FLOWS; k++) out[TOTALS_AT + k] = memory[k];
}

const measurement_kind measurement_energy = {.name = "energy",
                                             .quantities = quantities,
                                             .quantity_count = MEASUREMENT_COUNT_OF(quantities),
                                             .memory = FLOWS + 1,
                                             .asks_before = true,
                                             .asks_work = true,
                                             .every_step = true,
                                             .measure = measure};
