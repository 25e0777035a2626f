/* Contact points of a sphere with spheres, boxes, half-spaces and triangles. Each function sets count, normal
 * (from the first body to the second) and points. */
#pragma once

#include "manifold.h"

manifold sphere_sphere(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                       scalar reach);
manifold sphere_box(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                    scalar reach);
manifold sphere_half_space(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                           scalar reach);

/* A triangle is a sheet; the centre may be on either side. */
manifold sphere_triangle(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                         scalar reach);
