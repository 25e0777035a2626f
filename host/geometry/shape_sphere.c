/* Spheres: shape.size.x is the radius. */
#include "shape.h"

#include "base/vector.h"
#include "shape_extent.h"
scree_shape scree_shape_sphere(float radius) {
    return (scree_shape){SCREE_SHAPE_SPHERE, {radius, 0, 0}, NULL};
}

static double volume(scree_shape shape) {
    return 4.0 / 3.0 * M_PI * (double)shape.size.x * (double)shape.size.x * (double)shape.size.x;
}

static double bounding_radius(scree_shape shape) { return shape.size.x; }

/* I = 2/5 m r². */
static vec3s unit_inertia(scree_shape shape) {
    const float i = 0.4f * shape.size.x * shape.size.x;
    return vec3_of(i, i, i);
}

static vec3s half_extent(scree_shape shape, versors rotation) {
    (void)rotation;
    return ball_extent(vec3_in(shape.size));
}

static scalar turning_radius(scree_shape shape) { return (void)shape, 0; }

const shape_row shape_sphere = SHAPE_ROW(
    "sphere", .sizes = 1, .ball = true, .sieve_size = shape_diameter, .size_from_box = shape_first_of_half,
    .turning_radius = turning_radius, .half_width = shape_first_size, .cut = cut_sphere);
