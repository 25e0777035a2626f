/* Ellipsoids: size is the semi-axes along the body's axes. */
#include "shape.h"

#include "base/vector.h"
#include "shape_extent.h"
#include "rotation.h"

scree_shape scree_shape_ellipsoid(float x, float y, float z) {
    return (scree_shape){SCREE_SHAPE_ELLIPSOID, {x, y, z}, NULL};
}

static double volume(scree_shape shape) {
    return 4.0 / 3.0 * M_PI * (double)shape.size.x * (double)shape.size.y * (double)shape.size.z;
}

static double bounding_radius(scree_shape shape) {
    return fmax((double)shape.size.x, fmax((double)shape.size.y, (double)shape.size.z));
}

/* I_x = m (y² + z²)/5 with the semi-axes. */
static vec3s unit_inertia(scree_shape shape) {
    const float x = shape.size.x * shape.size.x / 5, y = shape.size.y * shape.size.y / 5,
                z = shape.size.z * shape.size.z / 5;
    return vec3_of(y + z, x + z, x + y);
}

/* The half extent along a direction n is ‖S n‖. */
static vec3s half_extent(scree_shape shape, versors rotation) {
    return ellipsoid_extent(vec3_in(shape.size), rotation);
}

const shape_row shape_ellipsoid =
    SHAPE_ROW("ellipsoid", .sizes = 3, .sieve_size = shape_middle_length, .size_from_box = shape_size_of_half,
              .turning_radius = shape_whole_radius, .half_width = shape_smallest_half, .cut = cut_ellipsoid);
