/* Triangles: sheets with corners at 0, (size.x, 0, 0) and (size.y, size.z, 0) in the body's axes, solid from
 * either side. Forces do not move them. */
#include "bounds.h"
#include "shape.h"

#include "rotation.h"

static double bounding_radius(scree_shape shape) {
    return (double)scalar_max(shape.size.x, glms_vec3_norm(vec3_of(shape.size.y, shape.size.z, 0)));
}

static double sieve_size(scree_shape shape) { return 2 * bounding_radius(shape); }

/* About the first corner. */
static vec3s half_extent(scree_shape shape, versors rotation) {
    const vec3s b = rotate(rotation, vec3_of(shape.size.x, 0, 0)),
                c = rotate(rotation, vec3_of(shape.size.y, shape.size.z, 0));
    return vec3_greater(vec3_absolute(b), vec3_absolute(c));
}

const shape_row shape_triangle = {.name = "triangle",
                                  .sizes = 1,
                                  .volume = shape_endless,
                                  .bounding_radius = bounding_radius,
                                  .sieve_size = sieve_size,
                                  .unit_inertia = shape_endless_inertia,
                                  .size_from_box = shape_size_of_half,
                                  .half_extent = half_extent,
                                  .turning_radius = shape_whole_radius,
                                  .half_width = shape_whole_radius,
                                  .cut = cut_nothing};
