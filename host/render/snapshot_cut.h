/* Finds walls that hide the subject of a snapshot. */
#pragma once

#include <scree/tools/frame.h>

/* Returns the number of places of a shape in `cut`: one for each triangle of a mesh, else 1. */
int snapshot_cut_places(scree_shape shape);

/* Marks in `cut` (snapshot_cut_places entries for each body of the frame, in order) the boxes that are not
 * dynamic and stand between the eye and the dynamic bodies: boxes that hide some of them and have (almost)
 * none in front, and boxes that contain the eye. For meshes it marks the triangles that do. Does not cut a
 * pillar within a pile, or a floor. Errors: MEMORY. */
scree_result snapshot_cut(const scree_frame *frame, scree_vec3 eye, bool *cut);
