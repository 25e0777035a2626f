/* The coplanar-edge rule, at width 1. As for straight_flight.h, a file that includes this one first defines
 * FLIGHT and flight_at; the points of flight_at are those with gap ≤ skimming_reach.
 *
 * The normal of a contact is the direction of the largest separation, or of the least overlap. For a body
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
 * A mean normal (box_levelled, edge_normal.h) becomes that of one side only if the bodies slide along
 * that side, or by more than a negligible overlap within the step: two leaning bodies that tremble stay on
 * their edges. The test is made without mean normals, since those at different positions differ.
 *
 * Points whose gaps the step cannot close are dropped. Another contact may deflect the bodies within the
 * step: the detection pass tests dropped contacts again, at the positions that the solve gives. */
#ifndef SCREE_KERNELS_SKIMMING_H
#define SCREE_KERNELS_SKIMMING_H

#include "straight_flight.h"

/* Relative to SKIMMING_SET_IN: reach beyond the motion in SKIMMING_STEPS steps. A position is examined up to
 * 2 d further, and the separation along a preferred normal may be less than the largest by SKIMMING_SLIGHT
 * and 2 %. A manifold is then empty only if the bodies do separate, not because their distance exceeds a
 * short motion. */
#define SKIMMING_DEEP_REACH 3
/* Relative to the speed: normal velocity of bodies that slide along a side. */
#define SKIMMING_ALONG 0.02f

SHARED scalar skimming_reach(skimming_motion motion, scalar h) {
    return SKIMMING_STEPS * h * glms_vec3_norm(motion.velocity) +
           SKIMMING_DEEP_REACH * SKIMMING_SET_IN * motion.width;
}

SHARED scalar skimming_approach_of(manifold_points found, vec3s velocity) {
    return skimming_approach(found.normal, velocity);
}

/* Returns whether they still approach by more than bodies at rest do. */
SHARED int skimming_closes(manifold_points at, skimming_motion of, scalar h) {
    return at.count > 0 && skimming_approaches(skimming_approach_of(at, of.velocity), h, of.width);
}

/* Returns the gap at the end of the step along a manifold's normal. */
SHARED scalar skimming_end_gap(manifold_points back, vec3s velocity, scalar h) {
    return flight_gap(back) - h * skimming_approach_of(back, velocity);
}

/* Returns whether bodies only pass each other: the overlap at the end of the step is negligible. `back` is
 * their contact after a time and some further motion, moved back. If the bodies separate along this normal,
 * the gap is tested at that time if it is later than the end of the step. */
SHARED int skimming_passes(manifold_points back, skimming_motion of, scalar time, scalar h) {
    const scalar approach = skimming_approach_of(back, of.velocity),
                 until = approach < 0 ? scalar_max(time, h) : h;
    return !(flight_gap(back) - until * approach < -SKIMMING_SLIGHT * of.width);
}

/* Raises the gaps of bodies that pass to the motion along the normal that their velocities have in the step,
 * m: the contact then bears only what presses them closer. */
SHARED manifold_points skimming_let_pass(manifold_points found, scalar motion) {
    for (int i = 0; i < found.count; i++)
        found.points[i].gap = scalar_max(found.points[i].gap, scalar_max(motion, 0));
    return found;
}

/* A contact, and whether it is that of bodies that meet. */
typedef struct skimming_result {
    manifold_points points;
    int meets;
} skimming_result;

SHARED skimming_result skimming_result_of(manifold_points points, int meets) {
    skimming_result out;
    out.points = points, out.meets = meets;
    return out;
}

/* Returns the result for approaching bodies; `event` is their contact at the time of impact. */
SHARED skimming_result skimming_settled(FLIGHT self, manifold_points found, flight_event event,
                                        skimming_motion of, scalar of_b, scalar h) {
    const manifold_points at = event.at;
    const vec3s w = of.velocity, motion = glms_vec3_scale(w, event.time);
    const int turned = glms_vec3_dot(found.normal, at.normal) < SKIMMING_SAME_NORMAL;
    const manifold_points meeting = turned ? flight_back(at, motion, of_b) : found;
    manifold_points then = at;
    vec3s further = motion;
    if (skimming_closes(at, of, h)) {
        const scalar deeper = SKIMMING_SET_IN * of.width + scalar_min(flight_gap(at), 0);
        if (flight_gap(at) > SKIMMING_SHALLOW * of.width) return skimming_result_of(meeting, 1);
        further = glms_vec3_add(motion, skimming_set_in(at.normal, w, deeper));
        then = flight_at(self, further);
        if (flight_gap(then) < -SKIMMING_SLIGHT * of.width) return skimming_result_of(meeting, 1);
    }
    if (turned && glms_vec3_dot(found.normal, then.normal) > glms_vec3_dot(found.normal, at.normal))
        return skimming_result_of(
            meeting, 1); /* the normal turns from one side's to the other's and back: either is valid */
    then = flight_back(then, further, of_b);
    if (skimming_end_gap(meeting, w, h) > skimming_end_gap(then, w, h)) return skimming_result_of(meeting, 1);
    if (skimming_passes(then, of, event.time, h))
        then = skimming_let_pass(then, h * skimming_approach_of(then, w));
    return skimming_result_of(then, 0);
}

/* Returns whether bodies slide along a side with this normal, or are so fast that they may pass. */
SHARED int skimming_slides(vec3s normal, skimming_motion of, scalar h) {
    const scalar speed = glms_vec3_norm(of.velocity);
    return speed * h > SKIMMING_SLIGHT * of.width ||
           scalar_abs(glms_vec3_dot(normal, of.velocity)) <= SKIMMING_ALONG * speed;
}

/* Returns the contact of bodies that may pass each other (skimming_possible) and do not block each other.
 * With a mean normal that is the one found, unless the bodies slide. */
SHARED manifold_points skimming_examine(FLIGHT self, manifold_points found, skimming_motion of, scalar of_b,
                                        scalar h) {
    const manifold_points best = found.mean ? flight_at(self, glms_vec3_zero()) : found;
    skimming_result result = skimming_result_of(best, 0);
    if (!found.mean || skimming_closes(best, of, h)) {
        const flight_event event = flight_impact(self, of.velocity, SKIMMING_STEPS * h, of.width, best);
        result = skimming_settled(self, best, event, of, of_b, h);
    }
    if (!found.mean) return result.points;
    return !result.meets && skimming_slides(result.points.normal, of, h) ? result.points : found;
}

#endif
