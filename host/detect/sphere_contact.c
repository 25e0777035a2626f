#include "sphere_contact.h"

#include "base/vector.h"
#include "sphere_points.h"

manifold sphere_sphere(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                       scalar reach) {
    return manifold_from(
        sphere_sphere_points(shape_a.size.x, pose_a.position, shape_b.size.x, pose_b.position, reach));
}

manifold sphere_box(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                    scalar reach) {
    return manifold_from(
        sphere_box_points(shape_a.size.x, pose_a.position, vec3_in(shape_b.size), pose_b, reach));
}

manifold sphere_half_space(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                           scalar reach) {
    (void)shape_b;
    return manifold_from(sphere_half_space_points(shape_a.size.x, pose_a.position, pose_b, reach));
}

manifold sphere_triangle(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                         scalar reach) {
    return manifold_from(
        sphere_triangle_points(shape_a.size.x, pose_a.position, vec3_in(shape_b.size), pose_b, reach));
}
