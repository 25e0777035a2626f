/* Solids: the inside of a closed surface of triangles, all of its lengths times size.x. They collide by their
 * children (parts.h): one triangle each, from outside, and a last one, their hull, by which they touch
 * half-spaces. */
#include "compound_children.h"

#include "mesh_edges.h"
#include "rotation.h"
#include "scaled.h"
#include "geometry/geometry.h"

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

/* Drops contacts in which a triangle pushes towards the inside: the body touches another triangle from
 * outside, or it is too late to push it out. */
static void settle(scree_shape shape, body_pose pose, int part, const placed_child *by, scalar outward,
                   manifold *touch) {
    if (is_hull(shape, part)) return;
    const mesh *surface = &shape.geometry->surface;
    mesh_edges_settle(surface, shape.size.x, pose, part, by, outward, touch);
    const vec3s normal = rotate(pose.rotation, surface->triangles[part].normal);
    if (outward * glms_vec3_dot(normal, touch->normal) < -0.99f) touch->count = 0;
}

const children_row children_solid = {part_count, slice_of, visit_near, settle, NULL, false};

const shape_row shape_solid =
    SCALED_SHAPE_ROW("solid", true, scaled_unit_inertia, scaled_hull_extent, cut_surface, NULL);
