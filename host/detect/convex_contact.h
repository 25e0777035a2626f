/* Contact points of two convex shapes, or of one with a half-space, from their support functions. Each
 * function sets count, normal (from the first body to the second) and points. */
#pragma once

#include "manifold.h"

manifold convex_convex(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                       scalar reach);
/* The half-space comes first, by the order of kinds. */
manifold half_space_convex(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                           scalar reach);
