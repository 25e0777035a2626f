/* Newton's law relates the velocities of a contact before and after its own impact. If another impact of the
 * step drives two bodies together, their velocity before the step is not that of their approach: a row that
 * stops them at the surface would make this impact inelastic (a smooth elastic gas of 343 spheres at 1 %
 * packing lost 2.4 % of its energy that way in 2000 steps of 2 ms). The solve is therefore repeated with such
 * contacts free in the velocity pass. The position pass holds the bodies at the surface, and they bounce in
 * the next step, at the velocity with which they were driven together.
 *
 * A contact is deferred if the rebounds of other pairs drive it together at a speed s above the restitution
 * speed. The velocity pass then lets it close at s plus its approach before the step, and no faster: with an
 * unlimited row, loads would accelerate bodies that the position pass holds in their places, and a bed would
 * gain energy from its weight in every step. For the same reason s follows from the impulses by which two
 * bodies alone would rebound, not from those of the solve, which include the loads. It must also exceed the
 * velocity that the pair's own impulses gave it in the last step (contact_load_velocity): a pair that
 * holds a load or has just rebounded takes part in the impact. Joints are not considered: bodies that joints
 * make heavier are driven faster than s, and lose the difference. */
#include "deferred_impact.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "contact_point.h"
#include "motion.h"
#include "stabilisation.h"

#include "driven_impact.h"

#include <string.h>

static impact_point point_with(const problem_input *from, const contact_pair *pair, int k,
                               contact_arms arms) {
    const contact_action *at = &contact_actions(from->contacts, pair)[k];
    return (impact_point){.normal = pair->manifold.normal,
                          .arm_a = arms.a,
                          .arm_b = arms.b,
                          .impulse = at->impulse,
                          .bias = at->bias};
}

static impact_point point_at(const problem_input *from, const contact_pair *pair, int k) {
    return point_with(from, pair, k, contact_arms_of(from, pair, contact_point_now(from, pair, k).position));
}

static bool rebounds(const contact_pair *pair, const contact_action *at) {
    return impact_rebounds(
        (impact_point){.normal = pair->manifold.normal, .impulse = at->impulse, .bias = at->bias});
}

typedef struct rebound_loop {
    const contact_set *contacts;
    bool *some;
} rebound_loop;

static void search_rebounds(const void *context, slice part) {
    const rebound_loop loop = *(const rebound_loop *)context;
    bool some = false;
    for (int i = part.first; i < part.end; i++)
        for (int k = 0; k < loop.contacts->pairs[i].manifold.count; k++)
            some = some || rebounds(&loop.contacts->pairs[i],
                                    &contact_actions(loop.contacts, &loop.contacts->pairs[i])[k]);
    if (some) parallel_set(loop.some);
}

static bool some_rebound(const contact_set *contacts, int threads) {
    bool some = false;
    parallel_for(threads, contacts->count, search_rebounds,
                 &(const rebound_loop){.contacts = contacts, .some = &some});
    return some;
}

static body_mobility mobility_in(const problem_input *from, int slot) {
    return mobility_of(from->bodies->poses[slot], from->bodies->masses[slot]);
}

static impact_bodies bodies_of(const problem_input *from, const contact_pair *pair) {
    const int a = pair->manifold.a, b = pair->manifold.b;
    return (impact_bodies){.a = mobility_in(from, a),
                           .b = mobility_in(from, b),
                           .before = {from->bodies->velocities[a], from->bodies->velocities[b]}};
}

/* Adds the rebounds of a pair, times `sign`, to the velocities of its bodies. */
static void add_rebounds(const problem_input *from, const contact_pair *pair, scalar sign, body_velocity *a,
                         body_velocity *b) {
    for (int k = 0; k < pair->manifold.count; k++) {
        if (!rebounds(pair, &contact_actions(from->contacts, pair)[k])) continue;
        const impact_point at = point_at(from, pair, k);
        const impact_bodies of = bodies_of(from, pair);
        const vec3s impulse = glms_vec3_scale(impact_rebound(at, of), sign);
        *a = impact_struck(*a, of.a, at.arm_a, glms_vec3_negate(impulse));
        *b = impact_struck(*b, of.b, at.arm_b, impulse);
    }
}

/* Sums the rebounds of each body, in the order of the contacts. */
static void sum_rebounds(deferred_impact *self, const problem_input *from) {
    const contact_set *contacts = from->contacts;
    memset(self->struck, 0, sizeof *self->struck * (size_t)from->bodies->count);
    for (int i = 0; i < contacts->count; i++) {
        const contact_pair *pair = &contacts->pairs[i];
        add_rebounds(from, pair, 1, &self->struck[pair->manifold.a], &self->struck[pair->manifold.b]);
    }
}

/* Marks a pair if the rebounds of other pairs close a point that does not rebound itself. */
static bool defer(const deferred_impact *self, const problem_input *from, contact_pair *pair) {
    const body_velocity *velocities = from->bodies->velocities;
    const impact_velocities struck = {self->struck[pair->manifold.a], self->struck[pair->manifold.b]},
                            before = {velocities[pair->manifold.a], velocities[pair->manifold.b]};
    impact_velocities others = struck; /* without the pair's own rebounds */
    const scalar least =
        from->options->restitution_speed + scalar_abs(contact_load_velocity(from->bodies, pair));
    add_rebounds(from, pair, -1, &others.a, &others.b);
    pair->deferred = false;
    for (int k = 0; k < pair->manifold.count; k++) {
        contact_action *action = &contact_actions(from->contacts, pair)[k];
        const impact_wait wait = impact_deferred(point_at(from, pair, k), before, struck, others, least);
        if (!wait.waits) continue;
        action->bias = wait.bias;
        pair->deferred = true;
    }
    return pair->deferred;
}

static scalar restitution_of(const problem_input *from, const contact_pair *pair) {
    if (from->alone) return from->alone->restitution;
    const int *materials = from->bodies->materials;
    return material_combine(from->materials, materials[pair->manifold.a], materials[pair->manifold.b])
        .restitution;
}

typedef struct defer_loop {
    contact_set *contacts;
    const problem_input *from;
    int *count;
    deferred_impact *self;
} defer_loop;

static void defer_slice(const void *context, slice part) {
    const defer_loop loop = *(const defer_loop *)context;
    int count = 0;
    for (int i = part.first; i < part.end; i++) {
        contact_pair *pair = &loop.contacts->pairs[i];
        if (pair->deferred || !(restitution_of(loop.from, pair) > 0)) continue;
        count += defer(loop.self, loop.from, pair);
    }
    parallel_add(loop.count, count);
}

scree_result deferred_impact_mark(deferred_impact *self, const problem_input *from, int threads, int *marked,
                                  int *regrown) {
    contact_set *contacts = from->contacts;
    int count = 0;
    *marked = 0;
    if (!material_bounces(from->materials) ||
        !stabilisation_has_position_pass(from->options->stabilisation) ||
        !some_rebound(contacts, parallel_threads(threads, contacts->count)))
        return SCREE_OK;
    TRY(MEMORY_RESERVE(self->struck, self->capacity, from->bodies->count, regrown));
    sum_rebounds(self, from);
    parallel_for(parallel_threads(threads, contacts->count), contacts->count, defer_slice,
                 &(const defer_loop){.contacts = contacts, .from = from, .count = &count, .self = self});
    *marked = count;
    return SCREE_OK;
}

void deferred_impact_release(deferred_impact *self) {
    memory_release(self->struck);
    *self = (deferred_impact){0};
}
