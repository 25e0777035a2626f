/* Half-spaces: all points below the body's own plane z = 0. They have no sizes and are infinite. */
#include "shape.h"

scree_shape scree_shape_half_space(void) { return (scree_shape){SCREE_SHAPE_HALF_SPACE, {0, 0, 0}, NULL}; }

static scree_vec3 size_from_box(vec3s half) { return (void)half, (scree_vec3){0, 0, 0}; }

static vec3s half_extent(scree_shape shape, versors rotation) {
    (void)rotation;
    return shape_endless_inertia(shape);
}

const shape_row shape_half_space = {.name = "half-space",
                                    .plane = true,
                                    .flat = true,
                                    .volume = shape_endless,
                                    .bounding_radius = shape_endless,
                                    .sieve_size = shape_endless,
                                    .unit_inertia = shape_endless_inertia,
                                    .size_from_box = size_from_box,
                                    .half_extent = half_extent,
                                    .turning_radius = shape_whole_radius,
                                    .half_width = shape_whole_radius,
                                    .cut = cut_half_space};
