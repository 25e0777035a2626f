#include "contact_point.h"
#include "held_pair.h"

#include "base/vector.h"
#include "geometry/children.h"
#include "rotation.h"
#include "support.h"

/* The place of a contact on one of its bodies. */
typedef struct touched_place {
    vec3s position;
    /* 0: a point that the body carries along, 1: the point of a round surface towards the other body */
    scalar round;
    vec3s axis;    /* about which the body is round; 0 if it is so about any or none */
    scalar radius; /* about its centre, m; INFINITY: not dynamic */
} touched_place;

/* Returns the point between a and b at the share of the way from a. */
static vec3s mixed(vec3s a, vec3s b, scalar share) {
    return glms_vec3_add(glms_vec3_scale(a, 1 - share), glms_vec3_scale(b, share));
}

/* Returns v minus its part along a unit vector, with the length 1, or 0 if nothing is left. */
static vec3s unit_across(vec3s along, vec3s v) {
    const vec3s across = glms_vec3_sub(v, glms_vec3_scale(along, glms_vec3_dot(along, v)));
    const scalar length = glms_vec3_norm(across);
    return length > 0 ? glms_vec3_scale(across, 1 / length) : glms_vec3_zero();
}

/* Returns the arm to the place on a surface that is round about an axis, which was `was` and is `is`: its
 * components along the axis, along the normal across the axis, and across both do not change. */
static vec3s rolled_arm(vec3s was, vec3s is, vec3s normal, vec3s arm) {
    const vec3s from = unit_across(was, normal), to = unit_across(is, normal);
    const vec3s along = glms_vec3_scale(is, glms_vec3_dot(was, arm)),
                outward = glms_vec3_scale(to, glms_vec3_dot(from, arm)),
                aside =
                    glms_vec3_scale(glms_vec3_cross(is, to), glms_vec3_dot(glms_vec3_cross(was, from), arm));
    return glms_vec3_add(along, glms_vec3_add(outward, aside));
}

static bool is_about_axis(scree_shape shape) {
    return shape.kind == SCREE_SHAPE_CYLINDER || shape.kind == SCREE_SHAPE_CONE ||
           shape.kind == SCREE_SHAPE_CAPSULE;
}

/* Returns whether a body does not always carry the place of a contact along. */
static bool is_round(scree_shape shape) {
    return shape_is_ball(shape) || shape.kind == SCREE_SHAPE_ELLIPSOID || is_about_axis(shape);
}

/* Returns the share to which the place of a contact is on the round side of a body whose axis was `was` and
 * is `is`. On the rim of a flat face, that place is undefined as the axis approaches the normal: at 1.8
 * degrees between them, the body half carries the place along. At 6 degrees, a coin that spins at that lean
 * would lose all energy in two seconds of steps of 1 ms, at 1.8 degrees it keeps 0.79. */
static scalar roundness(scree_shape shape, vec3s was, vec3s is, vec3s normal) {
    if (!is_about_axis(shape)) return is_round(shape);
    const scalar square = scalar_min(glms_vec3_norm2(glms_vec3_cross(was, normal)),
                                     glms_vec3_norm2(glms_vec3_cross(is, normal))),
                 fourth = square * square;
    return fourth / (fourth + (scalar)1e-6);
}

/* Returns the arm to the farthest point of an ellipsoid in a direction. */
static vec3s farthest_arm(const placed_child *of, vec3s direction) {
    const convex_core core = {.size = vec3_in(of->shape.size)};
    return rotate(of->pose.rotation, ellipsoid_farthest(core, rotate_inverse(of->pose.rotation, direction)));
}

/* Returns the arm to the place of a contact on a child that was and is at these poses, from the arm when
 * contacts were found. */
static vec3s moved_arm(const placed_child *was, const placed_child *is, vec3s normal, scalar round,
                       vec3s arm) {
    const vec3s z = vec3_of(0, 0, 1),
                outward = glms_vec3_dot(normal, arm) < 0 ? glms_vec3_negate(normal) : normal;
    if (shape_is_ball(is->shape)) return arm;
    if (is->shape.kind == SCREE_SHAPE_ELLIPSOID)
        return glms_vec3_add(arm, glms_vec3_sub(farthest_arm(is, outward), farthest_arm(was, outward)));
    const vec3s carried = rotate(is->pose.rotation, rotate_inverse(was->pose.rotation, arm));
    if (!(round > 0)) return carried;
    return mixed(carried,
                 rolled_arm(rotate(was->pose.rotation, z), rotate(is->pose.rotation, z), normal, arm), round);
}

