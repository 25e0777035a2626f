/* Joints drawn over a finished picture. */
#ifndef SCREE_RENDER_JOINT_MARKS_H
#define SCREE_RENDER_JOINT_MARKS_H

#include <scree/tools/snapshot.h>

/* A dot at each anchor, a line between the two, and one along each axis that the kind has, into `pixels`
 * (RGB, rows from the top). Those behind the eye and those that are not finite are left out. */
void joint_marks_draw(const scree_frame *frame, const scree_view *settled, uint8_t *pixels);

#endif
