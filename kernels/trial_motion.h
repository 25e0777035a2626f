/* Motions that a solve has given to the bodies of a step, and what they do to contacts, at width 1 (contract:
 * detect/trial_contact.h, detect/detection_pass.c). Velocities of a trial motion are its displacement and
 * rotation over the step h. */
#ifndef SCREE_KERNELS_TRIAL_MOTION_H
#define SCREE_KERNELS_TRIAL_MOTION_H

#include "manifold_points.h"
#include "swept_box.h"

/* Relative to the smaller half size: an overlap left to the stabilisation. */
#define TRIAL_HARMLESS ((scalar)1 / 400)
/* Relative to the smaller half size. TURNED: rotation of both surfaces together that is checked. WORTH:
 * overlap at the end that justifies another solve. DEEP: overlap whose rows are then renewed too, as that
 * costs nothing. UNKNOWN: excess over the overlap that the rows predict; the solve could not, or should not,
 * remove a predicted overlap. On the landing of B1000 (8 seeds) WORTH = 0.08 leaves overlaps of 3.3 mm
 * instead of 2.6 mm, DEEP = 0.05 leaves 80 steps above 2 mm instead of 55, and WORTH = 0.03 takes 7 % more
 * iterations. */
#define TRIAL_TURNED ((scalar)0.03f)
#define TRIAL_WORTH ((scalar)0.05f)
#define TRIAL_DEEP ((scalar)0.03f)
#define TRIAL_UNKNOWN ((scalar)0.02f)

/* Significance of a contact on the trial motion. */
typedef enum trial_news { TRIAL_KNOWN, TRIAL_SLIGHT, TRIAL_WORTH_SOLVING } trial_news;

/* -- Bodies ----------------------------------------------------------------------------- */

/* Returns the motion between two poses over 1/rate; the rotation vector is that of q' q⁻¹. */
SHARED body_velocity trial_velocity(body_pose from, body_pose to, scalar rate) {
    const versors q = from.rotation, turn = rotation_product(to.rotation, versor_of(-q.x, -q.y, -q.z, q.w));
    body_velocity out;
    out.linear = glms_vec3_scale(glms_vec3_sub(to.position, from.position), rate);
    out.angular = glms_vec3_scale(rotation_vector(turn), rate);
    out.reserved = out.reserved_angular = 0;
    return out;
}

/* Returns a bound on the distance of any point of a body at the end from where its velocity before the solve
 * would have led it, m. */
SHARED scalar trial_deviation(body_velocity motion, body_velocity before, scalar turning_radius, scalar h) {
    const scalar turned = glms_vec3_norm(glms_vec3_sub(motion.angular, before.angular));
    const scalar arm = turned > 0 ? turning_radius * turned : 0;
    return h * (glms_vec3_norm(glms_vec3_sub(motion.linear, before.linear)) + arm);
}

/* Returns the displacement of a body's surface by rotation, m. */
SHARED scalar trial_turn(body_velocity motion, scalar turning_radius, scalar h) {
    const scalar speed = glms_vec3_norm(motion.angular);
    return speed > 0 ? h * speed * turning_radius : 0;
}

/* Returns whether a dynamic body deviates so much that it may need new contacts. `smallest`: half width of
 * the smallest dynamic body, m.
 *
 * A pair has a contact unless its gap along a separating normal exceeds m + l + h max(0, approach), with the
 * margin m and the pair's speculative margin l (contacts.c). If the displacement of body i differs by e_i
 * from h v_i, the gap of a pair without contact exceeds m + l − e_a − e_b at the end of the step. With l_i =
 * min(h |v_i|, the smallest half size), l is at least (l_a + l_b)/2, so that a pair that overlaps at the end
 * has a body with
 *
 *     e_i > (m + l_i)/2.
 *
 * Bodies without mass follow their prescribed motion. */
SHARED int trial_strays(scalar deviation, body_velocity before, scalar margin, scalar smallest, scalar h) {
    return deviation > (margin + scalar_min(h * glms_vec3_norm(before.linear), smallest)) / 2;
}

