#include "scaled.h"

#include "rotation.h"
#include "geometry.h"

static double scale_of(scree_shape shape) { return (double)shape.size.x; }

double scaled_volume(scree_shape shape) {
    const double scale = scale_of(shape);
    return scale * scale * scale * shape.geometry->volume;
}

double scaled_radius(scree_shape shape) { return scale_of(shape) * shape.geometry->radius; }
double scaled_sieve_size(scree_shape shape) { return scale_of(shape) * shape.geometry->sieve_size; }

vec3s scaled_unit_inertia(scree_shape shape) {
    return glms_vec3_scale(shape.geometry->unit_inertia, shape.size.x * shape.size.x);
}

scree_vec3 scaled_size_of(vec3s half) { return (scree_vec3){half.x, 0, 0}; }
scalar scaled_turning_radius(scree_shape shape) {
    return (scalar)(scale_of(shape) * shape.geometry->turning_radius);
}
scalar scaled_half_width(scree_shape shape) { return shape.size.x * (scalar)shape.geometry->half_width; }

vec3s scaled_hull_extent(scree_shape shape, versors rotation) {
    vec3s most = vec3_of(0, 0, 0);
    for (int i = 0; i < shape.geometry->corner_count; i++) {
        const hull_corner *of = &shape.geometry->corners[i];
        const vec3s at = rotate(rotation, vec3_of(of->x, of->y, of->z));
        most.x = scalar_max(most.x, scalar_abs(at.x));
        most.y = scalar_max(most.y, scalar_abs(at.y));
        most.z = scalar_max(most.z, scalar_abs(at.z));
    }
    return glms_vec3_scale(most, shape.size.x);
}
