/* Contacts of spheres at the time of impact. */
#pragma once

#include "manifold.h"

/* manifold_of for bodies of which b moves at `velocity` (m/s) relative to a. If a sphere approaches a body
 * other than a half-space, the normal is that of the time of impact within the step, or of the closest
 * approach if they miss. The gap is measured along it, so that after the motion it is the gap at that time.
 * Points lie where they are on the other body before the step; between spheres they lie midway. */
manifold impact_manifold(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                         vec3s velocity, scalar time_step, scalar reach);
