/* Camera and light of a snapshot. */
#pragma once

#include <scree/image.h>
#include <scree/tools/snapshot.h>

/* Finds a camera that shows the dynamic bodies of a frame: from in front (−y), 30° to the right and 24°
 * above, as close as possible with all of them in the picture and outside its legend. Ignores bodies that
 * have left the others or are much farther out than 99 % of them. Without dynamic bodies it shows the spheres
 * and boxes, and without any bodies a metre about the origin. Copies `view`, which gives the aspect ratio, to
 * `out` and sets eye, target and field of view. Errors: MEMORY. */
scree_result camera_find(const scree_frame *frame, const scree_view *view, scree_view *out);

/* Returns the camera, light and ground of the image of a view with eye, target, field of view and picture
 * size (automatic cameras must have been found), without bodies. Coordinates are relative to the target; the
 * light comes from behind the camera, high on the left. */
scree_image_def camera_image(const scree_view *view);
