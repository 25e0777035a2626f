/* Axis-aligned bounding boxes of shapes. */
#pragma once

#include <scree/shape.h>

#include <stdbool.h>

#include "swept_box.h"

/* Returns the exact box of a shape at a pose, padding 0. */
bounds bounds_of(scree_shape shape, body_pose pose);
/* Returns that box, extended by a padding in every direction. */
bounds bounds_padded(const scree_shape *shape, body_pose pose, scalar padding);
#define BOUNDS_NOWHERE bounds_nowhere()

/* Returns half the size, m, of the box about the shape's origin and along its own axes that holds it. */
vec3s bounds_half_size(scree_shape shape);

/* Returns the largest distance from the centre, m, of a surface point that rotation moves. It is 0 for a
 * sphere, also for one that is a child and moves with its own centre, and infinite for a half-space. A body
 * rotating at ω moves no surface point faster than its centre by more than ω times this. */
scalar bounds_turning_radius(scree_shape shape);

/* Returns half the smallest width of a shape, m. */
scalar bounds_half_width(scree_shape shape);

/* Returns whether the box [lower, upper] shares a point with another; false for free slots and boxes with a
 * NaN. */
static inline bool bounds_reach(const bounds *a, vec3s lower, vec3s upper) {
    return corners_meet(a->lower, a->upper, lower, upper);
}
static inline bool bounds_meet(const bounds *a, const bounds *b) {
    return bounds_reach(a, b->lower, b->upper);
}
