#include "manifold.h"

#include "shape.h"

manifold manifold_of(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                     scalar reach) {
    if (shape_a.kind <= shape_b.kind)
        return shape_row_of(shape_b)->contacts[shape_a.kind](shape_a, pose_a, shape_b, pose_b, reach);
    manifold found = shape_row_of(shape_a)->contacts[shape_b.kind](shape_b, pose_b, shape_a, pose_a, reach);
    found.normal = glms_vec3_negate(found.normal);
    return found;
}
