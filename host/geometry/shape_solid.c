/* Solids: the inside of a closed surface of triangles, all of its lengths times size.x. They collide by their
 * children (children.h): one triangle each, from outside, and a last one, their hull, by which they touch
 * half-spaces. */
#include "children.h"

#include "rotation.h"
#include "scaled.h"
#include "geometry.h"

scree_shape scree_shape_solid(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_SOLID, {scale, 0, 0}, geometry};
}

static int part_count(scree_shape shape) { return children_mesh.count(shape) + 1; }

static bool is_hull(scree_shape shape, int part) { return part == children_mesh.count(shape); }

static shape_child slice_of(scree_shape shape, int part) {
    if (!is_hull(shape, part)) return children_mesh.part(shape, part);
    return (shape_child){
        {SCREE_SHAPE_HULL, shape.size, shape.geometry}, vec3_of(0, 0, 0), versor_of(0, 0, 0, 1)};
}

/* Only half-spaces are unbounded. */
static void visit_near(scree_shape shape, bounds around, part_visit *visit, void *context) {
    if (isinf(around.upper.x))
        visit(context, children_mesh.count(shape));
    else
        children_mesh.near(shape, around, visit, context);
}

const children_row children_solid = {.count = part_count, .part = slice_of, .near = visit_near};

const shape_row shape_solid =
    SCALED_SHAPE_ROW("solid", true, scaled_unit_inertia, scaled_hull_extent, cut_surface);
