/* Marks of joints, drawn over a finished picture. */
#pragma once

#include <scree/tools/snapshot.h>

/* Draws a dot at each anchor, a line between the two, and one along each axis of the joint's kind into
 * `pixels` (RGB, rows from the top). Omits points behind the eye and points that are not finite. */
void joint_marks_draw(const scree_frame *frame, const scree_view *settled, uint8_t *pixels);
