#include "flight.h"

#include "skimming_test.h"

enum { ROUNDS = 16 };
/* Relative to the half width: largest closed gap. */
static const scalar TOUCHING = 1e-6f;

scalar flight_least_gap(const manifold *found) { return skimming_least_gap(found->points, found->count); }

manifold flight_after(const flight *self, vec3s motion) {
    body_pose pose_b = self->pose_b;
    pose_b.position = glms_vec3_add(pose_b.position, motion);
    return manifold_of(self->shape_a, self->pose_a, self->shape_b, pose_b, self->reach);
}

manifold flight_linearised(manifold found, vec3s motion, scalar of_b) {
    const scalar back = glms_vec3_dot(found.normal, motion);
    for (int i = 0; i < found.count; i++) found.points[i].gap -= back;
    manifold_move(&found, glms_vec3_scale(motion, -of_b));
    return found;
}

static void advance(const flight *self, scalar time, manifold *at) {
    *at = flight_after(self, glms_vec3_scale(self->velocity, time));
}

static scalar approach_of(const flight *self, const manifold *at) {
    return skimming_approach(at->normal, self->velocity);
}

/* Halves the interval around the closest approach: at `low` the bodies approach, and `at` has their manifold
 * there; at `high` they separate.
 *
 * Polyhedra may change from one normal n₁ to another, n₂, at that time. The separation of convex bodies is a
 * concave function of the direction, so that it is at least their gap along every direction between the two.
 * The contact gets the one across the motion w, n ∝ (n₂·w) n₁ − (n₁·w) n₂: bodies that miss keep their gap
 * along it. */
static scalar closest_approach(const flight *self, scalar low, scalar high, int rounds, manifold *at) {
    manifold before = *at, after = *at, middle;
    advance(self, low, &before), advance(self, high, &after);
    for (; rounds > 0; rounds--) {
        const scalar time = (low + high) / 2;
        advance(self, time, &middle);
        if (middle.count > 0 && approach_of(self, &middle) > 0)
            low = time, before = middle;
        else
            high = time, after = middle;
    }
    *at = before;
    if (after.count == 0) return low;
    const vec3s across = glms_vec3_sub(glms_vec3_scale(after.normal, approach_of(self, &before)),
                                       glms_vec3_scale(before.normal, approach_of(self, &after)));
    const scalar length = glms_vec3_norm(across);
    if (length > 0) at->normal = glms_vec3_scale(across, 1 / length);
    return low;
}

/* The distance of convex bodies is a convex function of time along a straight flight, with the derivative
 * n·w. Newton's method therefore approaches the root from the left and never passes it (conservative
 * advancement: Mirtich, 1996). Without a root it passes the minimum, which bisection then finds. */
scalar flight_time_of_impact(const flight *self, scalar most, scalar width, manifold *at) {
    scalar time = 0;
    for (int round = 0; round < ROUNDS && time < most && at->count > 0; round++) {
        const scalar gap = flight_least_gap(at), approach = approach_of(self, at), before = time;
        if (!(gap > TOUCHING * width) || !(approach > 0)) return time;
        time = scalar_min(time + gap / approach, most);
        advance(self, time, at);
        if (at->count > 0 && !(approach_of(self, at) > 0))
            return closest_approach(self, before, time, ROUNDS - round, at);
    }
    return time;
}
