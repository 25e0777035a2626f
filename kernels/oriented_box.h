/* A box as its centre, axes and half extents, and numbers for its corners, edges and faces.
 *
 * A corner is three bits, bit k set where it is on the positive side of axis k. The code of a feature fits in
 * 5 bits: corners 0 … 7; edges 8 + 4 · axis + the other two bits; faces 20 + 2 · axis + its bit. Contact
 * points are named by the codes of the features that meet, whichever way they were found, so that a point
 * keeps its name from step to step. */
#ifndef SCREE_KERNELS_ORIENTED_BOX_H
#define SCREE_KERNELS_ORIENTED_BOX_H

#include "rotation.h"

typedef struct oriented_box {
    vec3s centre;     /* m */
    vec3s axes[3];    /* unit */
    scalar halves[3]; /* m */
} oriented_box;

SHARED oriented_box oriented_box_of(vec3s halves, versors rotation, vec3s centre) {
    oriented_box box;
    box.centre = centre;
    box.axes[0] = rotate(rotation, vec3_of(1, 0, 0)), box.axes[1] = rotate(rotation, vec3_of(0, 1, 0));
    box.axes[2] = rotate(rotation, vec3_of(0, 0, 1));
    box.halves[0] = halves.x, box.halves[1] = halves.y, box.halves[2] = halves.z;
    return box;
}

SHARED vec3s box_point(oriented_box box, scalar x, scalar y, scalar z) {
    return glms_vec3_add(glms_vec3_add(box.centre, glms_vec3_scale(box.axes[0], x)),
                         glms_vec3_add(glms_vec3_scale(box.axes[1], y), glms_vec3_scale(box.axes[2], z)));
}

SHARED vec3s box_corner(oriented_box box, int corner) {
    return box_point(box, corner & 1 ? box.halves[0] : -box.halves[0],
                     corner & 2 ? box.halves[1] : -box.halves[1],
                     corner & 4 ? box.halves[2] : -box.halves[2]);
}

/* The corner farthest along a direction. */
SHARED int box_support(oriented_box box, vec3s direction) {
    return (glms_vec3_dot(direction, box.axes[0]) > 0) | (glms_vec3_dot(direction, box.axes[1]) > 0) << 1 |
           (glms_vec3_dot(direction, box.axes[2]) > 0) << 2;
}

/* The code of the edge along `axis` through a corner. */
SHARED unsigned int box_edge(int axis, int corner) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    return (unsigned int)(8 + 4 * axis + (corner >> next & 1) + 2 * (corner >> last & 1));
}

/* The code of the face across `axis` through a corner. */
SHARED unsigned int box_face(int axis, int corner) {
    return (unsigned int)(20 + 2 * axis + (corner >> axis & 1));
}

#endif
