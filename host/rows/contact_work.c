/* Let ū = (u⁻ + u⁺)/2 be the mean of a contact's relative velocity before and after the step. The impulse r
 * and the angular impulse τ change the kinetic energy of the two bodies by exactly r·ū + τ·ω̄, since ½ V⁺·M
 * V⁺ − ½ V⁻·M V⁻ = V̄·M (V⁺ − V⁻). Friction loses −r_T·ū_T, impact loses −r_N ū_N (less the energy
 * returned by restitution; see work_fall in kernels/point_work.h), and rolling and spinning friction lose
 * −τ·ω̄. The drive of a static or kinematic body supplies the work done on it. */
#include "contact_work.h"

#include "base/parallel.h"
#include "base/vector.h"
#include "contact_point.h"

#include "point_work.h"

/* Returns a body of a contact with its motion before the step and after. */
static work_body body_of(const problem_input *from, const body_velocity *later, int slot, vec3s arm) {
    const body_array *bodies = from->bodies;
    return (work_body){.before = bodies->velocities[slot],
                       .after = later[slot],
                       .rotation = bodies->poses[slot].rotation,
                       .surface_velocity = vec3_in(bodies->settings[slot].surface_velocity),
                       .arm = arm,
                       .force = bodies->loads[slot].force,
                       .gravity = from->motion.gravity,
                       .mass = bodies->masses[slot].mass,
                       .gravity_scale = bodies->masses[slot].gravity_scale,
                       .dynamic = body_is_dynamic(bodies, slot)};
}

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
                      work_terms *work) {
    const contact_pair *pair = &from->contacts->pairs[i];
    const contact_manifold *of = &pair->manifold;
    const manifold_point point = contact_point_now(from, pair, k);
    const contact_arms arms = contact_arms_of(from, pair, point.position);
    const work_point at = {.normal = of->normal,
                           .impulse = impulse_of(from, i, k, fraction),
                           .torque = contact_torque(from->contacts, pair, k),
                           .gap = point.gap,
                           .time_step = (double)from->motion.time_step};
    const work_terms more =
        work_of_point(at, body_of(from, later, of->a, arms.a), body_of(from, later, of->b, arms.b));
    for (int n = 0; n < WORK_NUMBERS; n++) work->of[n] = work_added(work->of[n], more.of[n], n);
}

typedef struct work_loop {
    const problem_input *from;
    const body_velocity *after;
    double fraction;
    work_terms *works;
} work_loop;

static void work_slices(const void *context, slice part) {
    const work_loop loop = *(const work_loop *)context;
    for (int number = part.first; number < part.end; number++) {
        const slice pairs = slice_of(loop.from->contacts->count, number, WORK_SLICES);
        for (int i = pairs.first; i < pairs.end; i++)
            for (int k = 0; k < loop.from->contacts->pairs[i].manifold.count; k++)
                add_point(loop.from, loop.after, i, k, loop.fraction, &loop.works[number]);
    }
}

void contact_work_sum(const work_terms *works, contact_work *sum) {
    for (int number = 0; number < WORK_SLICES; number++) {
        sum->friction += works[number].of[0];
        sum->impact += works[number].of[1];
        sum->rolling += works[number].of[2];
        sum->drive += works[number].of[3];
    }
}

void contact_work_add(const problem_input *from, const body_velocity *after, double fraction, int threads,
                      contact_work *sum) {
    work_terms works[WORK_SLICES] = {{{0}}};
    parallel_for(parallel_threads(threads, from->contacts->count), WORK_SLICES, work_slices,
                 &(const work_loop){.from = from, .after = after, .fraction = fraction, .works = works});
    contact_work_sum(works, sum);
}
