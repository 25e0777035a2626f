/* Capsules: all points within size.x of a line of half length size.y along the body's z. */
#include "shape.h"

#include "base/vector.h"
#include "shape_extent.h"
#include "rotation.h"

scree_shape scree_shape_capsule(float radius, float half_length) {
    return (scree_shape){SCREE_SHAPE_CAPSULE, {radius, half_length, 0}, NULL};
}

/* The volume of the cylinder, and of the two half balls. */
static double cylinder_volume(scree_shape shape) {
    return 2 * M_PI * (double)shape.size.x * (double)shape.size.x * (double)shape.size.y;
}
static double ends_volume(scree_shape shape) {
    return 4.0 / 3.0 * M_PI * (double)shape.size.x * (double)shape.size.x * (double)shape.size.x;
}
static double volume(scree_shape shape) { return cylinder_volume(shape) + ends_volume(shape); }

static double bounding_radius(scree_shape shape) { return (double)shape.size.x + (double)shape.size.y; }

/* With l the half length, the cylinder has the moments r²/2 about its axis and r²/4 + l²/3 across it, for
 * mass 1. A half ball, whose centre of mass is 3/8 r from its flat side, has 2/5 r² and 2/5 r² + l² + 3/4 l
 * r. */
static vec3s unit_inertia(scree_shape shape) {
    const double r = shape.size.x, l = shape.size.y, fraction = cylinder_volume(shape) / volume(shape);
    const double along = fraction * r * r / 2 + (1 - fraction) * 0.4 * r * r;
    const double across =
        fraction * (r * r / 4 + l * l / 3) + (1 - fraction) * (0.4 * r * r + l * l + 0.75 * l * r);
    return vec3_of((scalar)across, (scalar)across, (scalar)along);
}

static scree_vec3 size_from_box(vec3s half) { return (scree_vec3){half.x, half.z - half.x, 0}; }

static vec3s half_extent(scree_shape shape, versors rotation) {
    return capsule_extent(vec3_in(shape.size), rotation);
}

const shape_row shape_capsule =
    SHAPE_ROW("capsule", .sizes = 2, .sieve_size = shape_diameter, .size_from_box = size_from_box,
              .turning_radius = shape_whole_radius, .half_width = shape_first_size, .cut = cut_capsule);
