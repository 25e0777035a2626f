/* Axis-aligned bounding boxes of all bodies, padded so that whatever touches within the step is found. */
#ifndef SCREE_COLLIDE_BOUNDS_H
#define SCREE_COLLIDE_BOUNDS_H

#include "../world/bodies.h"

/* An axis-aligned box, m. Free slots have lower > upper; half-spaces are infinite. */
typedef struct bounds {
    vec3s lower;
    scalar padding; /* how far the surface is extended in every direction, m (of a half-space: its plane) */
    vec3s upper;
    scalar turning; /* of a half-space: the angle that it turns by within the step, rad; else 0 */
} bounds;

/* Exact box of a shape at a pose, padding 0. */
bounds bounds_of(scree_shape shape, body_pose pose);

/* The largest distance from the centre of a surface point that a rotation moves, m: 0 for a sphere, infinite
 * for a half-space. A body that turns at ω moves no surface point faster than its centre by more than ω times
 * this. */
scalar bounds_turning_radius(scree_shape shape);

/* Fills out[0 … bodies->count): exact boxes extended by margin/2 + h |ω| · turning radius in every direction
 * and by h v along the motion, so that two boxes meet whenever the bodies, moving on at their velocities,
 * come as near as the margin within the step h. A half-space keeps its infinite box; its padding is margin/2
 * + h |v|, its turning h |ω|. */
void bounds_update(const body_array *bodies, scalar margin, scalar time_step, int threads, bounds *out);

/* Whether two boxes share a point; false for free slots and boxes with a NaN. */
static inline bool bounds_meet(const bounds *a, const bounds *b) {
    return (a->lower.x <= b->upper.x) & (b->lower.x <= a->upper.x) & (a->lower.y <= b->upper.y) &
           (b->lower.y <= a->upper.y) & (a->lower.z <= b->upper.z) & (b->lower.z <= a->upper.z);
}

#endif
