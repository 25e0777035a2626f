#include "held_pair.h"

#include "base/parallel.h"
#include "geometry/shape.h"
#include "bound_pair.h"

static bool is_held(const contact_set *contacts, const contact_pair *contact, int i) {
    return contacts->cohesive && contacts->cohesive_impulses[contact - contacts->pairs].of_point[i] > 0;
}

bool held_pair_holds(const contact_set *contacts, const contact_pair *contact) {
    return is_held(contacts, contact, 0);
}

bool held_pair_follows(const problem_input *from, const contact_pair *contact, int i) {
    const contact_manifold *of = &contact->manifold;
    return is_held(from->contacts, contact, i) && shape_is_ball(body_collision_shape(from->bodies, of->a)) &&
           shape_is_ball(body_collision_shape(from->bodies, of->b));
}

static void follow(contact_set *contacts, const body_array *bodies, contact_pair *contact) {
    const problem_input from = {.contacts = contacts, .bodies = bodies};
    contact_manifold *of = &contact->manifold;
    if (!held_pair_follows(&from, contact, 0)) return;
    manifold_point *at = contact_places(contacts, contact);
    contact_action *action = contact_actions(contacts, contact);
    const held_contact now = held_contact_of(
        held_balls_of(bodies->poses[of->a].position, bodies->shapes[of->a].size.x,
                      body_image_pose(bodies, of->b, of->image).position, bodies->shapes[of->b].size.x),
        of->normal, action->impulse);
    of->normal = now.normal, action->impulse = now.impulse;
    at->position = now.position, at->gap = now.gap;
}

typedef struct follow_loop {
    contact_set *contacts;
    const body_array *bodies;
} follow_loop;

static void follow_slice(const void *context, slice part) {
    const follow_loop *loop = context;
    for (int i = part.first; i < part.end; i++)
        follow(loop->contacts, loop->bodies, &loop->contacts->pairs[i]);
}

void held_pairs_follow(contact_set *contacts, const body_array *bodies, int threads) {
    if (!contacts->cohesive) return;
    contacts->copy = 0;
    parallel_for(parallel_threads(threads, contacts->count), contacts->count, follow_slice,
                 &(const follow_loop){contacts, bodies});
}

/* Bodies without mass take none. */
static void push_centre(body_velocity *velocity, body_pose pose, body_mass mass, vec3s impulse) {
    if (mass.mass > 0)
        velocity->linear =
            glms_vec3_add(velocity->linear, glms_vec3_mul(mobility_of(pose, mass).inverse_mass, impulse));
}

static scalar push_of(const contact_set *contacts, const contact_pair *contact) {
    scalar sum = 0;
    for (int i = 0; i < contact->manifold.count; i++) sum += contact_actions(contacts, contact)[i].push;
    return sum;
}

/* Returns whether the angular momentum of a bound pair is its own: what binds it to a floor depends on no
 * line between centres. */
static bool is_settled(const problem_input *from, const contact_pair *contact) {
    const contact_manifold *of = &contact->manifold;
    return held_pair_follows(from, contact, 0) ||
           (held_pair_holds(from->contacts, contact) && body_is_dynamic(from->bodies, of->a) &&
            body_is_dynamic(from->bodies, of->b));
}

/* Returns the impulse on the centre of b that takes back what the pushes gave to a pair; zero for others. */
static vec3s impulse_of(const problem_input *from, const contact_pair *contact, const body_pose *after,
                        const body_velocity *velocities) {
    const scalar push = push_of(from->contacts, contact);
    if (!(push > 0) || !is_settled(from, contact)) return glms_vec3_zero();
    const contact_manifold *of = &contact->manifold;
    const body_array *bodies = from->bodies;
    const vec3s start = glms_vec3_sub(body_image_pose(bodies, of->b, of->image).position,
                                      bodies->poses[of->b].position),
                between = glms_vec3_add(glms_vec3_sub(after[of->b].position, after[of->a].position), start);
    if (!(glms_vec3_norm2(between) > 0)) return glms_vec3_zero(); /* no line between the centres */
    return settling_impulse(of->normal, between,
                            glms_vec3_sub(velocities[of->b].linear, velocities[of->a].linear), push,
                            from->motion.time_step);
}

typedef struct settle_loop {
    const problem_input *from;
    const body_pose *after;
    const body_velocity *velocities;
    vec3s *impulses;
} settle_loop;

static void find_impulses(const void *context, slice part) {
    const settle_loop loop = *(const settle_loop *)context;
    for (int i = part.first; i < part.end; i++)
        loop.impulses[i] = impulse_of(loop.from, &loop.from->contacts->pairs[i], loop.after, loop.velocities);
}

static void apply(const problem_input *from, const contact_manifold *of, vec3s impulse,
                  body_velocity *velocities) {
    const body_array *bodies = from->bodies;
    if (impulse.x == 0 && impulse.y == 0 && impulse.z == 0) return;
    push_centre(&velocities[of->a], bodies->poses[of->a], bodies->masses[of->a], glms_vec3_negate(impulse));
    push_centre(&velocities[of->b], bodies->poses[of->b], bodies->masses[of->b], impulse);
}

void held_pairs_settle(const problem_input *from, const body_pose *after, int threads, vec3s *impulses,
                       body_velocity *velocities) {
    const int count = from->contacts->count;
    parallel_for(parallel_threads(threads, count), count, find_impulses,
                 &(const settle_loop){from, after, velocities, impulses});
    for (int i = 0; i < count; i++) apply(from, &from->contacts->pairs[i].manifold, impulses[i], velocities);
}
