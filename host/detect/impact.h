/* Contacts of spheres at the time at which they will be made. */
#ifndef SCREE_DETECT_IMPACT_H
#define SCREE_DETECT_IMPACT_H

#include "manifold.h"

/* manifold_of for bodies of which b moves at `velocity` (m/s) relative to a. Where a sphere flies at a sphere
 * or a box, the normal is that of the moment of impact within the step, or of the closest approach when they
 * miss, and the gap is measured along it: what is left of it after the motion is the gap at that moment.
 * Points are given where they lie on a box before the step, and between spheres midway. */
manifold impact_manifold(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                         vec3s velocity, scalar time_step, scalar reach);

#endif
