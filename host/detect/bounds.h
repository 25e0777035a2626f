/* Axis-aligned bounding boxes of all bodies, padded so that whatever touches within the step is found. */
#ifndef SCREE_DETECT_BOUNDS_H
#define SCREE_DETECT_BOUNDS_H

#include "state/bodies.h"

/* An axis-aligned box, m. Free slots have lower > upper; half-spaces are infinite. */
typedef struct bounds {
    vec3s lower;
    scalar padding; /* how far the surface is extended in every direction, m (of a half-space: its plane) */
    vec3s upper;
    scalar turning; /* of a half-space: the angle that it turns by within the step, rad; else 0 */
} bounds;

/* Exact box of a shape at a pose, padding 0. */
bounds bounds_of(scree_shape shape, body_pose pose);

/* Half the size of the box along the shape's own axes about its origin that holds it, m. */
vec3s bounds_half_size(scree_shape shape);

/* The largest distance from the centre of a surface point that a rotation moves, m: 0 for a sphere, of which
 * one that is part of a body is moved with its centre, infinite for a half-space. A body that turns at ω
 * moves no surface point faster than its centre by more than ω times this. */
scalar bounds_turning_radius(scree_shape shape);

/* How fast a body's surface can come near by its rotation alone, m/s: a half-space turns about a point as far
 * away as the other body, at `distance`. */
scalar bounds_turning_speed(const body_array *bodies, int slot, scalar distance);

/* How far a body may be stopped short of its motion within a step h, m: min(h |v|, smallest half size). What
 * falls along with others has no approach to see at the start of the step, but when the lower ones stop, it
 * runs into them by as much as h |v|; so much more margin lets a pair be found in time. Half of the smaller
 * body is enough for the impact of the first layers to be seen in this step and that of the next ones in
 * the following, and it vanishes at rest. */
scalar bounds_margin(scree_shape shape, body_velocity velocity, scalar time_step);

/* The same of a pair: min(h max(|v_a|, |v_b|), the smaller half size) ≤ the larger of the bodies' own. */
scalar bounds_pair_margin(const body_array *bodies, int a, int b, scalar time_step);

/* Half the smallest width of a shape, m. */
scalar bounds_half_width(scree_shape shape);

/* The smaller one's smallest half size, m. */
scalar bounds_pair_half_width(const body_array *bodies, int a, int b);

/* The smallest half size of all dynamic bodies, m; infinite if there are none. */
scalar bounds_smallest_half_width(const body_array *bodies, int threads);

/* Fills out[0 … bodies->count): exact boxes extended by margin/2 + lookout + h |ω| · turning radius in every
 * direction and by h v along the motion, so that two boxes meet whenever the bodies, moving on at their
 * velocities, come as near as the margin and the pair's lookout within the step h. A half-space keeps its
 * infinite box; its padding is margin/2 + lookout + h |v|, its turning h |ω|. */
void bounds_update(const body_array *bodies, scalar margin, scalar time_step, int threads, bounds *out);

/* The same without margin and lookout: what bodies pass that do move on at their velocities; of one, of all.
 */
bounds bounds_swept(const body_array *bodies, int slot, scalar time_step);
void bounds_sweep(const body_array *bodies, scalar time_step, int threads, bounds *out);

/* Whether two boxes share a point; false for free slots and boxes with a NaN. */
static inline bool bounds_meet(const bounds *a, const bounds *b) {
    return (a->lower.x <= b->upper.x) & (b->lower.x <= a->upper.x) & (a->lower.y <= b->upper.y) &
           (b->lower.y <= a->upper.y) & (a->lower.z <= b->upper.z) & (b->lower.z <= a->upper.z);
}

#endif
