/* Cylinders about the body's z: size.x is the radius, size.y half the height. */
#include "shape.h"

#include "base/vector.h"
#include "shape_extent.h"
#include "rotation.h"

scree_shape scree_shape_cylinder(float radius, float half_height) {
    return (scree_shape){SCREE_SHAPE_CYLINDER, {radius, half_height, 0}, NULL};
}

static double volume(scree_shape shape) {
    return 2 * M_PI * (double)shape.size.x * (double)shape.size.x * (double)shape.size.y;
}

static double bounding_radius(scree_shape shape) { return hypot((double)shape.size.x, (double)shape.size.y); }

/* r²/2 along, r²/4 + h²/3 across, with half the height h. */
static vec3s unit_inertia(scree_shape shape) {
    const float r = shape.size.x * shape.size.x, across = r / 4 + shape.size.y * shape.size.y / 3;
    return vec3_of(across, across, r / 2);
}

static scree_vec3 size_from_box(vec3s half) { return (scree_vec3){half.x, half.z, 0}; }

/* A disc with the unit normal n reaches r √(1 − n_k²) along axis k. */
static vec3s half_extent(scree_shape shape, versors rotation) {
    return cylinder_extent(vec3_in(shape.size), rotation);
}

static scalar turning_radius(scree_shape shape) {
    return scalar_sqrt(shape.size.x * shape.size.x + shape.size.y * shape.size.y);
}
static scalar half_width(scree_shape shape) { return scalar_min(shape.size.x, shape.size.y); }

const shape_row shape_cylinder =
    SHAPE_ROW("cylinder", .sizes = 2, .sieve_size = shape_diameter, .size_from_box = size_from_box,
              .turning_radius = turning_radius, .half_width = half_width, .cut = cut_cylinder);
