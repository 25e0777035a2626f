/* A box as its centre, axes and half extents, and numbers for its corners, edges and faces.
 *
 * A corner is three bits, bit k set where it is on the positive side of axis k. The code of a feature fits in
 * 5 bits: corners 0 … 7; edges 8 + 4 · axis + the other two bits; faces 20 + 2 · axis + its bit. Contact
 * points are named by the codes of the features that meet, whichever way they were found, so that a point
 * keeps its name from step to step. */
#ifndef SCREE_COLLIDE_ORIENTED_BOX_H
#define SCREE_COLLIDE_ORIENTED_BOX_H

#include "rotation.h"

#include "manifold.h"

typedef struct oriented_box {
    vec3s centre;   /* m */
    vec3s axes[3];  /* unit */
    scalar half[3]; /* m */
} oriented_box;

static inline oriented_box oriented_box_of(scree_shape shape, versors rotation, vec3s centre) {
    return (oriented_box){centre,
                          {rotate(rotation, vec3_of(1, 0, 0)), rotate(rotation, vec3_of(0, 1, 0)),
                           rotate(rotation, vec3_of(0, 0, 1))},
                          {shape.size.x, shape.size.y, shape.size.z}};
}

static inline vec3s box_point(const oriented_box *box, scalar x, scalar y, scalar z) {
    return glms_vec3_add(glms_vec3_add(box->centre, glms_vec3_scale(box->axes[0], x)),
                         glms_vec3_add(glms_vec3_scale(box->axes[1], y), glms_vec3_scale(box->axes[2], z)));
}

static inline vec3s box_corner(const oriented_box *box, int corner) {
    return box_point(box, corner & 1 ? box->half[0] : -box->half[0],
                     corner & 2 ? box->half[1] : -box->half[1], corner & 4 ? box->half[2] : -box->half[2]);
}

/* The corner farthest along a direction. */
static inline int box_support(const oriented_box *box, vec3s direction) {
    return (glms_vec3_dot(direction, box->axes[0]) > 0) | (glms_vec3_dot(direction, box->axes[1]) > 0) << 1 |
           (glms_vec3_dot(direction, box->axes[2]) > 0) << 2;
}

/* The code of the edge along `axis` through a corner. */
static inline uint32_t box_edge(int axis, int corner) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    return (uint32_t)(8 + 4 * axis + (corner >> next & 1) + 2 * (corner >> last & 1));
}

/* The code of the face across `axis` through a corner. */
static inline uint32_t box_face(int axis, int corner) {
    return (uint32_t)(20 + 2 * axis + (corner >> axis & 1));
}

#endif
