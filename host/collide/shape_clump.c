/* Clumps: overlapping spheres of a geometry, all of its lengths times size.x. They touch by their parts, each
 * a sphere (parts.h). */
#include "parts.h"

#include "base/vector.h"
#include "rotation.h"
#include "world/geometry.h"

scree_shape scree_clump(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_CLUMP, {scale, 0, 0}, geometry};
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
    for (int i = 0; i < shape.geometry->count; i++) {
        const geometry_ball *of = &shape.geometry->balls[i];
        const vec3s at = rotate(rotation, of->centre);
        most.x = scalar_max(most.x, scalar_abs(at.x) + of->radius);
        most.y = scalar_max(most.y, scalar_abs(at.y) + of->radius);
        most.z = scalar_max(most.z, scalar_abs(at.z) + of->radius);
    }
    return glms_vec3_scale(most, shape.size.x);
}

static scalar turning_radius(scree_shape shape) { return (scalar)radius(shape); }
static scalar half_width(scree_shape shape) { return shape.size.x * (scalar)shape.geometry->half_width; }

static int part_count(scree_shape shape) { return shape.geometry->count; }

static shape_part part_of(scree_shape shape, int part) {
    const geometry_ball *of = &shape.geometry->balls[part];
    return (shape_part){scree_sphere(shape.size.x * of->radius), glms_vec3_scale(of->centre, shape.size.x),
                        versor_of(0, 0, 0, 1)};
}

static void visit_near(scree_shape shape, bounds around, part_visit *visit, void *context) {
    for (int i = 0; i < shape.geometry->count; i++) {
        const shape_part part = part_of(shape, i);
        const scalar r = part.shape.size.x;
        const vec3s c = part.centre;
        if ((c.x + r >= around.lower.x) & (c.x - r <= around.upper.x) & (c.y + r >= around.lower.y) &
            (c.y - r <= around.upper.y) & (c.z + r >= around.lower.z) & (c.z - r <= around.upper.z))
            visit(context, i);
    }
}

const parts_row parts_clump = {part_count, part_of, visit_near, NULL};

const shape_row shape_clump = {"clump",        1,          false,        false,   volume,
                               radius,         sieve_size, unit_inertia, size_of, extent,
                               turning_radius, half_width, cut_clump,    NULL};