/* Returns whether any pair may have turned enough for a test, for the largest trial_turn of a body. */
SHARED int trial_any_turned(scalar largest, scalar smallest) { return largest > TRIAL_TURNED / 2 * smallest; }

/* -- Pairs ------------------------------------------------------------------------------ */

/* A body of a pair at the beginning, with its trial motion. */
typedef struct trial_body {
    vec3s position;        /* m; of b: at the image that a touches */
    vec3s linear, angular; /* m/s, rad/s */
    scalar turning_radius; /* m */
} trial_body;

/* Returns whether a pair has turned by at most `most`, from the turns of the bodies alone: their sum differs
 * from trial_pair_turn by rounding. Most pairs of a pile turn by much less. */
SHARED int trial_hardly_turned(scalar turn_a, scalar turn_b, scalar most) {
    return turn_a + turn_b < (1 - (scalar)1e-5f) * most;
}

/* Returns the displacement of both surfaces by rotation, m. */
SHARED scalar trial_pair_turn(trial_body a, trial_body b, scalar h) {
    const scalar distance = glms_vec3_norm(glms_vec3_sub(b.position, a.position));
    return h * (surface_turning_speed(a.angular, a.turning_radius, distance) +
                surface_turning_speed(b.angular, b.turning_radius, distance));
}

SHARED vec3s trial_relative_motion(trial_body a, trial_body b, scalar h) {
    return glms_vec3_scale(glms_vec3_sub(b.linear, a.linear), h);
}

/* Returns the displacement of the contact over the step: that of the body with mass if the other has none,
 * else the mean, in which each body has the weight of the other's mass. */
SHARED vec3s trial_common_motion(trial_body a, scalar mass_a, trial_body b, scalar mass_b, scalar h) {
    const scalar fraction_a = !(mass_a > 0) ? 0 : !(mass_b > 0) ? 1 : mass_b / (mass_a + mass_b);
    return glms_vec3_scale(
        glms_vec3_add(glms_vec3_scale(a.linear, fraction_a), glms_vec3_scale(b.linear, 1 - fraction_a)), h);
}

/* Returns the velocity of a point. Normal forces do not rotate balls, so their points move with the centre.
 */
SHARED vec3s trial_velocity_at(trial_body of, vec3s point) {
    if (!(of.turning_radius > 0)) return of.linear;
    return glms_vec3_add(of.linear, glms_vec3_cross(of.angular, glms_vec3_sub(point, of.position)));
}

/* Returns J V of a point's normal row. */
SHARED scalar trial_parting_speed(trial_body a, trial_body b, vec3s normal, vec3s point) {
    return glms_vec3_dot(normal, glms_vec3_sub(trial_velocity_at(b, point), trial_velocity_at(a, point)));
}

/* Returns the gap at the end of the step that the row for a point predicts. */
SHARED scalar trial_gap(trial_body a, trial_body b, vec3s normal, vec3s position, scalar gap, scalar h) {
    return gap + h * trial_parting_speed(a, b, normal, position);
}

/* Returns a point found at the end, moved back to the beginning of the step by `back`, with its linearised
 * gap. Both bodies share one point, since an impulse must not have a moment of its own. */
SHARED manifold_point trial_point_back(manifold_point found, vec3s normal, trial_body a, trial_body b,
                                       vec3s back, scalar h) {
    const vec3s position = glms_vec3_sub(found.position, back);
    return manifold_point_of(position, found.gap - h * trial_parting_speed(a, b, normal, position),
                             found.feature);
}

/* Returns the news of a contact that turned, with its gap at the end and the one that its rows predict. */
SHARED trial_news trial_news_of(scalar gap, scalar known, scalar size) {
    if (!(gap <= -TRIAL_DEEP * size) || !(gap < known - TRIAL_UNKNOWN * size)) return TRIAL_KNOWN;
    return gap <= -TRIAL_WORTH * size ? TRIAL_WORTH_SOLVING : TRIAL_SLIGHT;
}

#endif
