/* The normal of a contact is along where two bodies are farthest apart, or overlap least. For what slides
 * over a row of tiles with their tops in one plane that is the direction of its motion while it comes near
 * the next tile, and for as long as it is over it by less than rounding has let it sink. Where they get to
 * says which normal is right. Along n with gap g > 0 and approach v = −n·w they meet no sooner than at t =
 * g/v; round bodies turn n on the way, so that they are looked at there again (conservative advancement:
 * Mirtich, 1996). Then b is set deeper into a by d. If it is in the way, d is about the least way out again;
 * if the least way out is far less, one only touches the other's side. What comes of this is, for the step
 * h,
 *
 *     nothing, if along the side's normal m the gap at the end, c' + h m·w, is none to speak of,
 *     else the contact along m, its gaps less m·s led back over the motion s from where it was looked at.
 *
 * Something else may turn them from their way within the step: those that are let pass are judged again by
 * the second look, by where they then stand. */
#include "skimming.h"

#include "base/vector.h"
#include "skimming_wide.h"
#include "compound_children.h"
#include "rotation.h"

/* Of the smaller half width: d. */
static const scalar SET_IN = 4e-3f;
static const scalar SLIGHT = SKIMMING_SLIGHT, SHALLOW = SKIMMING_SHALLOW, AT_REST = SKIMMING_AT_REST,
                    STEPS = SKIMMING_STEPS, STEADY = SKIMMING_STEADY, ALONG = SKIMMING_ALONG;
/* Of the half width: a gap that is closed. */
static const scalar TOUCHING = 1e-6f;
/* Cosine between normals that are one. */
static const scalar SAME_NORMAL = 0.99999f;

static scalar least_gap(const manifold *found) {
    scalar least = INFINITY;
    for (int i = 0; i < found->count; i++) least = scalar_min(least, found->points[i].gap);
    return least;
}

static bool may_skim(scree_shape shape) {
    return !shape_is_ball(shape) && !shape_is_plane(shape) && shape.kind != SCREE_SHAPE_TRIANGLE;
}

/* Two bodies and the motion of b relative to a. */
typedef struct flight {
    scree_shape shape_a, shape_b;
    body_pose pose_a, pose_b;
    vec3s velocity;
    scalar of_b; /* the share of the motion that is b's */
    scalar reach;
} flight;

static manifold after(const flight *self, vec3s motion) {
    body_pose pose_b = self->pose_b;
    pose_b.position = glms_vec3_add(pose_b.position, motion);
    return manifold_of(self->shape_a, self->pose_a, self->shape_b, pose_b, self->reach);
}

/* Of a manifold after some motion, before it: points where they are on the body that moves, else the normal
 * would pass it by on one side and turn it; halfway where both may. */
static manifold linearised_at_start(manifold found, vec3s motion, scalar of_b) {
    const scalar back = glms_vec3_dot(found.normal, motion);
    for (int i = 0; i < found.count; i++) found.points[i].gap -= back;
    manifold_move(&found, glms_vec3_scale(motion, -of_b));
    return found;
}

/* Boxes about a body's centre of mass hold a shape, but reach as far as it only where it is the same on both
 * sides of it. */
static bool fills_its_box(scree_shape shape) {
    return shape.kind != SCREE_SHAPE_CONE && shape.kind != SCREE_SHAPE_HULL;
}

/* Whether the second overlaps the first by no more than `slight` along an axis of the first's that is not
 * the normal. */
static bool is_beside(scree_shape shape, body_pose pose, scree_shape other, body_pose other_pose,
                      vec3s normal, scalar slight) {
    const bounds own = children_box_in(pose, shape, pose, 0),
                 box = children_box_in(pose, other, other_pose, 0);
    for (int k = 0; k < 3; k++) {
        const vec3s axis = rotate(pose.rotation, vec3_of(k == 0, k == 1, k == 2));
        const scalar overlap = scalar_min(vec3_along(own.upper, k) - vec3_along(box.lower, k),
                                          vec3_along(box.upper, k) - vec3_along(own.lower, k));
        if (overlap <= slight && scalar_abs(glms_vec3_dot(normal, axis)) < ALONG) return true;
    }
    return false;
}

/* Whether they may be no more than beside each other after a time: else a look at their boxes is enough. */
static bool may_pass(const flight *self, vec3s normal, scalar time, scalar slight) {
    if (!fills_its_box(self->shape_a) || !fills_its_box(self->shape_b)) return true;
    body_pose pose_b = self->pose_b;
    pose_b.position = glms_vec3_add(pose_b.position, glms_vec3_scale(self->velocity, time));
    return is_beside(self->shape_a, self->pose_a, self->shape_b, pose_b, normal, slight) ||
           is_beside(self->shape_b, pose_b, self->shape_a, self->pose_a, normal, slight);
}

