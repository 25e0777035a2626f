/* Axis-aligned bounding boxes of all bodies, padded so that whatever touches within the step is found. */
#ifndef SCREE_COLLIDE_BOUNDS_H
#define SCREE_COLLIDE_BOUNDS_H

#include "../world/bodies.h"

/* An axis-aligned box. Free slots have lower > upper; half-spaces are infinite. */
typedef struct bounds {
    vec3s lower, upper;
} bounds;

/* Exact box of a shape at a pose. */
bounds bounds_of(scree_shape shape, body_pose pose);

/* Fills out[0 … bodies->count): exact boxes, extended by margin/2 + h|v| in every direction for bodies that
 * can move (so that two boxes meet whenever the gap is below the margin plus the approach within the step h).
 */
void bounds_update(const body_array *bodies, scalar margin, scalar time_step, int threads, bounds *out);

#endif
