/* Public calls on shapes at poses. */
#include "base/error.h"
#include "base/vector.h"
#include "geometry/children.h"
#include "geometry/cut_volume.h"
#include "geometry/shape.h"

scree_box scree_shape_get_box(scree_shape shape, scree_pose pose) {
    if (!shape_is_complete(shape)) return (scree_box){.lower = pose.position, .upper = pose.position};
    const bounds box = bounds_of(shape, pose_in(pose));
    return (scree_box){.lower = vec3_out(box.lower), .upper = vec3_out(box.upper)};
}

double scree_shape_cut_volume(scree_shape shape, scree_pose pose, const double lower[3],
                              const double upper[3]) {
    REQUIRE_ELSE(lower, 0);
    REQUIRE_ELSE(upper, 0);
    if (!shape_is_complete(shape)) return 0;
    const cut_box box = {.lower = {lower[0], lower[1], lower[2]}, .upper = {upper[0], upper[1], upper[2]}};
    return cut_volume(shape, pose_in(pose), &box);
}

float scree_shape_cast_ray(scree_shape shape, scree_pose pose, scree_vec3 origin, scree_vec3 direction) {
    scalar nearest = RAY_FAR;
    for (int i = 0; i < scree_shape_piece_count(shape); i++) {
        const placed_child piece = children_seen(shape, pose_in(pose), i);
        nearest =
            scalar_min(nearest, ray_body_distance(vec3_in(origin), vec3_in(direction), children_ray(&piece)));
    }
    return nearest < RAY_FAR ? (float)nearest : INFINITY;
}
