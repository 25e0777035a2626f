/* Boxes: size is the half extents along the body's axes. */
#include "shape.h"

#include "base/vector.h"
#include "shape_extent.h"

scree_shape scree_shape_box(float x, float y, float z) {
    return (scree_shape){SCREE_SHAPE_BOX, {x, y, z}, NULL};
}

static double volume(scree_shape shape) {
    return 8.0 * (double)shape.size.x * (double)shape.size.y * (double)shape.size.z;
}

static double bounding_radius(scree_shape shape) {
    const double x = shape.size.x, y = shape.size.y, z = shape.size.z;
    return sqrt(x * x + y * y + z * z);
}

/* I_x = m (y² + z²)/3 with half extents. */
static vec3s unit_inertia(scree_shape shape) {
    const float x = shape.size.x * shape.size.x / 3, y = shape.size.y * shape.size.y / 3,
                z = shape.size.z * shape.size.z / 3;
    return vec3_of(y + z, x + z, x + y);
}

static vec3s half_extent(scree_shape shape, versors rotation) {
    return box_turned_extent(vec3_in(shape.size), rotation);
}

static scalar turning_radius(scree_shape shape) { return glms_vec3_norm(vec3_in(shape.size)); }

const shape_row shape_box = SHAPE_ROW("box", .sizes = 3, .flat = true, .sieve_size = shape_middle_length,
                                      .size_from_box = shape_size_of_half, .turning_radius = turning_radius,
                                      .half_width = shape_smallest_half, .cut = cut_flat_box);
