/* Two convex shapes on a relative translation: their contact after a motion, and the time of impact. */
#pragma once

#include "manifold.h"

/* The second shape moves at `velocity` (m/s) relative to the first. */
typedef struct flight {
    scree_shape shape_a, shape_b;
    body_pose pose_a, pose_b;
    vec3s velocity;
    scalar of_b;  /* fraction of the motion that is b's, 0 to 1 */
    scalar reach; /* largest gap of a contact, m */
} flight;

/* Returns the manifold after a motion of b relative to a, m. */
manifold flight_after(const flight *self, vec3s motion);
/* Returns the smallest gap of a manifold; INFINITY if it is empty. */
scalar flight_least_gap(const manifold *found);
/* Moves a manifold found after a motion back to before it, with its gaps measured along its normal. Points
 * stay where they are on the body that moves, or halfway if both may; otherwise the normal would pass the
 * body on one side and rotate it. */
manifold flight_linearised(manifold found, vec3s motion, scalar of_b);
/* Returns the time at which the gap closes, the time of the closest approach if it never does, or `most`, s.
 * `at` has the manifold at the start, and receives that of the returned time. `width`: smaller half width. */
scalar flight_time_of_impact(const flight *self, scalar most, scalar width, manifold *at);
