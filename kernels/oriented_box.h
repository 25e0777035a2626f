/* A box as its centre, axes and half extents, and codes for its corners, edges and faces.
 *
 * A corner is three bits; bit k is set on the positive side of axis k. The code of a feature fits in 5 bits:
 * corners 0 … 7; edges 8 + 4 · axis + the other two bits; faces 20 + 2 · axis + its bit. Contact points are
 * identified by the codes of the features that meet, however the points were found, so a point keeps its
 * identity from step to step. */
#ifndef SCREE_KERNELS_ORIENTED_BOX_H
#define SCREE_KERNELS_ORIENTED_BOX_H

#include "dialect.h"
#if SCREE_WIDTH == 1
#include "rotation.h"
#endif

typedef struct oriented_box {
    vec3s centre;     /* m */
    vec3s axes[3];    /* unit */
    scalar halves[3]; /* m */
} oriented_box;

#if SCREE_WIDTH == 1
SHARED oriented_box oriented_box_of(vec3s halves, versors rotation, vec3s centre) {
    oriented_box box;
    box.centre = centre;
    box.axes[0] = rotate(rotation, vec3_of(1, 0, 0)), box.axes[1] = rotate(rotation, vec3_of(0, 1, 0));
    box.axes[2] = rotate(rotation, vec3_of(0, 0, 1));
    box.halves[0] = halves.x, box.halves[1] = halves.y, box.halves[2] = halves.z;
    return box;
}

SHARED vec3s box_axis_at(oriented_box box, scalar_int axis) { return box.axes[axis]; }
SHARED scalar box_half_at(oriented_box box, scalar_int axis) { return box.halves[axis]; }
SHARED oriented_box box_choose(scalar_mask m, oriented_box a, oriented_box b) { return m ? a : b; }
#else
SHARED vec3s box_axis_at(oriented_box box, scalar_int axis) {
    return vec3_choose(axis == 0, box.axes[0], vec3_choose(axis == 1, box.axes[1], box.axes[2]));
}
SHARED scalar box_half_at(oriented_box box, scalar_int axis) {
    return choose(axis == 0, box.halves[0], choose(axis == 1, box.halves[1], box.halves[2]));
}
SHARED oriented_box box_choose(scalar_mask m, oriented_box a, oriented_box b) {
    oriented_box out;
    out.centre = vec3_choose(m, a.centre, b.centre);
    for (int i = 0; i < 3; i++) {
        out.axes[i] = vec3_choose(m, a.axes[i], b.axes[i]);
        out.halves[i] = choose(m, a.halves[i], b.halves[i]);
    }
    return out;
}
#endif

/* Return the next axis and the one after it: (axis + 1) % 3 and (axis + 2) % 3. */
SHARED scalar_int axis_next(scalar_int axis) { return choose_int(axis == 2, int_of(0), axis + 1); }
SHARED scalar_int axis_last(scalar_int axis) { return choose_int(axis == 0, int_of(2), axis - 1); }

SHARED vec3s box_point(oriented_box box, scalar x, scalar y, scalar z) {
    return glms_vec3_add(glms_vec3_add(box.centre, glms_vec3_scale(box.axes[0], x)),
                         glms_vec3_add(glms_vec3_scale(box.axes[1], y), glms_vec3_scale(box.axes[2], z)));
}

SHARED vec3s box_corner(oriented_box box, scalar_int corner) {
    return box_point(box, choose((corner & 1) != 0, box.halves[0], -box.halves[0]),
                     choose((corner & 2) != 0, box.halves[1], -box.halves[1]),
                     choose((corner & 4) != 0, box.halves[2], -box.halves[2]));
}

SHARED scalar_int bit_where(scalar_mask m, int bit) { return choose_int(m, int_of(1 << bit), int_of(0)); }

/* Returns the corner farthest along a direction. */
SHARED scalar_int box_support(oriented_box box, vec3s direction) {
    return bit_where(glms_vec3_dot(direction, box.axes[0]) > 0, 0) |
           bit_where(glms_vec3_dot(direction, box.axes[1]) > 0, 1) |
           bit_where(glms_vec3_dot(direction, box.axes[2]) > 0, 2);
}

/* Returns the code of the edge along `axis` through a corner. */
SHARED scalar_bits box_edge(scalar_int axis, scalar_int corner) {
    return (scalar_bits)(8 + 4 * axis + (corner >> axis_next(axis) & 1) +
                         2 * (corner >> axis_last(axis) & 1));
}

/* Returns the code of the face normal to `axis` through a corner. */
SHARED scalar_bits box_face(scalar_int axis, scalar_int corner) {
    return (scalar_bits)(20 + 2 * axis + (corner >> axis & 1));
}

#endif
