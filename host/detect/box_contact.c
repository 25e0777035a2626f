#include "box_contact.h"

#include "base/vector.h"

manifold box_half_space(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                        scalar reach) {
    (void)shape_b;
    return manifold_from(box_half_space_points(vec3_in(shape_a.size), pose_a, pose_b, reach));
}

manifold box_box_along(oriented_box a, oriented_box b, box_axes axes, scalar reach) {
    return manifold_from(box_points(a, b, box_separation_of(a, b, axes), reach));
}

manifold box_box(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b, scalar reach) {
    return manifold_from(box_box_points(vec3_in(shape_a.size), pose_a, vec3_in(shape_b.size), pose_b, reach));
}
