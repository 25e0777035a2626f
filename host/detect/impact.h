/* Contacts at the time of impact: of spheres, and of bodies that pass each other within the step although
 * they approach (coplanar-edge rule). */
#pragma once

#include "manifold.h"

/* manifold_of for bodies of which b moves at `velocity` (m/s) relative to a. If a sphere approaches a body
 * other than a half-space, the normal is that of the time of impact within the step, or of the closest
 * approach if they miss. The gap is measured along it, so that after the motion it is the gap at that time.
 * Points lie where they are on the other body before the step; between spheres they lie midway. */
manifold impact_manifold(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                         vec3s velocity, scalar time_step, scalar reach);

/* Evaluates a manifold again at the time of impact. b moves at `velocity` (m/s) relative to a, of which the
 * fraction `of_b` is b's own motion; the surfaces rotate against each other at `turning` (m/s). Returns the
 * manifold unchanged if the bodies then stop each other along its normal, an empty one if they slide past
 * each other, flush or apart, or the contact along another normal in which they meet by the end of the step.
 * Leaves unchanged: spheres, half-spaces, triangles (child_contacts.h), and bodies that rotate too
 * much for their translation to decide. */
manifold skimming_settle(manifold found, scree_shape shape_a, body_pose pose_a, scree_shape shape_b,
                         body_pose pose_b, vec3s velocity, scalar of_b, scalar turning, scalar time_step);
