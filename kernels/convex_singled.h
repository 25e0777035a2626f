/* Contact points of convex shapes at poses in single precision, found in double precision, on a device. A
 * program includes convex.h in double precision before this file (double_begin.h). */
#ifndef SCREE_KERNELS_CONVEX_SINGLED_H
#define SCREE_KERNELS_CONVEX_SINGLED_H

#include "hull_tables.h"
#include "layout.h"
#include "manifold_points.h"

#ifdef __OPENCL_VERSION__

SHARED vec3s_double doubled(vec3s v) { return vec3_of_double(v.x, v.y, v.z); }
SHARED vec3s singled(vec3s_double v) { return vec3_of((float)v.x, (float)v.y, (float)v.z); }
SHARED versors_double doubled_turn(versors q) { return versor_of_double(q.x, q.y, q.z, q.w); }

/* Coordinates from the first body's centre keep their precision far from the world's origin. */
SHARED vec3s_double placed_from(body_pose pose, vec3s origin) {
    return glms_vec3_sub_double(doubled(pose.position), doubled(origin));
}

SHARED convex placed_convex(convex_shape of, body_pose pose, vec3s origin, hull_tables tables) {
    hull_table hull;
    hull.corners = tables.corners + of.first_corner, hull.sides = tables.sides + of.first_side;
    hull.corner_count = of.corner_count, hull.side_count = of.side_count;
    return convex_of(of.kind, doubled(of.size), hull, of.width, placed_from(pose, origin),
                     doubled_turn(pose.rotation));
}

/* Rounds contact points, and moves them by `origin`. */
SHARED manifold_points points_singled(manifold_points_double found, vec3s origin) {
    manifold_points out;
    out.count = found.count, out.mean = found.mean, out.normal = singled(found.normal);
    for (int k = 0; k < found.count; k++) {
        const manifold_point_double point = found.points[k];
        out.points[k] = manifold_point_of(glms_vec3_add(singled(point.position), origin), (float)point.gap,
                                          point.feature);
    }
    return out;
}

/* Returns the contact points of two shapes in the order of their kinds, with the normal from a to b; along
 * the mean normals of sides if `level`. */
SHARED manifold_points convex_points_found(convex_shape a, body_pose pose_a, convex_shape b, body_pose pose_b,
                                           hull_tables tables, float reach, int level) {
    const vec3s origin = pose_a.position;
    return points_singled(convex_contact_found(placed_convex(a, pose_a, origin, tables),
                                               placed_convex(b, pose_b, origin, tables), reach, level),
                          origin);
}

/* Returns the contact points of a shape with a half-space, with the normal from the shape. */
SHARED manifold_points convex_plane_points(convex_shape a, body_pose pose, body_pose plane,
                                           hull_tables tables, float reach) {
    const vec3s_double outward =
        rotate_double(rotation_normalised_double(doubled_turn(plane.rotation)), vec3_of_double(0, 0, 1));
    const vec3s own = pose.position;
    return points_singled(
        convex_over_plane(placed_convex(a, pose, own, tables), placed_from(plane, own), outward, reach), own);
}

#endif

#endif
