/* Two convex shapes of which the second moves along a straight line: the time of impact, at width 1. A file
 * that includes this one first defines FLIGHT, the type of the argument that stands for the two, and
 * flight_at, which returns their contact points after a motion (m) of the second. */
#ifndef SCREE_KERNELS_STRAIGHT_FLIGHT_H
#define SCREE_KERNELS_STRAIGHT_FLIGHT_H

#include "skimming_test.h"

enum { FLIGHT_ROUNDS = 16 };
/* Relative to the half width: largest closed gap. */
#define FLIGHT_TOUCHING 1e-6f

/* The contact points at a time. */
typedef struct flight_event {
    scalar time; /* s */
    manifold_points at;
} flight_event;

/* Returns the smallest gap; INFINITY if there are no points. */
SHARED scalar flight_gap(manifold_points found) { return skimming_least_gap(found.points, found.count); }

/* A displacement of points back to before a motion (m), and what their gaps lose by it. */
typedef struct flight_return {
    vec3s by;
    scalar gap;
} flight_return;

/* Returns that of points found after a motion, with their gaps measured along their normal; `of_b`: the
 * fraction of the motion that is the second body's. Points stay where they are on the body that moves, or
 * halfway if both may; otherwise the normal would pass the body on one side and rotate it. */
SHARED flight_return flight_return_of(vec3s normal, vec3s motion, scalar of_b) {
    flight_return out;
    out.gap = glms_vec3_dot(normal, motion), out.by = glms_vec3_scale(motion, -of_b);
    return out;
}

SHARED manifold_point flight_point_back(manifold_point point, flight_return back) {
    return manifold_point_of(glms_vec3_add(point.position, back.by), point.gap - back.gap, point.feature);
}

SHARED manifold_points flight_back(manifold_points found, vec3s motion, scalar of_b) {
    const flight_return back = flight_return_of(found.normal, motion, of_b);
    for (int i = 0; i < found.count; i++) found.points[i] = flight_point_back(found.points[i], back);
    return found;
}

SHARED flight_event flight_event_at(FLIGHT of, vec3s velocity, scalar time) {
    flight_event out;
    out.time = time, out.at = flight_at(of, glms_vec3_scale(velocity, time));
    return out;
}

/* Halves the interval around the closest approach: at `low` the bodies approach, and `before` has their
 * contact there; at `after` they separate.
 *
 * Polyhedra may change from one normal n₁ to another, n₂, at that time. The separation of convex bodies is a
 * concave function of the direction, so that it is at least their gap along every direction between the two.
 * The contact gets the one across the motion w, n ∝ (n₂·w) n₁ − (n₁·w) n₂: bodies that miss keep their gap
 * along it. */
SHARED flight_event flight_closest(FLIGHT of, vec3s velocity, flight_event before, flight_event after,
                                   int rounds) {
    before = flight_event_at(of, velocity, before.time); /* the contact given for the start may be another */
    for (; rounds > 0; rounds--) {
        const flight_event middle = flight_event_at(of, velocity, (before.time + after.time) / 2);
        if (middle.at.count > 0 && skimming_approach(middle.at.normal, velocity) > 0)
            before = middle;
        else
            after = middle;
    }
    if (after.at.count == 0) return before;
    const scalar closing = skimming_approach(before.at.normal, velocity),
                 opening = skimming_approach(after.at.normal, velocity);
    const vec3s across =
        glms_vec3_sub(glms_vec3_scale(after.at.normal, closing), glms_vec3_scale(before.at.normal, opening));
    const scalar length = glms_vec3_norm(across);
    if (length > 0) before.at.normal = glms_vec3_scale(across, 1 / length);
    return before;
}

/* Returns the time at which the gap closes, the time of the closest approach if it never does, or `most`,
 * with the contact then; `at`: the contact at the start; `width`: the smaller half width.
 *
 * The distance of convex bodies is a convex function of time along a straight flight, with the derivative
 * n·w. Newton's method therefore approaches the root from the left and never passes it (conservative
 * advancement: Mirtich, 1996). Without a root it passes the minimum, which bisection then finds. */
SHARED flight_event flight_impact(FLIGHT of, vec3s velocity, scalar most, scalar width, manifold_points at) {
    flight_event now, before;
    now.time = 0, now.at = at, before = now;
    int round = 0, passed = 0;
    for (; round < FLIGHT_ROUNDS && now.time < most && now.at.count > 0 && !passed; round++) {
        const scalar gap = flight_gap(now.at), approach = skimming_approach(now.at.normal, velocity);
        if (!(gap > FLIGHT_TOUCHING * width) || !(approach > 0)) return now;
        before = now;
        now = flight_event_at(of, velocity, scalar_min(now.time + gap / approach, most));
        passed = now.at.count > 0 && !(skimming_approach(now.at.normal, velocity) > 0);
    }
    return passed ? flight_closest(of, velocity, before, now, FLIGHT_ROUNDS - round + 1) : now;
}

#endif