/* A body that has moved. */
typedef struct moved_body {
    int slot;
    body_pose was, is;
} moved_body;

/* Returns the radius of a body about its centre, m; INFINITY if it is not dynamic. */
static scalar reach_of(const body_array *bodies, int slot) {
    return body_is_dynamic(bodies, slot) ? (scalar)scree_shape_get_radius(body_collision_shape(bodies, slot))
                                         : INFINITY;
}

/* Returns the place on a moved body of the contact that was at `point` of a child. A ball and a round body do
 * not carry the point along as they roll: with one corner a step, they would roll as polygons. */
static touched_place moved_place(const problem_input *from, moved_body body, int part, vec3s normal,
                                 vec3s point) {
    const body_array *bodies = from->bodies;
    const scree_shape shape = body_collision_shape(bodies, body.slot);
    const placed_child before = children_place(shape, body.was, part),
                       now = children_place(shape, body.is, part);
    const vec3s z = vec3_of(0, 0, 1), axis = rotate(now.pose.rotation, z);
    const scalar round = roundness(now.shape, rotate(before.pose.rotation, z), axis, normal);
    const bool any_axis = round == 0 || shape_is_ball(now.shape) || now.shape.kind == SCREE_SHAPE_ELLIPSOID;
    const vec3s arm = glms_vec3_sub(point, before.pose.position);
    return (touched_place){.position =
                               glms_vec3_add(now.pose.position, moved_arm(&before, &now, normal, round, arm)),
                           .round = round,
                           .axis = any_axis ? glms_vec3_zero() : axis,
                           .radius = reach_of(bodies, body.slot)};
}

/* Returns a body that has moved since detection. */
static moved_body since_detection(const problem_input *from, int slot, int image) {
    return (moved_body){slot, period_pose(&from->bodies->period, from->collided[slot], image),
                        body_image_pose(from->bodies, slot, image)};
}

/* Returns the share of the way from a to b. */
static scalar share_of(scalar radius_a, scalar radius_b) {
    if (isinf(radius_a) && isinf(radius_b)) return (scalar)0.5;
    const scalar ratio = radius_a < radius_b ? radius_a / radius_b : radius_b / radius_a,
                 larger = ratio * ratio / (1 + ratio * ratio);
    return radius_a < radius_b ? larger : 1 - larger;
}

/* Returns the place of a contact from those on both bodies. A body that slides leaves the place that the
 * other carries behind. The mean of both would lag by h v/2, more than a small body is wide, so the weights
 * are the inverse squares of the radii, and 0 for a body that is not dynamic. Other surfaces move on under a
 * round one, across its axis. */
static vec3s place_between(touched_place a, touched_place b) {
    const vec3s common = mixed(a.position, b.position, share_of(a.radius, b.radius));
    const touched_place *rounder = a.round > b.round ? &a : &b;
    const vec3s way = glms_vec3_sub(rounder->position, common),
                across =
                    glms_vec3_sub(way, glms_vec3_scale(rounder->axis, glms_vec3_dot(rounder->axis, way)));
    return glms_vec3_add(common, glms_vec3_scale(across, scalar_abs(a.round - b.round)));
}

manifold_point contact_point_moved(const problem_input *from, const contact_pair *contact, int i) {
    const contact_manifold *pair = &contact->manifold;
    manifold_point point = contact_places(from->contacts, contact)[i];
    if (held_pair_follows(from, contact, i)) return point;
    const child_numbers parts = children_of(body_collision_shape(from->bodies, pair->b), pair->children);
    const touched_place a = moved_place(from, since_detection(from, pair->a, 0), parts.a, pair->normal,
                                        point.position),
                        b = moved_place(from, since_detection(from, pair->b, pair->image), parts.b,
                                        pair->normal, point.position);
    point.gap += glms_vec3_dot(pair->normal, glms_vec3_sub(b.position, a.position));
    point.position = place_between(a, b);
    return point;
}

