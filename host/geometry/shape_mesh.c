/* Meshes: sheets of triangles, all of their lengths times size.x. They collide by their children, each a
 * triangle (children.h). */
#include "children.h"

#include "base/vector.h"
#include "shape_extent.h"
#include "rotation.h"
#include "geometry.h"

scree_shape scree_shape_mesh(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_MESH, {scale, 0, 0}, geometry};
}

/* Extent of the box along the shape's own axes. */
static vec3s half_extent(scree_shape shape, versors rotation) {
    return box_turned_extent(glms_vec3_scale(shape.geometry->half, shape.size.x), rotation);
}

static int child_count(scree_shape shape) { return shape.geometry->surface.count; }

static shape_child child_of(scree_shape shape, int child) {
    const mesh *surface = &shape.geometry->surface;
    const mesh_triangle *of = &surface->triangles[child];
    const vec3s size = glms_vec3_scale(of->size, shape.size.x);
    return (shape_child){{SCREE_SHAPE_TRIANGLE, vec3_out(size), NULL},
                         glms_vec3_scale(surface->vertices[of->corners[0]], shape.size.x),
                         of->rotation};
}

static bool node_is_near(const void *around, const mesh_node *node) {
    return bounds_reach(around, node->lower, node->upper);
}

static void visit_near(scree_shape shape, bounds around, child_visit *visit, void *context) {
    const mesh *of = &shape.geometry->surface;
    around.lower = glms_vec3_scale(around.lower, 1 / shape.size.x);
    around.upper = glms_vec3_scale(around.upper, 1 / shape.size.x);
    mesh_walk walk = mesh_walk_begin();
    for (const mesh_node *leaf; (leaf = mesh_walk_next(&walk, of, node_is_near, &around));)
        for (int i = leaf->first; i < leaf->first + leaf->count; i++) {
            const int *corners = of->triangles[of->order[i]].corners;
            const vec3s a = of->vertices[corners[0]], b = of->vertices[corners[1]],
                        c = of->vertices[corners[2]];
            if (bounds_reach(&around, vec3_lesser(a, vec3_lesser(b, c)), vec3_greater(a, vec3_greater(b, c))))
                visit(context, of->order[i]);
        }
}

/* Enlargement of nodes, relative to their coordinates, so that rounding loses no triangle. */
static const scalar SLACK = 4e-6f;

typedef struct mesh_ray {
    vec3s origin, inverse;
} mesh_ray;

static bool node_is_along(const void *context, const mesh_node *node) {
    const mesh_ray *ray = context;
    const vec3s most = glms_vec3_add(vec3_absolute(node->lower), vec3_absolute(node->upper));
    const scalar margin = SLACK * (most.x + most.y + most.z);
    const vec3s around = vec3_of(margin, margin, margin);
    return ray_bounds(ray->origin, ray->inverse, glms_vec3_sub(node->lower, around),
                      glms_vec3_add(node->upper, around), RAY_FAR / 2) < RAY_FAR;
}

static void visit_along(scree_shape shape, vec3s origin, vec3s direction, child_visit *visit, void *context) {
    const mesh *of = &shape.geometry->surface;
    const mesh_ray ray = {
        glms_vec3_scale(origin, 1 / shape.size.x),
        vec3_of(ray_inverse(direction.x), ray_inverse(direction.y), ray_inverse(direction.z))};
    mesh_walk walk = mesh_walk_begin();
    for (const mesh_node *leaf; (leaf = mesh_walk_next(&walk, of, node_is_along, &ray));)
        for (int i = leaf->first; i < leaf->first + leaf->count; i++) visit(context, of->order[i]);
}

const children_row children_mesh = {
    .count = child_count, .child = child_of, .near = visit_near, .along = visit_along};

const shape_row shape_mesh = SCALED_SHAPE_ROW("mesh", false, shape_endless_inertia, half_extent, cut_nothing);
