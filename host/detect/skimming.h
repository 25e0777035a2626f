/* Bodies that pass each other within the step although they approach. */
#ifndef SCREE_DETECT_SKIMMING_H
#define SCREE_DETECT_SKIMMING_H

#include "manifold.h"

/* What is left of the manifold of two bodies of which b moves at `velocity` (m/s) relative to a, which is its
 * own motion by the share `of_b`, while their surfaces turn by `turning` (m/s) against each other, when it is
 * looked at where they will be at the time of impact: all of it where they then stop each other along its
 * normal; nothing where one slides by the other, flush or apart; and where they meet along another normal by
 * the end of the step, that contact. Spheres (impact.h), half-spaces and triangles (mesh_edges.h) are left as
 * they are, and so is what turns by more than its way alone could tell. */
manifold skimming_settle(manifold found, scree_shape shape_a, body_pose pose_a, scree_shape shape_b,
                         body_pose pose_b, vec3s velocity, scalar of_b, scalar turning, scalar time_step);

#endif
