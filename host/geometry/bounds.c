#include "bounds.h"

#include "base/vector.h"
#include "geometry.h"
#include "rotation.h"
#include "shape.h"

static bounds box_around(vec3s centre, vec3s extent, scalar padding) {
    const vec3s padded = glms_vec3_add(extent, vec3_of(padding, padding, padding));
    return (bounds){glms_vec3_sub(centre, padded), padding, glms_vec3_add(centre, padded), 0};
}

/* Returns the centre of a shape's box, from its origin along its own axes. */
static vec3s middle_of(scree_shape shape) {
    return shape.geometry ? glms_vec3_scale(shape.geometry->middle, shape.size.x) : vec3_of(0, 0, 0);
}

static vec3s middle_at(scree_shape shape, body_pose pose) {
    return shape.geometry ? glms_vec3_add(pose.position, rotate(pose.rotation, middle_of(shape)))
                          : pose.position;
}

bounds bounds_padded(const scree_shape *shape, body_pose pose, scalar padding) {
    return box_around(middle_at(*shape, pose), shape_row_of(*shape)->extent(*shape, pose.rotation), padding);
}

bounds bounds_of(scree_shape shape, body_pose pose) { return bounds_padded(&shape, pose, 0); }

vec3s bounds_half_size(scree_shape shape) {
    const vec3s extent = shape_row_of(shape)->extent(shape, versor_of(0, 0, 0, 1)), middle = middle_of(shape);
    return glms_vec3_add(extent, vec3_of(scalar_abs(middle.x), scalar_abs(middle.y), scalar_abs(middle.z)));
}

scalar bounds_turning_radius(scree_shape shape) { return shape_row_of(shape)->turning_radius(shape); }

scalar bounds_half_width(scree_shape shape) { return shape_row_of(shape)->half_width(shape); }
