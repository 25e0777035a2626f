/* The contact of a child with a triangle (kernels/mesh_edges.h). */
#include "child_contacts.h"

#include "base/vector.h"
#include "geometry/bounds.h"

static inline manifold_points edge_over_plane(const placed_child *body, body_pose plane, scalar reach) {
    const manifold found = manifold_of(scree_shape_half_space(), plane, body->shape, body->pose, reach);
    return manifold_points_in(&found);
}

#define EDGE_SHAPE const placed_child *
#include "mesh_edges.h"

void mesh_edges_reduce(const mesh *self, scalar scale, body_pose pose, int triangle, const placed_child *body,
                       scalar outward, manifold *touch) {
    const edge_triangle at = {mesh_table_of(self), triangle, scale, pose, outward};
    const edge_body of = {(int)body->shape.kind, bounds_half_width(body->shape), body->shape.size.x,
                          body->pose};
    const manifold_points kept = mesh_edges_reduced(at, of, body, manifold_points_in(touch));
    touch->count = kept.count, touch->normal = kept.normal;
    for (int i = 0; i < kept.count; i++) touch->points[i] = kept.points[i];
}
