/* The energy of all grains, and what contacts take of it and bodies that are driven give to it.
 *
 * With ū = (u⁻ + u⁺)/2 the mean of a contact's relative velocity before and after the step, the impulse r and
 * the torque's impulse τ change the kinetic energy of the two bodies by r·ū + τ·ω̄ exactly, since
 * ½ V⁺·M V⁺ − ½ V⁻·M V⁻ = V̄·M (V⁺ − V⁻). Of that −r_T·ū_T is lost by friction, −r_N ū_N by impact (which
 * gives back what restitution does; see fall_until_impact) and −τ·ω̄ by rolling and spinning friction; what
 * goes into a static or kinematic body is given by its drive. */
#include "gauge_kinds.h"
#include "collide/parts.h"

#include "rotation.h"

#include "base/vector.h"

#include <math.h>

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

/* Of a body by gravity and loads, m/s². */
static void acceleration_of(const gauge_view *view, int slot, double out[3]) {
    const body_mass mass = view->bodies->masses[slot];
    const vec3s load = view->bodies->constant_loads[slot].force;
    const double push[3] = {(double)load.x, (double)load.y, (double)load.z};
    for (int k = 0; k < 3; k++)
        out[k] =
            mass.mass > 0 ? view->gravity[k] * (double)mass.gravity_scale + push[k] / (double)mass.mass : 0;
}

/* Velocities are those of half a step earlier (constraint/stabilisation.c). A rebound at t within the step,
 * at which c + ũ t + a t²/2 = 0 with ũ = u⁻ + a h/2, meets the surface with u⁻ + a (t + h/2) and leaves it
 * with u⁺ − a (h/2 − t), so that the mean of the two is ū + a t: this is a t, m/s; 0 where nothing leaves, as
 * for an overlap. */
static double fall_until_impact(double gap, double before, double after, double acceleration,
                                double time_step) {
    const double now = before + acceleration * time_step / 2, square = now * now - 2 * acceleration * gap;
    if (!(gap > 0 && now < 0 && after > 0 && square > 0)) return 0;
    return acceleration * fmin(2 * gap / (sqrt(square) - now), time_step);
}

/* Motion with these velocities of a body at a contact, `side` 1 for the first body and −1 for the second: the
 * arm is that of the solve (a sphere's radius along the normal), a belt's surface runs as well. */
static motion motion_at(const gauge_view *view, const body_velocity *velocities, const manifold *of,
                        int point, int side) {
    const body_array *bodies = view->bodies;
    const int slot = side > 0 ? of->a : of->b;
    const part_numbers parts = parts_of(bodies->shapes[of->b], of->part);
    const body_velocity velocity = velocities[slot];
    const body_pose pose = view->poses_before[slot];
    const scree_shape shape = bodies->shapes[slot];
    const vec3s runs = rotate(pose.rotation, vec3_in(bodies->settings[slot].surface_velocity));
    const vec3s flat = glms_vec3_sub(runs, glms_vec3_scale(of->normal, glms_vec3_dot(of->normal, runs)));
    double arm[3], belt[3];
    motion out;
    spread(parts_arm(shape, pose, side > 0 ? parts.a : parts.b, of->points[point].position,
                     glms_vec3_scale(of->normal, (scalar)side)),
           arm);
    spread(velocity.linear, out.linear), spread(velocity.angular, out.angular), spread(flat, belt);
    for (int k = 0; k < 3; k++)
        out.linear[k] += belt[k] + out.angular[(k + 1) % 3] * arm[(k + 2) % 3] -
                         out.angular[(k + 2) % 3] * arm[(k + 1) % 3];
    return out;
}

static motion mean_of(motion a, motion b) {
    for (int k = 0; k < 3; k++)
        a.linear[k] = (a.linear[k] + b.linear[k]) / 2, a.angular[k] = (a.angular[k] + b.angular[k]) / 2;
    return a;
}

static double along(const double n[3], const double a[3], const double b[3]) { return dot(n, b) - dot(n, a); }

/* Adds to friction, impact, rolling and drive what a contact point does, J. */
static void add_point(const gauge_view *view, int i, int k, double *work) {
    const contact_pair *pair = &view->contacts->pairs[i];
    const manifold *of = &pair->manifold;
    const body_velocity *before = view->velocities_before, *after = view->bodies->velocities;
    const motion a_before = motion_at(view, before, of, k, 1), b_before = motion_at(view, before, of, k, -1),
                 a_after = motion_at(view, after, of, k, 1), b_after = motion_at(view, after, of, k, -1),
                 a = mean_of(a_before, a_after), b = mean_of(b_before, b_after);
    double r[3], n[3], turn[3], u[3], w[3], fall_a[3], fall_b[3];
    spread(contact_impulse(view->contacts, i, k), r);
    spread(of->normal, n), spread(pair->torques[k], turn);
    for (int axis = 0; axis < 3; axis++)
        u[axis] = b.linear[axis] - a.linear[axis], w[axis] = b.angular[axis] - a.angular[axis];
    acceleration_of(view, of->a, fall_a), acceleration_of(view, of->b, fall_b);
    const double fall = fall_until_impact(
        (double)of->points[k].gap, along(n, a_before.linear, b_before.linear),
        along(n, a_after.linear, b_after.linear), along(n, fall_a, fall_b), view->time_step);
    const double normal = dot(r, n) * (dot(u, n) + fall);
    work[0] -= dot(r, u) - dot(r, n) * dot(u, n);
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
