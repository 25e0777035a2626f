/* Meshes: sheets of triangles, all of their lengths times size.x. They collide by their children, each a
 * triangle (children.h). */
#include "children.h"

#include "base/vector.h"
#include "rotation.h"
#include "scaled.h"
#include "geometry.h"

enum { TREE_DEPTH = 64 };

scree_shape scree_shape_mesh(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_MESH, {scale, 0, 0}, geometry};
}

static vec3s unit_inertia(scree_shape shape) {
    (void)shape;
    return vec3_of(INFINITY, INFINITY, INFINITY);
}

static vec3s absolute(vec3s v) { return vec3_of(scalar_abs(v.x), scalar_abs(v.y), scalar_abs(v.z)); }

/* Extent of the box along the shape's own axes. */
static vec3s extent(scree_shape shape, versors rotation) {
    const vec3s half = glms_vec3_scale(shape.geometry->half, shape.size.x);
    const vec3s x = absolute(rotate(rotation, vec3_of(half.x, 0, 0))),
                y = absolute(rotate(rotation, vec3_of(0, half.y, 0))),
                z = absolute(rotate(rotation, vec3_of(0, 0, half.z)));
    return glms_vec3_add(x, glms_vec3_add(y, z));
}

static int part_count(scree_shape shape) { return shape.geometry->surface.count; }

static shape_child slice_of(scree_shape shape, int part) {
    const mesh *surface = &shape.geometry->surface;
    const mesh_triangle *of = &surface->triangles[part];
    const vec3s size = glms_vec3_scale(of->size, shape.size.x);
    return (shape_child){{SCREE_SHAPE_TRIANGLE, vec3_out(size), NULL},
                         glms_vec3_scale(surface->vertices[of->corners[0]], shape.size.x),
                         of->rotation};
}

static bool meets(vec3s lower, vec3s upper, const bounds *around) {
    return (lower.x <= around->upper.x) & (around->lower.x <= upper.x) & (lower.y <= around->upper.y) &
           (around->lower.y <= upper.y) & (lower.z <= around->upper.z) & (around->lower.z <= upper.z);
}

/* Descends the tree, whose depth is the logarithm of the number of triangles. */
static void visit_near(scree_shape shape, bounds around, part_visit *visit, void *context) {
    const mesh *of = &shape.geometry->surface;
    int stack[TREE_DEPTH], depth = 0;
    around.lower = glms_vec3_scale(around.lower, 1 / shape.size.x);
    around.upper = glms_vec3_scale(around.upper, 1 / shape.size.x);
    stack[depth++] = 0;
    while (depth > 0) {
        const mesh_node *node = &of->nodes[stack[--depth]];
        if (!meets(node->lower, node->upper, &around)) continue;
        if (node->child) {
            stack[depth++] = node->child + 1;
            stack[depth++] = node->child;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; i++) {
            const int *corners = of->triangles[of->order[i]].corners;
            const vec3s a = of->vertices[corners[0]], b = of->vertices[corners[1]],
                        c = of->vertices[corners[2]];
            const vec3s lower = vec3_of(scalar_min(a.x, scalar_min(b.x, c.x)),
                                        scalar_min(a.y, scalar_min(b.y, c.y)),
                                        scalar_min(a.z, scalar_min(b.z, c.z))),
                        upper = vec3_of(scalar_max(a.x, scalar_max(b.x, c.x)),
                                        scalar_max(a.y, scalar_max(b.y, c.y)),
                                        scalar_max(a.z, scalar_max(b.z, c.z)));
            if (meets(lower, upper, &around)) visit(context, of->order[i]);
        }
    }
}

/* Enlargement of nodes, relative to their coordinates, so that rounding loses no triangle. */
static const scalar SLACK = 4e-6f;

static void visit_along(scree_shape shape, vec3s origin, vec3s direction, part_visit *visit, void *context) {
    const mesh *of = &shape.geometry->surface;
    const vec3s inverse =
        vec3_of(ray_inverse(direction.x), ray_inverse(direction.y), ray_inverse(direction.z));
    int stack[TREE_DEPTH], depth = 0;
    origin = glms_vec3_scale(origin, 1 / shape.size.x);
    stack[depth++] = 0;
    while (depth > 0) {
        const mesh_node *node = &of->nodes[stack[--depth]];
        const vec3s most = glms_vec3_add(absolute(node->lower), absolute(node->upper));
        const scalar margin = SLACK * (most.x + most.y + most.z);
        const vec3s around = vec3_of(margin, margin, margin);
        if (ray_bounds(origin, inverse, glms_vec3_sub(node->lower, around),
                       glms_vec3_add(node->upper, around), RAY_FAR / 2) >= RAY_FAR)
            continue;
        if (node->child) {
            stack[depth++] = node->child + 1;
            stack[depth++] = node->child;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; i++) visit(context, of->order[i]);
    }
}

const children_row children_mesh = {
    .count = part_count, .part = slice_of, .near = visit_near, .along = visit_along};

const shape_row shape_mesh = SCALED_SHAPE_ROW("mesh", false, unit_inertia, extent, cut_nothing);
