#include "impact.h"

#include "geometry/shape.h"
#include "sphere_points.h"

enum { ROUNDS = 16 };
/* Relative to the sum of sizes: largest closed gap. */
static const scalar TOUCHING = 1e-6f;

/* Two bodies and their relative motion. */
typedef struct encounter {
    scree_shape shape_a, shape_b;
    body_pose pose_a, pose_b;
    vec3s velocity; /* of b relative to a */
    scalar reach;
} encounter;

/* Returns the manifold after a time. The ball moves, so that points stay on the other body. */
static manifold manifold_after(const encounter *self, scalar time) {
    body_pose a = self->pose_a, b = self->pose_b;
    const vec3s motion = glms_vec3_scale(self->velocity, time);
    if (!shape_is_ball(self->shape_b))
        a.position = glms_vec3_sub(a.position, motion);
    else
        b.position = glms_vec3_add(b.position, motion);
    return manifold_of(self->shape_a, a, self->shape_b, b, self->reach);
}

/* The distance from a convex body is a convex function of time along a straight flight, with the derivative
 * n·w. Newton's method therefore approaches the root from the left and never passes it (conservative
 * advancement: Mirtich, 1996). Without a root it passes the minimum, which bisection then finds. The last
 * step may pass it too: a body that slides down a wall is then already past the lower edge, where n·w > 0
 * would turn the gap back into an overlap. Leaves the manifold of the returned time in `at`. */
static scalar ball_meets_other(const encounter *self, scalar time_step, manifold *at) {
    scalar low = 0, high = -1, time = 0;
    bool closed = false;
    for (int round = 0; round < ROUNDS; round++) {
        time = high < 0 ? low : (low + high) / 2;
        if (round > 0) *at = manifold_after(self, time);
        if (at->count == 0) break;
        const scalar speed = glms_vec3_dot(at->normal, self->velocity), gap = at->points[0].gap;
        if (high >= 0) {
            if (speed < 0)
                low = time;
            else
                high = time;
            continue;
        }
        if (speed >= 0) {
            if (round == 0) return 0;
            high = time, low = 0;
            continue;
        }
        if (closed || time >= time_step) break;
        low = scalar_min(time - gap / speed, time_step);
        closed = gap <= TOUCHING * (self->shape_a.size.x + self->shape_b.size.x);
    }
    if (time != low) *at = manifold_after(self, low);
    return low;
}

manifold impact_manifold(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                         vec3s velocity, scalar time_step, scalar reach) {
    const bool sphere_a = shape_is_ball(shape_a), sphere_b = shape_is_ball(shape_b);
    if (sphere_a && sphere_b) {
        const ball a = {pose_a.position, shape_a.size.x}, b = {pose_b.position, shape_b.size.x};
        return manifold_from(ball_points(ball_impact(a, b, velocity, time_step, reach)));
    }
    const manifold found = manifold_of(shape_a, pose_a, shape_b, pose_b, reach);
    const bool plane = shape_is_plane(shape_a) || shape_is_plane(shape_b);
    if (found.count != 1 || !(sphere_a || sphere_b) || plane || !(found.points[0].gap > 0)) return found;
    const encounter self = {shape_a, shape_b, pose_a, pose_b, velocity, reach};
    manifold at = found;
    const scalar time = ball_meets_other(&self, time_step, &at);
    if (!(time > 0) || at.count != 1) return found;
    at.points[0].gap -= glms_vec3_dot(at.normal, glms_vec3_scale(velocity, time));
    return at;
}