static scalar approach_of(const manifold *found, vec3s velocity) {
    return -glms_vec3_dot(found->normal, velocity);
}

/* Newton's method from the left, as for spheres (impact.c): leaves the manifold at the time that it returns,
 * which is that of impact, the one at which they begin to part, or `most`. */
static scalar time_of_impact(const flight *self, scalar most, scalar width, manifold *at) {
    enum { ROUNDS = 16 };
    scalar time = 0;
    for (int round = 0; round < ROUNDS && time < most; round++) {
        const scalar gap = least_gap(at), approach = approach_of(at, self->velocity);
        if (!(gap > TOUCHING * width) || !(approach > 0) || at->count == 0) return time;
        time = scalar_min(time + gap / approach, most);
        *at = after(self, glms_vec3_scale(self->velocity, time));
    }
    return time;
}

/* Whether they still approach by more than bodies at rest do. */
static bool approaches(const manifold *at, vec3s velocity, scalar time_step, scalar width) {
    return at->count > 0 && approach_of(at, velocity) * time_step >= AT_REST * SLIGHT * width;
}

/* Set deeper along the normal: by the motion itself where that mostly leads there, since between edges that
 * are about to meet the normal is anything; else straight along it. */
static vec3s set_in(const manifold *at, vec3s velocity, scalar deeper) {
    const scalar approach = approach_of(at, velocity);
    return approach > (scalar)0.5f * glms_vec3_norm(velocity) ? glms_vec3_scale(velocity, deeper / approach)
                                                              : glms_vec3_scale(at->normal, -deeper);
}

/* Whether bodies that have a manifold after a time and some way further, here led back, only pass each other:
 * the gap at the end of the step is none to speak of. Who then part along the normal were in nobody's way
 * until that time, when its own gap is to be asked if it comes after the step. */
static bool passes(const manifold *back, vec3s velocity, scalar time, scalar h, scalar width) {
    const scalar approach = approach_of(back, velocity), until = approach < 0 ? scalar_max(time, h) : h;
    return !(least_gap(back) - until * approach < -SLIGHT * width);
}

/* Between bodies that approach, with the manifold `at` which they have after a time. */
static manifold settled(const flight *self, manifold found, manifold at, scalar time, scalar h,
                        scalar width) {
    const vec3s w = self->velocity, motion = glms_vec3_scale(w, time);
    const bool turned = glms_vec3_dot(found.normal, at.normal) < SAME_NORMAL;
    const manifold meeting = turned ? linearised_at_start(at, motion, self->of_b) : found;
    manifold then = at;
    vec3s further = motion;
    if (approaches(&at, w, h, width)) {
        const scalar deeper = SET_IN * width + scalar_min(least_gap(&at), 0);
        if (least_gap(&at) > SHALLOW * width) return meeting;
        further = glms_vec3_add(motion, set_in(&at, w, deeper));
        then = after(self, further);
        if (least_gap(&then) < -SLIGHT * width) return meeting;
    }
    if (turned && glms_vec3_dot(found.normal, then.normal) > glms_vec3_dot(found.normal, at.normal))
        return meeting; /* from one side's normal to the other's and back: either will do */
    then = linearised_at_start(then, further, self->of_b);
    if (passes(&then, w, time, h, width)) then.count = 0;
    return then;
}

manifold skimming_settle(manifold found, scree_shape shape_a, body_pose pose_a, scree_shape shape_b,
                         body_pose pose_b, vec3s velocity, scalar of_b, scalar turning, scalar time_step) {
    const scalar approach = approach_of(&found, velocity), h = time_step;
    if (found.count == 0 || !(approach > 0) || !may_skim(shape_a) || !may_skim(shape_b)) return found;
    const scalar width = scalar_min(bounds_half_width(shape_a), bounds_half_width(shape_b)),
                 gap = least_gap(&found);
    if (turning * h > STEADY * width) return found;
    if (gap < -SHALLOW * width || gap > STEPS * h * approach || !approaches(&found, velocity, h, width))
        return found;
    if (skimming_spans(found.points, found.count,
                       skimming_aside(found.normal, velocity, scalar_max(gap, 0), approach), SLIGHT * width))
        return found;
    const flight self = {shape_a, shape_b, pose_a, pose_b, velocity, of_b, h * glms_vec3_norm(velocity)};
    if (!may_pass(&self, found.normal, scalar_max(gap, 0) / approach, 2 * SLIGHT * width)) return found;
    manifold at = found;
    const scalar time = time_of_impact(&self, STEPS * h, width, &at);
    return settled(&self, found, at, time, h, width);
}
