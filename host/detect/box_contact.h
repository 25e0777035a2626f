/* Contact points of a box with boxes and half-spaces (kernels/box_points.h). Each function sets count, normal
 * (from the first body to the second) and points. */
#pragma once

#include "box_points.h"
#include "manifold.h"

manifold box_box(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b, scalar reach);
/* box_box for two boxes that are not separated, with the given axes and coordinates from a's centre. */
manifold box_box_along(oriented_box a, oriented_box b, box_axes axes, scalar reach);
manifold box_half_space(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                        scalar reach);
