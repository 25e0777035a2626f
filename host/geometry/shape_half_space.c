/* Half-spaces: all points below the body's own plane z = 0. They have no sizes and are infinite. */
#include "shape.h"

scree_shape scree_shape_half_space(void) { return (scree_shape){SCREE_SHAPE_HALF_SPACE, {0, 0, 0}, NULL}; }

static double endless(scree_shape shape) { return (void)shape, INFINITY; }
static scalar endless_scalar(scree_shape shape) { return (void)shape, INFINITY; }

static vec3s unit_inertia(scree_shape shape) {
    (void)shape;
    return vec3_of(INFINITY, INFINITY, INFINITY);
}

static scree_vec3 size_of(vec3s half) { return (void)half, (scree_vec3){0, 0, 0}; }

static vec3s extent(scree_shape shape, versors rotation) {
    (void)shape, (void)rotation;
    return vec3_of(INFINITY, INFINITY, INFINITY);
}

const shape_row shape_half_space = {.name = "half-space",
                                    .plane = true,
                                    .flat = true,
                                    .volume = endless,
                                    .radius = endless,
                                    .sieve_size = endless,
                                    .unit_inertia = unit_inertia,
                                    .size_of = size_of,
                                    .extent = extent,
                                    .turning_radius = endless_scalar,
                                    .half_width = endless_scalar,
                                    .cut = cut_half_space};
