/* Hulls, the convex hull of a geometry's points, and solids, the inside of a closed surface of triangles. All
 * of their lengths are times size.x. Solids collide by their children (children.h): one triangle each, from
 * outside, and a last one, their hull, by which they touch half-spaces. */
#include "children.h"

#include "geometry.h"
#include "rotation.h"

scree_shape scree_shape_hull(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_HULL, {scale, 0, 0}, geometry};
}

/* About the origin, which need not be the middle. */
static vec3s half_extent(scree_shape shape, versors rotation) {
    vec3s most = vec3_of(0, 0, 0);
    for (int i = 0; i < shape.geometry->corner_count; i++) {
        const hull_corner *of = &shape.geometry->corners[i];
        const vec3s at = rotate(rotation, vec3_of(of->x, of->y, of->z));
        most = vec3_greater(most, vec3_absolute(at));
    }
    return glms_vec3_scale(most, shape.size.x);
}

scree_shape scree_shape_solid(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_SOLID, {scale, 0, 0}, geometry};
}

static int child_count(scree_shape shape) { return children_mesh.count(shape) + 1; }

static shape_child child_of(scree_shape shape, int child) {
    if (child < children_mesh.count(shape)) return children_mesh.child(shape, child);
    return (shape_child){
        {SCREE_SHAPE_HULL, shape.size, shape.geometry}, vec3_of(0, 0, 0), versor_of(0, 0, 0, 1)};
}

/* Only half-spaces are unbounded. */
static void visit_near(scree_shape shape, bounds around, child_visit *visit, void *context) {
    if (isinf(around.upper.x))
        visit(context, children_mesh.count(shape));
    else
        children_mesh.near(shape, around, visit, context);
}

const children_row children_solid = {.count = child_count, .child = child_of, .near = visit_near};

const shape_row shape_solid = SCALED_SHAPE_ROW("solid", true, scaled_unit_inertia, half_extent, cut_surface);
const shape_row shape_hull = SCALED_SHAPE_ROW("hull", true, scaled_unit_inertia, half_extent, cut_surface);
