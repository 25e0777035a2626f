/* Marks in front of the bodies: force chains and joints. */
#pragma once

#include "parts.h"

#include <scree/tools/snapshot.h>

/* Adds a rod for each contact with a normal force above a tenth of `high`, between the centres of the bodies,
 * or from the contact point where a body is not dynamic. `high` becomes the force (N) that 1 % of the
 * contacts exceed: rods of that force are half a mean radius thick, and the thickness goes with the root of
 * the force. Errors: MEMORY. */
scree_result marks_add_chains(part_set *self, const scree_frame *frame, double *high);
/* Adds anchors and axes of the joints, with lines of `pixel` (m) and balls of several. Errors: MEMORY. */
scree_result marks_add_joints(part_set *self, const scree_frame *frame, scalar pixel);
