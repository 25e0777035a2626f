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

/* Returns the share to which the place of a contact is on the round side of a body whose axis was `was` and
 * is `is`. On the rim of a flat face, that place is undefined as the axis approaches the normal: at 1.8
 * degrees between them, the body half carries the place along. At 6 degrees, a coin that spins at that lean
 * would lose all energy in two seconds of steps of 1 ms, at 1.8 degrees it keeps 0.79. */
static scalar roundness(scree_shape shape, vec3s was, vec3s is, vec3s normal) {
    const bool about_axis = shape.kind == SCREE_SHAPE_CYLINDER || shape.kind == SCREE_SHAPE_CONE ||
                            shape.kind == SCREE_SHAPE_CAPSULE;
    if (!about_axis) return shape_is_ball(shape) || shape.kind == SCREE_SHAPE_ELLIPSOID;
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

/* Returns the present place on a body of the contact that was at `point` of a child when contacts were found.
 * A ball and a round body do not carry the point along as they roll: with one corner a step, they would roll
 * as polygons. */
static touched_place moved_place(const problem_input *from, int slot, int image, int part, vec3s normal,
                                 vec3s point) {
    const body_array *bodies = from->bodies;
    const scree_shape shape = body_touched(bodies, slot);
    const placed_child before = children_place(
                           shape, period_pose(&bodies->period, from->collided[slot], image), part),
                       now = children_place(shape, body_image_pose(bodies, slot, image), part);
    const vec3s z = vec3_of(0, 0, 1), axis = rotate(now.pose.rotation, z);
    const scalar round = roundness(now.shape, rotate(before.pose.rotation, z), axis, normal);
    const bool any_axis = round == 0 || shape_is_ball(now.shape) || now.shape.kind == SCREE_SHAPE_ELLIPSOID;
    const vec3s arm = glms_vec3_sub(point, before.pose.position);
    return (touched_place){
        .position = glms_vec3_add(now.pose.position, moved_arm(&before, &now, normal, round, arm)),
        .round = round,
        .axis = any_axis ? glms_vec3_zero() : axis,
        .radius = body_is_dynamic(bodies, slot) ? (scalar)scree_shape_get_radius(shape) : INFINITY};
}

/* Returns the share of the way from a to b. */
static scalar share_of(touched_place a, touched_place b) {
    if (isinf(a.radius) && isinf(b.radius)) return (scalar)0.5;
    const scalar ratio = a.radius < b.radius ? a.radius / b.radius : b.radius / a.radius,
                 larger = ratio * ratio / (1 + ratio * ratio);
    return a.radius < b.radius ? larger : 1 - larger;
}

/* Returns the place of a contact from those on both bodies. A body that slides leaves the place that the
 * other carries behind. The mean of both would lag by h v/2, more than a small body is wide, so the weights
 * are the inverse squares of the radii, and 0 for a body that is not dynamic. Other surfaces move on under a
 * round one, across its axis. */
static vec3s place_between(touched_place a, touched_place b) {
    const vec3s common = mixed(a.position, b.position, share_of(a, b));
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
    const child_numbers parts = children_of(body_touched(from->bodies, pair->b), pair->children);
    const touched_place a = moved_place(from, pair->a, 0, parts.a, pair->normal, point.position),
                        b = moved_place(from, pair->b, pair->image, parts.b, pair->normal, point.position);
    point.gap += glms_vec3_dot(pair->normal, glms_vec3_sub(b.position, a.position));
    point.position = place_between(a, b);
    return point;
}

/* A table is a body of prescribed motion that turns about the normal n of a contact, at the rate ω, by θ = h
 * ω in the step. With the velocities of its points at the start of the step, its load would spiral outwards
 * by θ²/2 of the radius in each step, and friction would be turned by θ/2 on a body that does not turn with
 * it. Rows need the mean velocity of the table where the contact is. Vectors below are in the plane of the
 * contact, as complex numbers: i is a quarter turn.
 *
 * A place at r that is carried along moves by (e^iθ − 1) r = iθ k (1 + i w) r with w = tan(θ/2), k = (2
 * w/θ)/(1 + w²): at the velocity that iω gives to the arm k (1 + i w) r. Both bodies use such arms, and the
 * correction vanishes as the table comes to rest. tan(θ/2) is approximated by (θ/2) (1 + θ²/12), with a
 * relative error of θ⁴/120. The arm of the load turns with the load, by no more than θ: a plank that rests
 * with one end on a table does not turn with it.
 *
 * A body whose centre moves at the velocity p is not carried along if p differs from iω k (1 − i w) r, the
 * mean velocity of its place on the table over the last step. The table's arm is led on in proportion to that
 * slip s, such that a body at rest has the arm r: M s with M (−iω k (1 − i w)) = 1 − k (1 + i w),
 *
 *     M = h (e^iθ − 1 − iθ)/(iθ (1 − e^−iθ)) = (h/2) (1 + (5/6) iθ − θ²/3 + …).
 *
 * A ball that rolls at p then has the arm r + (h/2) p to first order, as it must. */
static vec3s arm_halfway(scalar angle, vec3s arm, vec3s normal) {
    const scalar half = (scalar)0.5 * angle, stretch = 1 + half * half / 3, w = half * stretch;
    const vec3s along = glms_vec3_scale(normal, glms_vec3_dot(normal, arm)), flat = glms_vec3_sub(arm, along),
                ahead = glms_vec3_add(flat, glms_vec3_scale(glms_vec3_cross(normal, flat), w));
    return glms_vec3_add(along, glms_vec3_scale(ahead, stretch / (1 + w * w)));
}

static vec3s in_plane(vec3s normal, vec3s v) {
    return glms_vec3_sub(v, glms_vec3_scale(normal, glms_vec3_dot(normal, v)));
}

/* The lead ends between 0.3 and 0.6 rad a step. A ball rolls steadily on the table up to 0.4 rad with it and
 * 0.3 rad without, and loads are thrown off from 1 rad with it.
 *
 * It also ends at 0.1 rad between normal and axis. The part of the spin across the normal gives the lead M s
 * a velocity along it, which is thus at most 0.6 % of s. */
static const scalar LEAD_TURN = 0.3f, LEAD_TILT = 0.1f;

/* Returns the factor of the lead. */
static scalar lead_share(vec3s spin, vec3s normal, scalar time_step) {
    const scalar rate = scalar_abs(glms_vec3_dot(spin, normal)),
                 turn = scalar_clamp(2 - time_step * rate / LEAD_TURN, 0, 1), most = LEAD_TILT * rate;
    if (!(most > 0)) return 0;
    const scalar tilt = glms_vec3_norm(in_plane(normal, spin)) / most;
    return turn * scalar_max(1 - tilt * tilt, 0);
}

/* Returns the lead of the arm of a table with the spin `spin`. The centre of its load is at `centre` from its
 * own, and moved at `motion` relative to it over the last step. */
static vec3s lead_of(vec3s spin, vec3s motion, vec3s normal, vec3s centre, scalar time_step) {
    const scalar rate = glms_vec3_dot(spin, normal), angle = time_step * rate,
                 share = lead_share(spin, normal, time_step);
    if (share == 0) return glms_vec3_zero();
    const vec3s carried = glms_vec3_scale(glms_vec3_cross(normal, arm_halfway(-angle, centre, normal)), rate);
    const vec3s slip = in_plane(normal, glms_vec3_sub(motion, carried));
    const vec3s ahead = glms_vec3_add(glms_vec3_scale(slip, 1 - angle * angle / 3),
                                      glms_vec3_scale(glms_vec3_cross(normal, slip), angle * 5 / 6));
    return glms_vec3_scale(ahead, share * time_step / 2);
}

contact_arms contact_arms_on_table(const problem_input *from, const contact_pair *contact, bool second,
                                   contact_arms arms) {
    const contact_manifold *pair = &contact->manifold;
    const int slot = second ? pair->b : pair->a, other = second ? pair->a : pair->b;
    const vec3s normal = pair->normal, apart = glms_vec3_sub(arms.b, arms.a),
                spin = from->bodies->velocities[slot].angular;
    const scalar h = from->motion.time_step, angle = h * glms_vec3_dot(normal, spin),
                 turn = h * glms_vec3_dot(normal, from->bodies->velocities[other].angular),
                 own = scalar_clamp(turn, scalar_min(angle, 0), scalar_max(angle, 0));
    /* Over the last step: the velocity of a table in a kinematic group turns from step to step. */
    const vec3s motion = glms_vec3_sub(body_velocity_before(from->bodies, other).linear,
                                       body_velocity_before(from->bodies, slot).linear);
    const vec3s load = arm_halfway(own, second ? arms.a : arms.b, normal),
                centre = second ? apart : glms_vec3_negate(apart),
                lead = lead_of(spin, motion, normal, centre, h),
                table = glms_vec3_add(glms_vec3_add(arm_halfway(angle, centre, normal), load), lead);
    return second ? (contact_arms){load, table} : (contact_arms){table, load};
}
