/* The normal of a contact is the direction of the largest separation, or of the least overlap. For a body
 * that slides over a row of tiles with coplanar tops, that is the direction of its motion while it approaches
 * the next tile, and while it overlaps that tile by less than rounding has let it sink. The positions at the
 * time of impact decide which normal is right. Along n with gap g > 0 and approach v = −n·w they meet no
 * sooner than at t = g/v; round bodies turn n on the way, so that they are evaluated there again
 * (conservative advancement: Mirtich, 1996). Then b is moved deeper into a by d. If it is in the way, the
 * least way out is about d; if the least way out is far less, b only touches the other's side. The result for
 * the step h is
 *
 *     empty, if along the side's normal m the overlap at the end, −(c' + h m·w), is negligible,
 *     else the contact along m, its gaps less m·s, linearised back over the motion s to where it was found.
 *
 * Another contact may deflect them within the step: the detection pass tests skimming contacts again, at the
 * positions that the solve gives. */
#include "impact.h"

#include "base/vector.h"
#include "skimming_test.h"
#include "geometry/children.h"
#include "rotation.h"

/* d, relative to the smaller half width. */
static const scalar SET_IN = 4e-3f;
static const scalar SLIGHT = SKIMMING_SLIGHT, SHALLOW = SKIMMING_SHALLOW, STEPS = SKIMMING_STEPS;
/* Cosine between a normal and an axis above which they are parallel. */
static const scalar ALONG = 0.999999f;
/* Relative to the half width: largest closed gap. */
static const scalar TOUCHING = 1e-6f;
/* Cosine above which two normals are the same. */
static const scalar SAME_NORMAL = 0.99999f;

static scalar least_gap(const manifold *found) { return skimming_least_gap(found->points, found->count); }

static bool may_skim(scree_shape shape) {
    return !shape_is_ball(shape) && !shape_is_plane(shape) && shape.kind != SCREE_SHAPE_TRIANGLE;
}

/* Two bodies and the motion of b relative to a. */
typedef struct flight {
    scree_shape shape_a, shape_b;
    body_pose pose_a, pose_b;
    vec3s velocity;
    scalar of_b; /* fraction of the motion that is b's */
    scalar reach;
} flight;

static manifold after(const flight *self, vec3s motion) {
    body_pose pose_b = self->pose_b;
    pose_b.position = glms_vec3_add(pose_b.position, motion);
    return manifold_of(self->shape_a, self->pose_a, self->shape_b, pose_b, self->reach);
}

/* Moves a manifold found after some motion back to before it. Points stay where they are on the body that
 * moves, or halfway if both may; otherwise the normal would pass the body on one side and rotate it. */
static manifold linearised_at_start(manifold found, vec3s motion, scalar of_b) {
    const scalar back = glms_vec3_dot(found.normal, motion);
    for (int i = 0; i < found.count; i++) found.points[i].gap -= back;
    manifold_move(&found, glms_vec3_scale(motion, -of_b));
    return found;
}

/* Returns whether a box about the centre of mass touches the shape on all sides. Boxes hold every shape, but
 * fit only those that are symmetric about that centre. */
static bool fills_its_box(scree_shape shape) {
    return shape.kind != SCREE_SHAPE_CONE && shape.kind != SCREE_SHAPE_HULL;
}

/* Returns whether the second body overlaps the first by no more than `slight` along an axis of the first
 * other than the normal. */
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

/* Returns whether the bodies may be merely adjacent after a time. If their boxes exclude it, no further test
 * is needed. */
static bool may_pass(const flight *self, vec3s normal, scalar time, scalar slight) {
    if (!fills_its_box(self->shape_a) || !fills_its_box(self->shape_b)) return true;
    body_pose pose_b = self->pose_b;
    pose_b.position = glms_vec3_add(pose_b.position, glms_vec3_scale(self->velocity, time));
    return is_beside(self->shape_a, self->pose_a, self->shape_b, pose_b, normal, slight) ||
           is_beside(self->shape_b, pose_b, self->shape_a, self->pose_a, normal, slight);
}

static scalar approach_of(const manifold *found, vec3s velocity) {
    return skimming_approach(found->normal, velocity);
}

/* Newton's method from the left, as for spheres (impact.c). Returns the time of impact, the time at which
 * they begin to separate, or `most`, and leaves the manifold of that time in `at`. */
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

/* Returns whether they still approach by more than bodies at rest do. */
static bool approaches(const manifold *at, vec3s velocity, scalar time_step, scalar width) {
    return at->count > 0 && skimming_approaches(approach_of(at, velocity), time_step, width);
}

/* Returns the motion deeper along the normal: the relative motion itself if it leads mostly there, since the
 * normal is arbitrary between edges that are about to meet; otherwise straight along the normal. */
static vec3s set_in(const manifold *at, vec3s velocity, scalar deeper) {
    const scalar approach = approach_of(at, velocity);
    return approach > (scalar)0.5f * glms_vec3_norm(velocity) ? glms_vec3_scale(velocity, deeper / approach)
                                                              : glms_vec3_scale(at->normal, -deeper);
}

/* Returns whether bodies only pass each other: the overlap at the end of the step is negligible. `back` is
 * their manifold after a time and some further motion, moved back. If the bodies separate along this normal,
 * the gap is tested at that time if it is later than the end of the step. */
static bool passes(const manifold *back, vec3s velocity, scalar time, scalar h, scalar width) {
    const scalar approach = approach_of(back, velocity), until = approach < 0 ? scalar_max(time, h) : h;
    return !(least_gap(back) - until * approach < -SLIGHT * width);
}

/* Returns the result for approaching bodies; `at` is their manifold after `time`. */
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
        return meeting; /* the normal turns from one side's to the other's and back: either is valid */
    then = linearised_at_start(then, further, self->of_b);
    if (passes(&then, w, time, h, width)) then.count = 0;
    return then;
}

manifold skimming_settle(manifold found, scree_shape shape_a, body_pose pose_a, scree_shape shape_b,
                         body_pose pose_b, vec3s velocity, scalar of_b, scalar turning, scalar time_step) {
    const scalar h = time_step;
    if (!may_skim(shape_a) || !may_skim(shape_b)) return found;
    const scalar width = scalar_min(bounds_half_width(shape_a), bounds_half_width(shape_b));
    const skimming_motion motion = {velocity, turning, width};
    if (!skimming_possible(motion, found.normal, found.points, found.count, h)) return found;
    const scalar meeting = scalar_max(least_gap(&found), 0) / approach_of(&found, velocity);
    const flight self = {shape_a, shape_b, pose_a, pose_b, velocity, of_b, h * glms_vec3_norm(velocity)};
    if (!may_pass(&self, found.normal, meeting, 2 * SLIGHT * width)) return found;
    manifold at = found;
    const scalar time = time_of_impact(&self, STEPS * h, width, &at);
    return settled(&self, found, at, time, h, width);
}
