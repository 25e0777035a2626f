/* The normal of a contact is the direction of the largest separation, or of the least overlap. For a body
 * that slides over a row of tiles with coplanar tops, that is the direction of its motion while it approaches
 * the next tile, and while it overlaps that tile by less than rounding has let it sink. The positions at the
 * time of impact decide which normal is right. Along n with gap g > 0 and approach v = −n·w they meet no
 * sooner than at t = g/v; round bodies turn n on the way, so that they are evaluated there again
 * (conservative advancement: Mirtich, 1996). Then b is moved deeper into a by d. If it is in the way, the
 * least way out is about d; if the least way out is far less, b only touches the other's side. The result for
 * the step h is
 *
 *     the contact along the side's normal m, its gaps less m·s, linearised back over the motion s to where it
 *     was found. If the overlap at the end, −(c' + h m·w), is negligible, the bodies pass: the gaps are at
 *     least −h m·w, so that the contact bears only a load that presses them closer than w does.
 *
 * At a corner, where both overlaps are negligible, each side is the other's. The contact then stays along the
 * normal with the larger gap at the end of the step.
 *
 * A mean normal (manifold_levelled) becomes that of one side only if the bodies slide along
 * that side, or by more than a negligible overlap within the step: two leaning bodies that tremble stay on
 * their edges. The test is made without mean normals, since those at different positions differ.
 *
 * Points whose gaps the step cannot close are dropped. Another contact may deflect the bodies within the
 * step: the detection pass tests dropped contacts again, at the positions that the solve gives. */
#include "impact.h"

#include "base/vector.h"
#include "flight.h"
#include "skimming_test.h"
#include "geometry/children.h"

/* Relative to d: reach beyond the motion in STEPS steps. A position is examined up to 2 d further, and the
 * separation along a preferred normal may be less than the largest by SLIGHT and 2 %. A manifold is then
 * empty only if the bodies do separate, not because their distance exceeds a short motion. */
static const scalar DEEP_REACH = 3;
static const scalar SLIGHT = SKIMMING_SLIGHT, SHALLOW = SKIMMING_SHALLOW, STEPS = SKIMMING_STEPS;

/* Relative to the speed: normal velocity of bodies that slide along a side. */
static const scalar ALONG = 0.02f;

static bool may_skim(scree_shape shape) {
    return !shape_is_ball(shape) && !shape_is_plane(shape) && shape.kind != SCREE_SHAPE_TRIANGLE;
}

static scalar approach_of(const manifold *found, vec3s velocity) {
    return skimming_approach(found->normal, velocity);
}

/* Returns whether they still approach by more than bodies at rest do. */
static bool approaches(const manifold *at, vec3s velocity, scalar time_step, scalar width) {
    return at->count > 0 && skimming_approaches(approach_of(at, velocity), time_step, width);
}

/* Returns the gap at the end of the step along a manifold's normal. */
static scalar end_gap(const manifold *back, vec3s velocity, scalar h) {
    return flight_least_gap(back) - h * approach_of(back, velocity);
}

/* Returns whether bodies only pass each other: the overlap at the end of the step is negligible. `back` is
 * their manifold after a time and some further motion, moved back. If the bodies separate along this normal,
 * the gap is tested at that time if it is later than the end of the step. */
static bool passes(const manifold *back, vec3s velocity, scalar time, scalar h, scalar width) {
    const scalar approach = approach_of(back, velocity), until = approach < 0 ? scalar_max(time, h) : h;
    return !(flight_least_gap(back) - until * approach < -SLIGHT * width);
}

/* Raises the gaps of bodies that pass to the motion along the normal that their velocities have in the step,
 * m: the contact then bears only what presses them closer. */
static void let_pass(manifold *of, scalar motion) {
    for (int i = 0; i < of->count; i++)
        of->points[i].gap = scalar_max(of->points[i].gap, scalar_max(motion, 0));
}

/* Returns the result for approaching bodies; `at` is their manifold after `time`. Clears *meets if it is not
 * that of bodies that meet. */
