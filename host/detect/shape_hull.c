/* Hulls: the convex hull of a geometry's points, all of its lengths times size.x. */
#include "shape.h"

#include "convex_contact.h"
#include "scaled.h"

scree_shape scree_shape_hull(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_HULL, {scale, 0, 0}, geometry};
}

/* Clumps and meshes collide by their children. */
static manifold never(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                      scalar reach) {
    (void)shape_a, (void)pose_a, (void)shape_b, (void)pose_b, (void)reach;
    return (manifold){0};
}

SHAPE_CONTACTS(HULL, convex_convex, convex_convex, half_space_convex, convex_convex, convex_convex,
               convex_convex, convex_convex, never, convex_convex, never, convex_convex);

const shape_row shape_hull =
    SCALED_SHAPE_ROW("hull", true, scaled_unit_inertia, scaled_hull_extent, cut_surface, contacts);
