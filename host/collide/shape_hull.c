/* Hulls: the convex hull of a geometry's points, all of its lengths times size.x. */
#include "shape.h"

#include "base/vector.h"
#include "convex_contact.h"
#include "rotation.h"
#include "world/geometry.h"

scree_shape scree_hull(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_HULL, {scale, 0, 0}, geometry};
}

static double scale_of(scree_shape shape) { return (double)shape.size.x; }

static double volume(scree_shape shape) {
    const double scale = scale_of(shape);
    return scale * scale * scale * shape.geometry->volume;
}

static double radius(scree_shape shape) { return scale_of(shape) * shape.geometry->radius; }
static double sieve_size(scree_shape shape) { return scale_of(shape) * shape.geometry->sieve_size; }

static vec3s unit_inertia(scree_shape shape) {
    return glms_vec3_scale(shape.geometry->unit_inertia, shape.size.x * shape.size.x);
}

/* Files keep the scale. */
static scree_vec3 size_of(vec3s half) { return (scree_vec3){half.x, 0, 0}; }

/* About the origin, which need not be the middle. */
static vec3s extent(scree_shape shape, versors rotation) {
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

static scalar turning_radius(scree_shape shape) { return (scalar)radius(shape); }
static scalar half_width(scree_shape shape) { return shape.size.x * (scalar)shape.geometry->half_width; }

/* Clumps and meshes touch by their parts. */
static manifold never(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                      scalar reach) {
    (void)shape_a, (void)pose_a, (void)shape_b, (void)pose_b, (void)reach;
    return (manifold){0};
}

SHAPE_CONTACTS(HULL, convex_convex, convex_convex, half_space_convex, convex_convex, convex_convex,
               convex_convex, convex_convex, never, convex_convex, never, convex_convex);

const shape_row shape_hull = {"hull",         1,          false,        true,    volume,
                              radius,         sieve_size, unit_inertia, size_of, extent,
                              turning_radius, half_width, cut_surface,  contacts};
