/* Where a snapshot is taken from, and where its light is. */
#ifndef SCREE_RENDER_CAMERA_H
#define SCREE_RENDER_CAMERA_H

#include <scree/tools/snapshot.h>

#include "ray.h"

/* The camera that shows the dynamic bodies of a frame well: from in front (−y), 30° to the right, and 24°
 * above, as near as all of them are in the picture, beside its legend where it has one. Bodies that have left
 * the others, or much farther out than 99 % of them, are ignored; without dynamic bodies, the spheres and
 * boxes there are; without any, a metre about the origin. `view` gives the proportions and is copied to `out`
 * with eye, target and field of view filled in. Errors: MEMORY. */
scree_result camera_find(const scree_frame *frame, const scree_view *view, scree_view *out);

/* The part of a ray_view that follows from eye, target, field of view and picture size (automatic cameras
 * must have been found): coordinates relative to the target; the light comes from behind the camera, high on
 * the left. */
ray_view camera_view(const scree_view *view);

#endif
