/* The coplanar-edge rule (kernels/skimming.h) for any convex shapes. */
#include "impact.h"

#include "base/vector.h"
#include "flight_points.h"
#include "geometry/children.h"
#include "skimming.h"

static bool may_skim(scree_shape shape) {
    return !shape_is_ball(shape) && !shape_is_plane(shape) && shape.kind != SCREE_SHAPE_TRIANGLE;
}

/* Returns whether the test of boxes shows that a contact stays as it is. */
static bool blocked(const flight *of, skimming_motion motion, const manifold *found) {
    if (of->shape_a.kind != SCREE_SHAPE_BOX || of->shape_b.kind != SCREE_SHAPE_BOX || found->mean)
        return false;
    const oriented_box a = oriented_box_of(vec3_in(of->shape_a.size), of->pose_a.rotation, glms_vec3_zero()),
                       b = oriented_box_of(vec3_in(of->shape_b.size), of->pose_b.rotation,
                                           glms_vec3_sub(of->pose_b.position, of->pose_a.position));
    return skimming_blocked(a, b, motion, found->normal, flight_least_gap(found));
}

manifold skimming_settle(manifold found, scree_shape shape_a, body_pose pose_a, scree_shape shape_b,
                         body_pose pose_b, vec3s velocity, scalar of_b, scalar turning_speed,
                         scalar time_step) {
    const scalar h = time_step;
    if (!may_skim(shape_a) || !may_skim(shape_b)) return found;
    const scalar width = scalar_min(bounds_half_width(shape_a), bounds_half_width(shape_b));
    const skimming_motion motion = {velocity, turning_speed, width};
    if (!skimming_possible(motion, found.normal, found.points, found.count, found.mean != 0, h)) return found;
    const flight self = {shape_a, shape_b, pose_a, pose_b, velocity, of_b, skimming_reach(motion, h)};
    if (blocked(&self, motion, &found)) return found;
    return manifold_from(skimming_examine(&self, manifold_points_in(&found), motion, of_b, h));
}
