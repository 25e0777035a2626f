/* Contacts at the time of impact: of spheres, and of bodies that pass each other within the step although
 * they approach (coplanar-edge rule). */
#pragma once

#include "flight.h"

/* manifold_of at the time of impact within the step, or at the closest approach if they miss, if a ball meets
 * another body or a convex shape meets a triangle; else at the start. `motion` (m) receives the motion until
 * then. The contacts of a ball are linearised already, with motion zero: a plane made of triangles then has
 * one point below the ball. */
manifold impact_manifold(const flight *self, scalar time_step, vec3s *motion);

/* Evaluates a manifold again at the time of impact. b moves at `velocity` (m/s) relative to a, of which the
 * fraction `of_b` is b's own motion; the surfaces rotate against each other at `turning_speed` (m/s). Returns
 * the manifold unchanged if the bodies then stop each other along its normal, else the contact along another
 * one. Where they slide past each other, flush or apart, its gaps are at least their approach along it in the
 * step. Leaves unchanged: spheres, half-spaces, triangles (child_contacts.h), and bodies that rotate too much
 * for their translation to decide. */
manifold skimming_settle(manifold found, scree_shape shape_a, body_pose pose_a, scree_shape shape_b,
                         body_pose pose_b, vec3s velocity, scalar of_b, scalar turning_speed,
                         scalar time_step);
