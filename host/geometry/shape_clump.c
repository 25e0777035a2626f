/* Clumps: overlapping spheres of a geometry, all of its lengths times size.x. They collide by their children,
 * each a sphere (children.h). */
#include "children.h"

#include "base/vector.h"
#include "rotation.h"
#include "geometry.h"

scree_shape scree_shape_clump(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_CLUMP, {scale, 0, 0}, geometry};
}

/* About the origin, which need not be the middle. */
static vec3s half_extent(scree_shape shape, versors rotation) {
    vec3s most = vec3_of(0, 0, 0);
    for (int i = 0; i < shape.geometry->count; i++) {
        const geometry_ball *of = &shape.geometry->balls[i];
        const vec3s at = rotate(rotation, of->centre);
        most =
            vec3_greater(most, glms_vec3_add(vec3_absolute(at), vec3_of(of->radius, of->radius, of->radius)));
    }
    return glms_vec3_scale(most, shape.size.x);
}

static int child_count(scree_shape shape) { return shape.geometry->count; }

static shape_child child_of(scree_shape shape, int child) {
    const geometry_ball *of = &shape.geometry->balls[child];
    return (shape_child){scree_shape_sphere(shape.size.x * of->radius),
                         glms_vec3_scale(of->centre, shape.size.x), versor_of(0, 0, 0, 1)};
}

static void visit_near(scree_shape shape, bounds around, child_visit *visit, void *context) {
    for (int i = 0; i < shape.geometry->count; i++) {
        const shape_child child = child_of(shape, i);
        const vec3s r = vec3_of(child.shape.size.x, child.shape.size.x, child.shape.size.x);
        if (bounds_reach(&around, glms_vec3_sub(child.centre, r), glms_vec3_add(child.centre, r)))
            visit(context, i);
    }
}

const children_row children_clump = {
    .count = child_count, .child = child_of, .near = visit_near, .whole = true};

const shape_row shape_clump = SCALED_SHAPE_ROW("clump", false, scaled_unit_inertia, half_extent, cut_clump);
