/* Which walls hide what a snapshot is about. */
#ifndef SCREE_RENDER_SNAPSHOT_CUT_H
#define SCREE_RENDER_SNAPSHOT_CUT_H

#include <scree/tools/frame.h>

#include "detect/compound_children.h"

/* Parts without a volume: a mesh. */
static inline bool shape_is_sheet(scree_shape shape) {
    return shape_has_children(shape) && !shape_movable(shape);
}

/* Marks in `cut` (of each part of each body of the frame that is seen, in order) the boxes that are not
 * dynamic and stand between the eye and the dynamic bodies: those that hide some of them and have (almost)
 * none before them, and any that the eye is inside of; and of meshes the triangles that do. A pillar within a
 * pile is not cut, nor is a floor. Errors: MEMORY. */
scree_result snapshot_cut(const scree_frame *frame, scree_vec3 eye, bool *cut);

#endif