/* Returns whether an arm leads to the line or point of a round surface that is farthest along ±n, to within
 * 1e-5 of its cosine. Detection finds that place, and points of the rim, which the body carries along. A disk
 * that spins at 30 degrees loses 3 % in 3 s of steps of 1 ms with this, 9 % if all points of the rim roll,
 * and 24 % if none does; with 1e-3, 4.6 %. */
static bool is_farthest(vec3s axis, vec3s normal, vec3s arm) {
    const vec3s flat = glms_vec3_sub(arm, glms_vec3_scale(axis, glms_vec3_dot(axis, arm)));
    const scalar along = glms_vec3_dot(unit_across(axis, normal), flat);
    return along * along >= (1 - (scalar)1e-5) * glms_vec3_norm2(flat);
}

contact_arms contact_arms_joined(const body_array *bodies, const contact_pair *contact, contact_arms arms) {
    const contact_manifold *of = &contact->manifold;
    const vec3s between = glms_vec3_sub(body_image_pose(bodies, of->b, of->image).position,
                                        bodies->poses[of->a].position),
                apart = glms_vec3_add(between, glms_vec3_sub(arms.b, arms.a)),
                half = glms_vec3_scale(of->normal, glms_vec3_dot(of->normal, apart) / 2);
    if (body_is_dynamic(bodies, of->b) &&
        (!body_is_dynamic(bodies, of->a) || shape_is_ball(bodies->shapes[of->b]))) {
        const vec3s arm = glms_vec3_sub(arms.b, half);
        return (contact_arms){glms_vec3_add(between, arm), arm};
    }
    const vec3s arm = glms_vec3_add(arms.a, half);
    return (contact_arms){arm, glms_vec3_sub(arm, between)};
}

bool contact_place_is_carried(const problem_input *from, int slot) {
    const scree_shape shape = body_collision_shape(from->bodies, slot);
    return !shape_has_children(shape) && !is_round(shape);
}

vec3s contact_arm_turned(const problem_input *from, const contact_pair *contact, bool second, vec3s arm,
                         versors turn) {
    const contact_manifold *pair = &contact->manifold;
    const int slot = second ? pair->b : pair->a;
    const child_numbers parts = children_of(body_collision_shape(from->bodies, pair->b), pair->children);
    const scree_shape shape = body_collision_shape(from->bodies, slot);
    const int part = second ? parts.b : parts.a;
    const body_pose was = {.position = glms_vec3_zero(), .rotation = from->bodies->poses[slot].rotation},
                    is = {.position = was.position, .rotation = rotation_product(turn, was.rotation)};
    const placed_child before = children_place(shape, was, part), now = children_place(shape, is, part);
    const vec3s z = vec3_of(0, 0, 1), axis = rotate(before.pose.rotation, z),
                own = glms_vec3_sub(arm, before.pose.position);
    const bool rolls = !is_about_axis(now.shape) || is_farthest(axis, pair->normal, own);
    const scalar round = rolls ? roundness(now.shape, axis, rotate(now.pose.rotation, z), pair->normal) : 0;
    return glms_vec3_add(now.pose.position, moved_arm(&before, &now, pair->normal, round, own));
}

scalar contact_place_radius(const problem_input *from, const contact_pair *contact, bool second) {
    const contact_manifold *pair = &contact->manifold;
    const int slot = second ? pair->b : pair->a;
    const child_numbers parts = children_of(body_collision_shape(from->bodies, pair->b), pair->children);
    const placed_child of = children_place(body_collision_shape(from->bodies, slot),
                                           from->bodies->poses[slot], second ? parts.b : parts.a);
    const vec3s axis = rotate(of.pose.rotation, vec3_of(0, 0, 1));
    return roundness(of.shape, axis, axis, pair->normal) > (scalar)0.5 ? of.shape.size.x : INFINITY;
}

scalar contact_place_share(const problem_input *from, const contact_pair *contact) {
    const int slot_a = contact->manifold.a, slot_b = contact->manifold.b;
    const scree_shape a = body_collision_shape(from->bodies, slot_a),
                      b = body_collision_shape(from->bodies, slot_b);
    if (shape_is_ball(a) && shape_is_ball(b)) return a.size.x / (a.size.x + b.size.x);
    return share_of(reach_of(from->bodies, slot_a), reach_of(from->bodies, slot_b));
}
