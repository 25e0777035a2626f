/* The energy of all grains, and what contacts take of it and bodies that are driven give to it.
 *
 * With ū = (u⁻ + u⁺)/2 the mean of a contact's relative velocity before and after the step, the impulse r and
 * the torque's impulse τ change the kinetic energy of the two bodies by r·ū + τ·ω̄ exactly, since
 * ½ V⁺·M V⁺ − ½ V⁻·M V⁻ = V̄·M (V⁺ − V⁻). Of that −r_T·ū_T is lost by friction, −r_N ū_N by impact (which
 * gives back what restitution does) and −τ·ω̄ by rolling and spinning friction; what goes into a static or
 * kinematic body is given by its drive. */
#include "gauge_kinds.h"
#include "collide/parts.h"

#include "rotation.h"

#include "base/vector.h"

enum { KINETIC, POTENTIAL, FRICTION, IMPACT, ROLLING, DRIVE, TOTALS_AT, FLOWS = 4, RESIDUE = 10 };

static const gauge_figure figures[] = {
    {"kinetic_energy", "J", false}, {"potential_energy", "J", false},
    {"friction_power", "W", false}, {"impact_power", "W", false},
    {"rolling_power", "W", false},  {"drive_power", "W", false},
    {"friction", "J", true},        {"impact", "J", true},
    {"rolling", "J", true},         {"drive", "J", true},
    {"residue", "J", true},
};
_Static_assert(GAUGE_COUNT_OF(figures) == RESIDUE + 1, "every figure has its place");

typedef struct energy {
    double kinetic, potential; /* J */
} energy;

/* ½ m v² + ½ ω·R I Rᵀ ω and −m s g·x. */
static energy energy_of(const gauge_view *view, int i, body_pose pose, body_velocity velocity) {
    const body_mass mass = view->bodies->masses[i];
    const vec3s v = velocity.linear, x = pose.position, w = rotate_inverse(pose.rotation, velocity.angular);
    const double m = (double)mass.mass, *g = view->gravity;
    return (energy){0.5 * m * ((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z) +
                        0.5 * ((double)mass.inertia.x * w.x * w.x + (double)mass.inertia.y * w.y * w.y +
                               (double)mass.inertia.z * w.z * w.z),
                    -m * (double)mass.gravity_scale *
                        (g[0] * (double)x.x + g[1] * (double)x.y + g[2] * (double)x.z)};
}

typedef struct motion {
    double linear[3], angular[3];
} motion;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void spread(vec3s v, double out[3]) {
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
}

/* Mean motion within the step of body `slot` at a contact, `side` 1 for the first body and −1 for the second:
 * the arm is that of the solve (a sphere's radius along the normal), a belt's surface runs as well. */
static motion mean_motion(const gauge_view *view, const manifold *of, int point, int side) {
    const body_array *bodies = view->bodies;
    const int slot = side > 0 ? of->a : of->b;
    const part_numbers parts = parts_of(bodies->shapes[of->b], of->part);
    const body_velocity before = view->velocities_before[slot], after = bodies->velocities[slot];
    const body_pose pose = view->poses_before[slot];
    const scree_shape shape = bodies->shapes[slot];
    const vec3s runs = rotate(pose.rotation, vec3_in(bodies->settings[slot].surface_velocity));
    const vec3s flat = glms_vec3_sub(runs, glms_vec3_scale(of->normal, glms_vec3_dot(of->normal, runs)));
    double a[3], b[3], arm[3], belt[3];
    motion out;
    spread(parts_arm(shape, pose, side > 0 ? parts.a : parts.b, of->points[point].position,
                     glms_vec3_scale(of->normal, (scalar)side)),
           arm);
    spread(before.linear, a), spread(after.linear, b), spread(flat, belt);
    for (int k = 0; k < 3; k++) out.linear[k] = (a[k] + b[k]) / 2 + belt[k];
    spread(before.angular, a), spread(after.angular, b);
    for (int k = 0; k < 3; k++) out.angular[k] = (a[k] + b[k]) / 2;
    for (int k = 0; k < 3; k++)
        out.linear[k] +=
            out.angular[(k + 1) % 3] * arm[(k + 2) % 3] - out.angular[(k + 2) % 3] * arm[(k + 1) % 3];
    return out;
}

/* Adds to friction, impact, rolling and drive what a contact point does, J. */
static void add_point(const gauge_view *view, int i, int k, double *work) {
    const contact_pair *pair = &view->contacts->pairs[i];
    const manifold *of = &pair->manifold;
    const motion a = mean_motion(view, of, k, 1), b = mean_motion(view, of, k, -1);
    double r[3], n[3], turn[3], u[3], w[3];
    spread(contact_impulse(view->contacts, i, k), r);
    spread(of->normal, n), spread(pair->torques[k], turn);
    for (int axis = 0; axis < 3; axis++)
        u[axis] = b.linear[axis] - a.linear[axis], w[axis] = b.angular[axis] - a.angular[axis];
    const double normal = dot(r, n) * dot(u, n);
    work[0] -= dot(r, u) - normal;
    work[1] -= normal;
    work[2] -= dot(turn, w);
    if (!body_is_dynamic(view->bodies, of->a)) work[3] += dot(r, a.linear) + dot(turn, a.angular);
    if (!body_is_dynamic(view->bodies, of->b)) work[3] -= dot(r, b.linear) + dot(turn, b.angular);
}

static void measure(const gauge_view *view, const gauge *self, double *memory, double *out) {
    double work[FLOWS] = {0}, change = 0;
    (void)self;
    out[KINETIC] = out[POTENTIAL] = 0;
    for (int i = 0; i < view->bodies->count; i++) {
        if (!body_is_dynamic(view->bodies, i)) continue;
        const energy before = energy_of(view, i, view->poses_before[i], view->velocities_before[i]),
                     after = energy_of(view, i, view->bodies->poses[i], view->bodies->velocities[i]);
        out[KINETIC] += after.kinetic, out[POTENTIAL] += after.potential;
        change += after.kinetic - before.kinetic + (after.potential - before.potential);
    }
    for (int i = 0; i < view->contacts->count; i++)
        for (int k = 0; k < view->contacts->pairs[i].manifold.count; k++) add_point(view, i, k, work);
    for (int k = 0; k < FLOWS; k++) {
        out[FRICTION + k] = work[k] / view->time_step;
        memory[k] += work[k];
    }
    memory[FLOWS] += change + work[0] + work[1] + work[2] - work[3];
    for (int k = 0; k <= FLOWS; k++) out[TOTALS_AT + k] = memory[k];
}

const gauge_kind gauge_energy = {.name = "energy",
                                 .figures = figures,
                                 .figure_count = GAUGE_COUNT_OF(figures),
                                 .memory = FLOWS + 1,
                                 .asks_before = true,
                                 .every_step = true,
                                 .measure = measure};