static manifold settled(const flight *self, manifold found, manifold at, scalar time, scalar h, scalar width,
                        bool *meets) {
    const vec3s w = self->velocity, motion = glms_vec3_scale(w, time);
    const bool turned = glms_vec3_dot(found.normal, at.normal) < SKIMMING_SAME_NORMAL;
    const manifold meeting = turned ? flight_linearised(at, motion, self->of_b) : found;
    manifold then = at;
    vec3s further = motion;
    if (approaches(&at, w, h, width)) {
        const scalar deeper = SKIMMING_SET_IN * width + scalar_min(flight_least_gap(&at), 0);
        if (flight_least_gap(&at) > SHALLOW * width) return meeting;
        further = glms_vec3_add(motion, skimming_set_in(at.normal, w, deeper));
        then = flight_after(self, further);
        if (flight_least_gap(&then) < -SLIGHT * width) return meeting;
    }
    if (turned && glms_vec3_dot(found.normal, then.normal) > glms_vec3_dot(found.normal, at.normal))
        return meeting; /* the normal turns from one side's to the other's and back: either is valid */
    then = flight_linearised(then, further, self->of_b);
    if (end_gap(&meeting, w, h) > end_gap(&then, w, h)) return meeting;
    if (passes(&then, w, time, h, width)) let_pass(&then, h * approach_of(&then, w));
    *meets = false;
    return then;
}

/* Returns whether bodies slide along a side with this normal, or are so fast that they may pass. */
static bool slides(vec3s normal, vec3s velocity, scalar time_step, scalar width) {
    const scalar speed = glms_vec3_norm(velocity);
    return speed * time_step > SLIGHT * width || scalar_abs(glms_vec3_dot(normal, velocity)) <= ALONG * speed;
}

/* Returns the result for a manifold `found` without mean normals; *meets as for `settled`. */
static manifold settled_from(const flight *self, manifold found, scalar h, scalar width, bool *meets) {
    manifold at = found;
    const scalar time = flight_time_of_impact(self, STEPS * h, width, &at);
    return settled(self, found, at, time, h, width, meets);
}

/* Returns the result for a manifold with a mean normal. */
static manifold settled_mean(const flight *self, manifold found, scalar h, scalar width) {
    const manifold best = flight_after(self, glms_vec3_zero());
    bool meets = approaches(&best, self->velocity, h, width);
    const manifold result = meets ? settled_from(self, best, h, width, &meets) : best;
    return !meets && slides(result.normal, self->velocity, h, width) ? result : found;
}

/* Returns whether the test of boxes shows that a contact stays as it is. */
static bool blocked(const flight *of, skimming_motion motion, const manifold *found) {
    if (of->shape_a.kind != SCREE_SHAPE_BOX || of->shape_b.kind != SCREE_SHAPE_BOX || found->mean)
        return false;
    const oriented_box a = oriented_box_of(vec3_in(of->shape_a.size), of->pose_a.rotation, glms_vec3_zero()),
                       b = oriented_box_of(vec3_in(of->shape_b.size), of->pose_b.rotation,
                                           glms_vec3_sub(of->pose_b.position, of->pose_a.position));
    return skimming_blocked(a, b, motion, found->normal, flight_least_gap(found));
}

manifold skimming_settle(manifold found, scree_shape shape_a, body_pose pose_a, scree_shape shape_b,
                         body_pose pose_b, vec3s velocity, scalar of_b, scalar turning_speed,
                         scalar time_step) {
    const scalar h = time_step;
    if (!may_skim(shape_a) || !may_skim(shape_b)) return found;
    const scalar width = scalar_min(bounds_half_width(shape_a), bounds_half_width(shape_b));
    const skimming_motion motion = {velocity, turning_speed, width};
    if (!skimming_possible(motion, found.normal, found.points, found.count, found.mean != 0, h)) return found;
    const scalar reach = STEPS * h * glms_vec3_norm(velocity) + DEEP_REACH * SKIMMING_SET_IN * width;
    const flight self = {shape_a, shape_b, pose_a, pose_b, velocity, of_b, reach};
    if (blocked(&self, motion, &found)) return found;
    bool meets = true;
    return found.mean ? settled_mean(&self, found, h, width) : settled_from(&self, found, h, width, &meets);
}
