/* Clumps: overlapping spheres of a geometry, all of its lengths times size.x. They collide by their children,
 * each a sphere (children.h). */
#include "children.h"

#include "base/vector.h"
#include "rotation.h"
#include "scaled.h"
#include "geometry.h"

scree_shape scree_shape_clump(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_CLUMP, {scale, 0, 0}, geometry};
}

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

static int part_count(scree_shape shape) { return shape.geometry->count; }

static shape_child slice_of(scree_shape shape, int part) {
    const geometry_ball *of = &shape.geometry->balls[part];
    return (shape_child){scree_shape_sphere(shape.size.x * of->radius),
                         glms_vec3_scale(of->centre, shape.size.x), versor_of(0, 0, 0, 1)};
}

static void visit_near(scree_shape shape, bounds around, part_visit *visit, void *context) {
    for (int i = 0; i < shape.geometry->count; i++) {
        const shape_child part = slice_of(shape, i);
        const scalar r = part.shape.size.x;
        const vec3s c = part.centre;
        if ((c.x + r >= around.lower.x) & (c.x - r <= around.upper.x) & (c.y + r >= around.lower.y) &
            (c.y - r <= around.upper.y) & (c.z + r >= around.lower.z) & (c.z - r <= around.upper.z))
            visit(context, i);
    }
}

const children_row children_clump = {
    .count = part_count, .part = slice_of, .near = visit_near, .whole = true};

const shape_row shape_clump = SCALED_SHAPE_ROW("clump", false, scaled_unit_inertia, extent, cut_clump);
