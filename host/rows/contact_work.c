/* Let ū = (u⁻ + u⁺)/2 be the mean of a contact's relative velocity before and after the step. The impulse r
 * and the angular impulse τ change the kinetic energy of the two bodies by exactly r·ū + τ·ω̄, since ½ V⁺·M
 * V⁺ − ½ V⁻·M V⁻ = V̄·M (V⁺ − V⁻). Friction loses −r_T·ū_T, impact loses −r_N ū_N (less the energy
 * returned by restitution; see fall_until_impact), and rolling and spinning friction lose −τ·ω̄. The drive of
 * a static or kinematic body supplies the work done on it. */
#include "contact_work.h"

#include "base/parallel.h"
#include "base/vector.h"
#include "contact_point.h"
#include "rotation.h"

#include <math.h>

typedef struct motion {
    double linear[3], angular[3];
} motion;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Acceleration by gravity and loads, m/s². */
static void acceleration_of(const problem_input *from, int slot, double out[3]) {
    const body_mass mass = from->bodies->masses[slot];
    double push[3], gravity[3];
    vec3_to_doubles(from->bodies->loads[slot].force, push);
    vec3_to_doubles(from->motion.gravity, gravity);
    for (int k = 0; k < 3; k++)
        out[k] = mass.mass > 0 ? gravity[k] * (double)mass.gravity_scale + push[k] / (double)mass.mass : 0;
}

/* Velocities belong to a time half a step earlier (kernels/normal_row.h). A rebound at t within the
 * step, with c + ũ t + a t²/2 = 0 and ũ = u⁻ + a h/2, reaches the surface with u⁻ + a (t + h/2) and leaves it
 * with u⁺ − a (h/2 − t), so that the mean of the two is ū + a t. Returns a t, m/s; 0 if the contact does not
 * separate or overlaps. */
static double fall_until_impact(double gap, double before, double after, double acceleration,
                                double time_step) {
    const double now = before + acceleration * time_step / 2, square = now * now - 2 * acceleration * gap;
    if (!(gap > 0 && now < 0 && after > 0 && square > 0)) return 0;
    return acceleration * fmin(2 * gap / (sqrt(square) - now), time_step);
}

/* Returns the motion of a body at a contact for the given velocities, including the surface velocity of a
 * belt. */
static motion motion_at(const problem_input *from, const body_velocity *velocities,
                        const contact_manifold *of, int slot, vec3s arm) {
    const body_array *bodies = from->bodies;
    const vec3s n = of->normal,
                runs = rotate(bodies->poses[slot].rotation, vec3_in(bodies->settings[slot].surface_velocity)),
                flat = glms_vec3_sub(runs, glms_vec3_scale(n, glms_vec3_dot(n, runs)));
    double to[3], belt[3];
    motion out;
    vec3_to_doubles(arm, to);
    vec3_to_doubles(flat, belt);
    vec3_to_doubles(velocities[slot].linear, out.linear);
    vec3_to_doubles(velocities[slot].angular, out.angular);
    for (int k = 0; k < 3; k++)
        out.linear[k] +=
            belt[k] + out.angular[(k + 1) % 3] * to[(k + 2) % 3] - out.angular[(k + 2) % 3] * to[(k + 1) % 3];
    return out;
}

static motion mean_of(motion a, motion b) {
    for (int k = 0; k < 3; k++) {
        a.linear[k] = (a.linear[k] + b.linear[k]) / 2;
        a.angular[k] = (a.angular[k] + b.angular[k]) / 2;
    }
    return a;
}

static double along(const double n[3], const double a[3], const double b[3]) { return dot(n, b) - dot(n, a); }

/* Returns the impulse of point `point` of pair i on b, N s, cohesion included. `pulls` are those of the whole
 * step. */
static vec3s impulse_of(const problem_input *from, int i, int point, double fraction) {
    const contact_set *contacts = from->contacts;
    const contact_pair *pair = &contacts->pairs[i];
    const scalar pull =
        contacts->cohesive ? (scalar)fraction * contacts->cohesive_impulses[i].of_point[point] : 0;
    return glms_vec3_sub(contact_actions(contacts, pair)[point].impulse,
                         glms_vec3_scale(pair->manifold.normal, pull));
}

/* Adds the work of point k of pair i. `fraction` is that of the step's impulses. */
static void add_point(const problem_input *from, const body_velocity *later, int i, int k, double fraction,
                      contact_work *work) {
    const contact_pair *pair = &from->contacts->pairs[i];
    const contact_manifold *of = &pair->manifold;
    const body_velocity *earlier = from->bodies->velocities;
    const manifold_point point = contact_point_now(from, pair, k);
    const contact_arms arms = contact_arms_of(from, pair, point.position);
    const motion a_before = motion_at(from, earlier, of, of->a, arms.a),
                 b_before = motion_at(from, earlier, of, of->b, arms.b),
                 a_after = motion_at(from, later, of, of->a, arms.a),
                 b_after = motion_at(from, later, of, of->b, arms.b), a = mean_of(a_before, a_after),
                 b = mean_of(b_before, b_after);
    double r[3], n[3], turn[3], u[3], w[3], fall_a[3], fall_b[3];
    vec3_to_doubles(impulse_of(from, i, k, fraction), r);
    vec3_to_doubles(of->normal, n);
    vec3_to_doubles(contact_torque(from->contacts, pair, k), turn);
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = b.linear[axis] - a.linear[axis];
        w[axis] = b.angular[axis] - a.angular[axis];
    }
    acceleration_of(from, of->a, fall_a);
    acceleration_of(from, of->b, fall_b);
    const double fall = fall_until_impact((double)point.gap, along(n, a_before.linear, b_before.linear),
                                          along(n, a_after.linear, b_after.linear), along(n, fall_a, fall_b),
                                          (double)from->motion.time_step);
    work->friction -= dot(r, u) - dot(r, n) * dot(u, n);
    work->impact -= dot(r, n) * (dot(u, n) + fall);
    work->rolling -= dot(turn, w);
    if (!body_is_dynamic(from->bodies, of->a)) work->drive += dot(r, a.linear) + dot(turn, a.angular);
    if (!body_is_dynamic(from->bodies, of->b)) work->drive -= dot(r, b.linear) + dot(turn, b.angular);
}

typedef struct work_loop {
    const problem_input *from;
    const body_velocity *after;
    double fraction;
    contact_work *works;
} work_loop;

static void work_slices(const void *context, slice part) {
    const work_loop loop = *(const work_loop *)context;
    for (int number = part.first; number < part.end; number++) {
        const slice pairs = slice_of(loop.from->contacts->count, number, PARALLEL_SLICES);
        for (int i = pairs.first; i < pairs.end; i++)
            for (int k = 0; k < loop.from->contacts->pairs[i].manifold.count; k++)
                add_point(loop.from, loop.after, i, k, loop.fraction, &loop.works[number]);
    }
}

void contact_work_add(const problem_input *from, const body_velocity *after, double fraction, int threads,
                      contact_work *sum) {
    contact_work works[PARALLEL_SLICES] = {{0}};
    parallel_for(parallel_threads(threads, from->contacts->count), PARALLEL_SLICES, work_slices,
                 &(const work_loop){.from = from, .after = after, .fraction = fraction, .works = works});
    for (int number = 0; number < PARALLEL_SLICES; number++) {
        sum->friction += works[number].friction;
        sum->impact += works[number].impact;
        sum->rolling += works[number].rolling;
        sum->drive += works[number].drive;
    }
}
