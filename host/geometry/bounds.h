/* Axis-aligned bounding boxes of shapes. */
#pragma once

#include <scree/shape.h>

#include <stdbool.h>

#include "layout.h"

/* An axis-aligned box, m. Free slots have lower > upper; half-spaces are infinite. */
typedef struct bounds {
    vec3s lower;
    scalar padding; /* extension of the surface in every direction, m (half-space: of its plane) */
    vec3s upper;
    scalar rotation_angle; /* half-space: angle of rotation within the step, rad; else 0 */
} bounds;

/* Returns the exact box of a shape at a pose, padding 0. */
bounds bounds_of(scree_shape shape, body_pose pose);
/* Returns that box, extended by a padding in every direction. */
bounds bounds_padded(const scree_shape *shape, body_pose pose, scalar padding);
/* An empty box, that of free slots. */
static const bounds BOUNDS_NOWHERE = {
    {INFINITY, INFINITY, INFINITY}, 0, {-INFINITY, -INFINITY, -INFINITY}, 0};

/* Returns half the size, m, of the box about the shape's origin and along its own axes that holds it. */
vec3s bounds_half_size(scree_shape shape);

/* Returns the largest distance from the centre, m, of a surface point that rotation moves. It is 0 for a
 * sphere, also for one that is a child and moves with its own centre, and infinite for a half-space. A body
 * rotating at ω moves no surface point faster than its centre by more than ω times this. */
scalar bounds_turning_radius(scree_shape shape);

/* Returns half the smallest width of a shape, m. */
scalar bounds_half_width(scree_shape shape);

/* Return the lesser or the greater of each coordinate, and the coordinates without sign. */
static inline vec3s vec3_lesser(vec3s a, vec3s b) {
    return vec3_of(scalar_min(a.x, b.x), scalar_min(a.y, b.y), scalar_min(a.z, b.z));
}
static inline vec3s vec3_greater(vec3s a, vec3s b) {
    return vec3_of(scalar_max(a.x, b.x), scalar_max(a.y, b.y), scalar_max(a.z, b.z));
}
static inline vec3s vec3_absolute(vec3s v) {
    return vec3_of(scalar_abs(v.x), scalar_abs(v.y), scalar_abs(v.z));
}

/* Returns whether the box [lower, upper] shares a point with another; false for free slots and boxes with a
 * NaN. */
static inline bool bounds_reach(const bounds *a, vec3s lower, vec3s upper) {
    return (a->lower.x <= upper.x) & (lower.x <= a->upper.x) & (a->lower.y <= upper.y) &
           (lower.y <= a->upper.y) & (a->lower.z <= upper.z) & (lower.z <= a->upper.z);
}
static inline bool bounds_meet(const bounds *a, const bounds *b) {
    return bounds_reach(a, b->lower, b->upper);
}
