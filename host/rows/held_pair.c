#include "held_pair.h"

#include "base/parallel.h"
#include "geometry/shape.h"
#include "motion.h"
#include "rotation.h"
#include "stabilisation.h"

/* Two balls that cohesion holds together in this step. */
typedef struct held_balls {
    bool held;     /* false: another pair */
    bool near;     /* whether the balls are at most the smaller radius from touching, on either side */
    vec3s centre;  /* of a, m */
    vec3s between; /* from there to the centre of b, m */
    scalar distance, radius_a, radii;
} held_balls;

static bool is_held(const contact_set *contacts, const contact_pair *contact, int i) {
    return contacts->cohesive && contacts->cohesive_impulses[contact - contacts->pairs].of_point[i] > 0;
}

bool held_pair_holds(const contact_set *contacts, const contact_pair *contact) {
    return is_held(contacts, contact, 0);
}

static held_balls balls_of(const contact_set *contacts, const body_array *bodies, const contact_pair *contact,
                           int i) {
    const contact_manifold *of = &contact->manifold;
    held_balls out = {.held = false};
    if (!is_held(contacts, contact, i)) return out;
    const scree_shape a = body_collision_shape(bodies, of->a), b = body_collision_shape(bodies, of->b);
    if (!shape_is_ball(a) || !shape_is_ball(b)) return out;
    out.held = true;
    out.centre = bodies->poses[of->a].position;
    out.between = glms_vec3_sub(body_image_pose(bodies, of->b, of->image).position, out.centre);
    out.distance = glms_vec3_norm(out.between);
    out.radius_a = a.size.x, out.radii = a.size.x + b.size.x;
    out.near = scalar_abs(out.distance - out.radii) <= scalar_min(a.size.x, b.size.x);
    return out;
}

bool held_pair_follows(const problem_input *from, const contact_pair *contact, int i) {
    return balls_of(from->contacts, from->bodies, contact, i).held;
}

/* Returns v, turned as the unit vector `from` turns to `to` about the axis normal to both. */
static vec3s turned_with(vec3s from, vec3s to, vec3s v) {
    const vec3s axis = glms_vec3_cross(from, to);
    return rotate(rotation_normalised(versor_of(axis.x, axis.y, axis.z, 1 + glms_vec3_dot(from, to))), v);
}

/* Impulses along another line than that between the centres have a moment on the pair. With the normal of the
 * start of the step, substeps take 12 to 40 % of the angular momentum in a second; with that of the closest
 * approach, which detection finds, agglomerates change it by 10 %. Balls that pass each other keep the
 * normal, which is then far from that line: beyond the half turn at which bends begin to end
 * (contact_bend.c). */
static const scalar COS_PASSING = 0.968f; /* cos(0.5 rad/2) */

static void follow(contact_set *contacts, const body_array *bodies, contact_pair *contact) {
    const held_balls balls = balls_of(contacts, bodies, contact, 0);
    if (!balls.held) return;
    manifold_point *at = contact_places(contacts, contact);
    contact_action *action = contact_actions(contacts, contact);
    const vec3s before = contact->manifold.normal;
    if (balls.near && glms_vec3_dot(balls.between, before) > COS_PASSING * balls.distance) {
        contact->manifold.normal = glms_vec3_scale(balls.between, 1 / balls.distance);
        action->impulse = turned_with(before, contact->manifold.normal, action->impulse);
    }
    const vec3s normal = contact->manifold.normal;
    at->gap = glms_vec3_dot(normal, balls.between) - balls.radii;
    at->position =
        glms_vec3_add(balls.centre, glms_vec3_scale(normal, balls.radius_a + (scalar)0.5 * at->gap));
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

/* Pushes of the position pass move the centres of two bodies along the normal. If they turn about each other
 * at the relative velocity v, that changes their angular momentum by h p n × v, for the push p. Returns the
 * impulse on the centre of b that takes the change back. */
static vec3s settling_impulse(vec3s normal, vec3s between, vec3s relative, scalar push, scalar time_step) {
    const vec3s change = glms_vec3_scale(glms_vec3_cross(normal, relative), time_step * push);
    return glms_vec3_scale(glms_vec3_cross(between, change), 1 / glms_vec3_norm2(between));
}

static void push_centre(body_velocity *velocity, body_mobility mobility, vec3s impulse) {
    velocity->linear = glms_vec3_add(velocity->linear, glms_vec3_mul(mobility.inverse_mass, impulse));
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

static void settle(const problem_input *from, const contact_pair *contact, const body_pose *after,
                   body_velocity *velocities) {
    const scalar push = push_of(from->contacts, contact);
    if (!(push > 0) || !is_settled(from, contact)) return;
    const contact_manifold *of = &contact->manifold;
    const body_array *bodies = from->bodies;
    const vec3s start = glms_vec3_sub(body_image_pose(bodies, of->b, of->image).position,
                                      bodies->poses[of->b].position),
                between = glms_vec3_add(glms_vec3_sub(after[of->b].position, after[of->a].position), start);
    if (!(glms_vec3_norm2(between) > 0)) return; /* no line between the centres */
    const vec3s relative = glms_vec3_sub(velocities[of->b].linear, velocities[of->a].linear),
                impulse = settling_impulse(of->normal, between, relative, push, from->motion.time_step);
    push_centre(&velocities[of->a], mobility_of(bodies->poses[of->a], bodies->masses[of->a]),
                glms_vec3_negate(impulse));
    push_centre(&velocities[of->b], mobility_of(bodies->poses[of->b], bodies->masses[of->b]), impulse);
}

void held_pairs_settle(const problem_input *from, const body_pose *after, body_velocity *velocities) {
    if (!from->contacts->cohesive || !stabilisation_has_position_pass(from->options->stabilisation)) return;
    for (int i = 0; i < from->contacts->count; i++)
        settle(from, &from->contacts->pairs[i], after, velocities);
}
