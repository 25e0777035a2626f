/* Along which direction two boxes are farthest apart, or overlap least. */
#ifndef SCREE_KERNELS_BOX_SEPARATION_H
#define SCREE_KERNELS_BOX_SEPARATION_H

#include "box_axes.h"
#include "oriented_box.h"

typedef enum separation_kind {
    SEPARATION_FACE_A, /* a face of a, and what of b comes nearest to it */
    SEPARATION_FACE_B,
    SEPARATION_EDGES /* an edge of each */
} separation_kind;

typedef struct box_axis {
    separation_kind kind;
    int axis_a, axis_b; /* of the face (the other is −1), or of the edges */
    vec3s normal;       /* unit, from a to b */
    scalar distance;    /* m along the normal; negative: overlap */
} box_axis;

typedef struct box_separation {
    box_axis best, face; /* of all axes, and of the six faces */
    scalar slop;         /* m: differences below it are taken for rounding and jitter */
} box_separation;

SHARED scalar box_smallest_half(oriented_box box) {
    return scalar_min(box.halves[0], scalar_min(box.halves[1], box.halves[2]));
}

SHARED box_axis box_axis_of(separation_kind kind, int axis_a, int axis_b, vec3s normal, scalar distance) {
    box_axis out;
    out.kind = kind, out.axis_a = axis_a, out.axis_b = axis_b, out.normal = normal, out.distance = distance;
    return out;
}

SHARED vec3s axis_towards(vec3s axis, scalar side) { return side < 0 ? glms_vec3_negate(axis) : axis; }

SHARED vec3s edges_normal(oriented_box a, oriented_box b, vec3s between, int i, int j) {
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    axis_products p; /* as far as this axis needs them */
    p.r[k][j] = glms_vec3_dot(a.axes[k], b.axes[j]), p.r[l][j] = glms_vec3_dot(a.axes[l], b.axes[j]);
    p.t_a[k] = glms_vec3_dot(between, a.axes[k]), p.t_a[l] = glms_vec3_dot(between, a.axes[l]);
    const scalar length = scalar_sqrt(edges_square(p, i, j));
    const vec3s axis = glms_vec3_scale(glms_vec3_cross(a.axes[i], b.axes[j]), 1 / length);
    return axis_towards(axis, edges_centres(p, i, j));
}

/* A face of a is preferred to one of b, and faces to edges, unless the other is better by more than this:
 * boxes that lie flat on each other keep the same reference, and with it their points, whatever rounding
 * says. */
SHARED scalar axis_preference(scalar distance, scalar slop) {
    return slop + (scalar)0.02f * scalar_abs(distance);
}

/* The choice among the axes of a couple that is not parted. */
SHARED box_separation box_separation_of(oriented_box a, oriented_box b, box_axes axes) {
    box_separation out;
    const scalar slop = (scalar)1e-3f * scalar_min(box_smallest_half(a), box_smallest_half(b));
    const vec3s between = glms_vec3_sub(b.centre, a.centre);
    const int i = (int)axes.axis_a, j = (int)axes.axis_b;
    if (axes.face_b > axes.face_a + axis_preference(axes.face_a, slop))
        out.face = box_axis_of(SEPARATION_FACE_B, -1, j,
                               axis_towards(b.axes[j], glms_vec3_dot(between, b.axes[j])), axes.face_b);
    else
        out.face = box_axis_of(SEPARATION_FACE_A, i, -1,
                               axis_towards(a.axes[i], glms_vec3_dot(between, a.axes[i])), axes.face_a);
    out.best = out.face, out.slop = slop;
    if (!(axes.edges > out.face.distance + axis_preference(out.face.distance, slop))) return out;
    const int of_a = (int)axes.axis_edges / 3, of_b = (int)axes.axis_edges % 3;
    out.best = box_axis_of(SEPARATION_EDGES, of_a, of_b, edges_normal(a, b, between, of_a, of_b), axes.edges);
    return out;
}

SHARED box_couple box_couple_of(oriented_box a, oriented_box b) {
    box_couple out;
    for (int i = 0; i < 3; i++) {
        out.axes_a[i] = a.axes[i], out.axes_b[i] = b.axes[i];
        out.half_a[i] = a.halves[i], out.half_b[i] = b.halves[i];
    }
    out.between = glms_vec3_sub(b.centre, a.centre);
    return out;
}

#endif
