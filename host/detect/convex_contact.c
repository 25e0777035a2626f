#include "convex_contact.h"

#include "body_bounds.h"
#include "convex_pair.h"
#include "geometry/geometry.h"

static hull_table hull_of(scree_shape shape) {
    const scree_geometry *of = shape.geometry;
    if (shape.kind != SCREE_SHAPE_HULL) return (hull_table){0};
    return (hull_table){of->corners, of->sides, of->corner_count, of->side_count};
}

/* Coordinates from the first body's centre keep their precision far from the world's origin. */
static convex_body body_of(scree_shape shape, body_pose pose, vec3s origin) {
    return (convex_body){.kind = (int)shape.kind,
                         .size = {shape.size.x, shape.size.y, shape.size.z},
                         .hull = hull_of(shape),
                         .width = bounds_half_width(shape),
                         .centre = {(double)pose.position.x - (double)origin.x,
                                    (double)pose.position.y - (double)origin.y,
                                    (double)pose.position.z - (double)origin.z},
                         .rotation = {pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w}};
}

static vec3s vec3_from(const double v[3]) { return vec3_of((scalar)v[0], (scalar)v[1], (scalar)v[2]); }

static manifold manifold_from_points(const convex_points *points, vec3s origin) {
    manifold found = {.count = points->count, .normal = vec3_from(points->normal)};
    for (int i = 0; i < points->count; i++)
        found.points[i] =
            (manifold_point){vec3_from(points->position[i]), (scalar)points->gap[i], points->feature[i]};
    manifold_move(&found, origin);
    return found;
}

manifold convex_convex(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                       scalar reach) {
    const convex_body a = body_of(shape_a, pose_a, pose_a.position),
                      b = body_of(shape_b, pose_b, pose_a.position);
    convex_points points;
    convex_pair_find(&a, &b, (double)reach, &points);
    return manifold_from_points(&points, pose_a.position);
}

manifold half_space_convex(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                           scalar reach) {
    const convex_body a = body_of(shape_b, pose_b, pose_b.position),
                      b = body_of(shape_a, pose_a, pose_b.position);
    convex_points points;
    convex_plane_find(&a, &b, (double)reach, &points);
    manifold found = manifold_from_points(&points, pose_b.position);
    found.normal = glms_vec3_negate(found.normal);
    return found;
}
