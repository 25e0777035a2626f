/* Marks of joints, drawn over a finished picture. */
#pragma once

#include <scree/tools/snapshot.h>

#include "dialect.h"

/* A line through a point along a unit vector. */
typedef struct joint_axis {
    vec3s point, direction;
} joint_axis;

/* Writes the axes that a joint of its kind shows besides its anchors to `out` and returns their number. */
int joint_marks_axes(const scree_frame_joint *joint, joint_axis out[2]);

/* Draws a dot at each anchor, a line between the two, and one along each axis of the joint's kind into
 * `pixels` (RGB, rows from the top). Omits points behind the eye and points that are not finite. */
void joint_marks_draw(const scree_frame *frame, const scree_view *settled, uint8_t *pixels);
