/* Along which direction two boxes are farthest apart, or overlap least. */
#ifndef SCREE_COLLIDE_BOX_SEPARATION_H
#define SCREE_COLLIDE_BOX_SEPARATION_H

#include "box_axes.h"
#include "oriented_box.h"

typedef enum separation_kind {
    SEPARATION_FACE_A, /* a face of a, and what of b comes nearest to it */
    SEPARATION_FACE_B,
    SEPARATION_EDGES /* an edge of each */
} separation_kind;

typedef struct box_separation {
    separation_kind kind;
    int axis_a, axis_b; /* of the face (the other is −1), or of the edges */
    vec3s normal;       /* unit, from a to b */
    scalar distance;    /* m along the normal; negative: overlap */
    scalar slop;        /* m: differences below it are taken for rounding and jitter */
} box_separation;

/* The best of the axes of a couple that is not parted. `face` becomes the best of the six faces, the same as
 * `out` unless edges part the boxes better. */
void box_separation_choose(const oriented_box *a, const oriented_box *b, const box_axes *axes,
                           box_separation *out, box_separation *face);

/* The separating axis test and its choice. False if a separation is above `reach`: the boxes' distance is
 * never below any separation. */
bool box_separate(const oriented_box *a, const oriented_box *b, scalar reach, box_separation *out,
                  box_separation *face);

#endif
