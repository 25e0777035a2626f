#include "impact.h"

#include "flight.h"
#include "geometry/children.h"
#include "geometry/shape.h"
#include "sphere_points.h"

/* Returns whether the time of impact decides: for balls, whose normal depends on it, and for a triangle, of
 * which another one may be in front, if the gap can close. The distance is a convex function of time, so that
 * it stays above its tangent. */
static bool needs_time(const flight *self, const manifold *found, scalar time_step) {
    const scalar gap = flight_least_gap(found);
    if (found->count == 0 || shape_is_plane(self->shape_a) || shape_is_plane(self->shape_b) || !(gap > 0))
        return false;
    if (shape_is_ball(self->shape_a) || shape_is_ball(self->shape_b)) return true;
    return (self->shape_a.kind == SCREE_SHAPE_TRIANGLE || self->shape_b.kind == SCREE_SHAPE_TRIANGLE) &&
           gap < time_step * -glms_vec3_dot(found->normal, self->velocity);
}

manifold impact_manifold(const flight *self, scalar time_step, vec3s *motion) {
    *motion = glms_vec3_zero();
    if (shape_is_ball(self->shape_a) && shape_is_ball(self->shape_b)) {
        const ball a = {self->pose_a.position, self->shape_a.size.x},
                   b = {self->pose_b.position, self->shape_b.size.x};
        return manifold_from(ball_points(ball_impact(a, b, self->velocity, time_step, self->reach)));
    }
    const manifold found =
        manifold_levelled(self->shape_a, self->pose_a, self->shape_b, self->pose_b, self->reach);
    if (!needs_time(self, &found, time_step)) return found;
    const scalar width = scalar_min(bounds_half_width(self->shape_a), bounds_half_width(self->shape_b));
    manifold at = found;
    const scalar time = flight_time_of_impact(self, time_step, width, &at);
    if (!(time > 0) || at.count == 0) return found;
    const vec3s until = glms_vec3_scale(self->velocity, time);
    if (shape_is_ball(self->shape_a) || shape_is_ball(self->shape_b))
        return flight_linearised(at, until, self->of_b);
    *motion = until;
    return at;
}
