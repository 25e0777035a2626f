/* Contact points of a box with boxes and half-spaces. Each sets count, normal (from the first body to the
 * second) and points. Features are codes of oriented_box.h: that of the first box, and that of the second 5
 * bits higher. */
#ifndef SCREE_COLLIDE_BOX_CONTACT_H
#define SCREE_COLLIDE_BOX_CONTACT_H

#include "box_separation.h"
#include "manifold.h"

manifold box_box(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b, scalar reach);
/* The same of two boxes whose separation is known, with a's centre at the origin. */
manifold box_box_along(const oriented_box *a, const oriented_box *b, const box_separation *separation,
                       const box_separation *face, scalar reach);
manifold box_half_space(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                        scalar reach);

#endif
