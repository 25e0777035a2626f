/* Cones about the body's z: size.x is the radius of the base, size.y the height. The base is at −h/4, the tip
 * at 3/4 h. */
#include "shape.h"

#include "base/vector.h"
#include "shape_extent.h"
#include "rotation.h"

scree_shape scree_shape_cone(float radius, float height) {
    return (scree_shape){SCREE_SHAPE_CONE, {radius, height, 0}, NULL};
}

static double volume(scree_shape shape) {
    return M_PI / 3 * (double)shape.size.x * (double)shape.size.x * (double)shape.size.y;
}

static double bounding_radius(scree_shape shape) {
    return fmax(0.75 * (double)shape.size.y, hypot((double)shape.size.x, 0.25 * (double)shape.size.y));
}

/* 3/10 r² along, 3/20 r² + 3/80 h² across. */
static vec3s unit_inertia(scree_shape shape) {
    const float r = shape.size.x * shape.size.x, across = 0.15f * r + 0.0375f * shape.size.y * shape.size.y;
    return vec3_of(across, across, 0.3f * r);
}

static scree_vec3 size_from_box(vec3s half) { return (scree_vec3){half.x, half.z / 0.75f, 0}; }

static vec3s half_extent(scree_shape shape, versors rotation) {
    return cone_extent(vec3_in(shape.size), rotation);
}

static scalar turning_radius(scree_shape shape) {
    const scalar base = shape.size.y / 4;
    return scalar_max(0.75f * shape.size.y, scalar_sqrt(shape.size.x * shape.size.x + base * base));
}

static scalar half_width(scree_shape shape) { return cone_half_width(vec3_in(shape.size)); }

const shape_row shape_cone =
    SHAPE_ROW("cone", .sizes = 2, .sieve_size = shape_diameter, .size_from_box = size_from_box,
              .turning_radius = turning_radius, .half_width = half_width, .cut = cut_cone);
