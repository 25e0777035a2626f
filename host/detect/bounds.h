/* Axis-aligned bounding boxes of all bodies, padded so that every contact within the step is found. */
#ifndef SCREE_DETECT_BOUNDS_H
#define SCREE_DETECT_BOUNDS_H

#include "state/bodies.h"

/* An axis-aligned box, m. Free slots have lower > upper; half-spaces are infinite. */
typedef struct bounds {
    vec3s lower;
    scalar padding; /* extension of the surface in every direction, m (half-space: of its plane) */
    vec3s upper;
    scalar turning; /* half-space: angle of rotation within the step, rad; else 0 */
} bounds;

/* Returns the exact box of a shape at a pose, padding 0. */
bounds bounds_of(scree_shape shape, body_pose pose);

/* Returns half the size, m, of the box about the shape's origin and along its own axes that holds it. */
vec3s bounds_half_size(scree_shape shape);

/* Returns the largest distance from the centre, m, of a surface point that rotation moves. It is 0 for a
 * sphere, also for one that is a child and moves with its own centre, and infinite for a half-space. A body
 * rotating at ω moves no surface point faster than its centre by more than ω times this. */
scalar bounds_turning_radius(scree_shape shape);

/* Returns the speed at which a body's surface can approach by rotation alone, m/s. A half-space rotates about
 * a point as far away as the other body, at `distance`, m. */
scalar bounds_turning_speed(const body_array *bodies, int slot, scalar distance);

/* Returns a body's speculative margin for a step h, m: min(h |v|, smallest half size), the length by which
 * its motion may be cut short. Bodies that fall together do not approach at the start of the step, but once
 * the lower ones stop, the upper ones run into them by up to h |v|. With half of the smaller body, this step
 * detects the impact of the first layers and the following steps that of the next ones. The margin vanishes
 * at rest. */
scalar bounds_margin(scree_shape shape, body_velocity velocity, scalar time_step);

/* Returns the speculative margin of a pair, m: min(h max(|v_a|, |v_b|), the smaller half size) ≤ the larger
 * of the bodies' own. */
scalar bounds_pair_margin(const body_array *bodies, int a, int b, scalar time_step);

/* Returns half the smallest width of a shape, m. */
scalar bounds_half_width(scree_shape shape);

/* Returns the smaller of the half widths of two bodies, m. */
scalar bounds_pair_half_width(const body_array *bodies, int a, int b);

/* Returns the smallest half width of all dynamic bodies, m; infinity if there are none. */
scalar bounds_smallest_half_width(const body_array *bodies, int threads);

/* Fills out[0 … bodies->count) with exact boxes, extended by margin/2 + speculative margin + h |ω| · turning
 * radius in every direction and by h v along the motion. Two boxes then meet whenever the bodies, at constant
 * velocities, come within the margin plus the pair's speculative margin during the step h. A half-space keeps
 * its infinite box; its padding is margin/2 + speculative margin + h |v|, its turning h |ω|. */
void bounds_update(const body_array *bodies, scalar margin, scalar time_step, int threads, bounds *out);

/* bounds_update without both margins: the boxes that bodies sweep at constant velocities. One body, or
 * all. */
bounds bounds_swept(const body_array *bodies, int slot, scalar time_step);
void bounds_sweep(const body_array *bodies, scalar time_step, int threads, bounds *out);

/* Returns whether two boxes share a point; false for free slots and boxes with a NaN. */
static inline bool bounds_meet(const bounds *a, const bounds *b) {
    return (a->lower.x <= b->upper.x) & (b->lower.x <= a->upper.x) & (a->lower.y <= b->upper.y) &
           (b->lower.y <= a->upper.y) & (a->lower.z <= b->upper.z) & (b->lower.z <= a->upper.z);
}

#endif
