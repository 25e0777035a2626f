/* Triangles: sheets with corners at 0, (size.x, 0, 0) and (size.y, size.z, 0) in the body's axes, solid from
 * either side. Forces do not move them. */
#include "shape.h"

#include "base/vector.h"
#include "rotation.h"

static double volume(scree_shape shape) { return (void)shape, INFINITY; }

static scalar reach_of(scree_shape shape) {
    return scalar_max(shape.size.x, glms_vec3_norm(vec3_of(shape.size.y, shape.size.z, 0)));
}

static double radius(scree_shape shape) { return (double)reach_of(shape); }
static double sieve_size(scree_shape shape) { return 2 * (double)reach_of(shape); }

static vec3s unit_inertia(scree_shape shape) {
    (void)shape;
    return vec3_of(INFINITY, INFINITY, INFINITY);
}

static scree_vec3 size_of(vec3s half) { return vec3_out(half); }

/* About the first corner. */
static vec3s extent(scree_shape shape, versors rotation) {
    const vec3s b = rotate(rotation, vec3_of(shape.size.x, 0, 0)),
                c = rotate(rotation, vec3_of(shape.size.y, shape.size.z, 0));
    return vec3_of(scalar_max(scalar_abs(b.x), scalar_abs(c.x)), scalar_max(scalar_abs(b.y), scalar_abs(c.y)),
                   scalar_max(scalar_abs(b.z), scalar_abs(c.z)));
}

static scalar turning_radius(scree_shape shape) { return reach_of(shape); }
static scalar half_width(scree_shape shape) { return reach_of(shape); }

const shape_row shape_triangle = {.name = "triangle",
                                  .sizes = 1,
                                  .volume = volume,
                                  .radius = radius,
                                  .sieve_size = sieve_size,
                                  .unit_inertia = unit_inertia,
                                  .size_of = size_of,
                                  .extent = extent,
                                  .turning_radius = turning_radius,
                                  .half_width = half_width,
                                  .cut = cut_nothing};
