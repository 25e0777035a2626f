/* The direction along which two boxes are farthest apart or overlap least. */
#ifndef SCREE_KERNELS_BOX_SEPARATION_H
#define SCREE_KERNELS_BOX_SEPARATION_H

#include "box_axes.h"
#include "oriented_box.h"

typedef enum separation_kind {
    SEPARATION_FACE_A, /* a face of a and the nearest feature of b */
    SEPARATION_FACE_B,
    SEPARATION_EDGES /* an edge of each */
} separation_kind;

typedef struct box_axis {
    scalar_int kind;           /* separation_kind */
    scalar_int axis_a, axis_b; /* axis of the face (the other is −1), or axes of the edges */
    vec3s normal;              /* unit, from a to b */
    scalar distance;           /* m along the normal; negative: overlap */
} box_axis;

typedef struct box_separation {
    box_axis best, face; /* best of all axes, and of the six faces */
    scalar slop;         /* m: smaller differences are treated as rounding and jitter */
} box_separation;

SHARED scalar box_smallest_half(oriented_box box) {
    return scalar_min(box.halves[0], scalar_min(box.halves[1], box.halves[2]));
}

SHARED box_axis box_axis_of(separation_kind kind, scalar_int axis_a, scalar_int axis_b, vec3s normal,
                            scalar distance) {
    box_axis out;
    out.kind = int_of((int)kind), out.axis_a = axis_a, out.axis_b = axis_b;
    out.normal = normal, out.distance = distance;
    return out;
}

SHARED box_axis box_axis_choose(scalar_mask m, box_axis a, box_axis b) {
    box_axis out;
    out.kind = choose_int(m, a.kind, b.kind);
    out.axis_a = choose_int(m, a.axis_a, b.axis_a), out.axis_b = choose_int(m, a.axis_b, b.axis_b);
    out.normal = vec3_choose(m, a.normal, b.normal), out.distance = choose(m, a.distance, b.distance);
    return out;
}

SHARED vec3s axis_towards(vec3s axis, scalar side) {
    return vec3_choose(side < 0, glms_vec3_negate(axis), axis);
}

/* Returns a_i × b_j, normalised, as r_k a_l − r_l a_k, since b_j = r_i a_i + r_k a_k + r_l a_l. Even for
 * edges a milliradian apart its length is accurate to the last digits, unlike that of the cross product of
 * components. */
SHARED vec3s edges_normal(oriented_box a, oriented_box b, vec3s between, scalar_int i, scalar_int j) {
    const vec3s next = box_axis_at(a, axis_next(i)), last = box_axis_at(a, axis_last(i)),
                of_b = box_axis_at(b, j);
    const scalar r_k = glms_vec3_dot(next, of_b), r_l = glms_vec3_dot(last, of_b);
    const scalar t_k = glms_vec3_dot(between, next), t_l = glms_vec3_dot(between, last);
    const scalar length = scalar_sqrt(edges_square(r_k, r_l));
    const vec3s axis =
        glms_vec3_sub(glms_vec3_scale(last, r_k / length), glms_vec3_scale(next, r_l / length));
    return axis_towards(axis, edges_centres(r_k, r_l, t_k, t_l));
}

/* Margin by which another axis must be better: a face of a is preferred to one of b, and faces to edges.
 * Boxes that lie flat on each other therefore keep the same reference, and its points, despite rounding. */
SHARED scalar axis_preference(scalar distance, scalar slop) { return slop + 0.02f * scalar_abs(distance); }

SHARED scalar box_halves(oriented_box box) { return box.halves[0] + box.halves[1] + box.halves[2]; }

/* The slop is at least the rounding of distances, which exceeds a thousandth of the thickness for thin
 * sheets. */
SHARED scalar box_separation_slop(oriented_box a, oriented_box b) {
    return scalar_max(1e-3f * scalar_min(box_smallest_half(a), box_smallest_half(b)),
                      2 * SCALAR_EPSILON * (box_halves(a) + box_halves(b)));
}

SHARED scalar_mask face_b_preferred(box_axes axes, scalar slop) {
    return axes.face_b > axes.face_a + axis_preference(axes.face_a, slop);
}

SHARED scalar_mask edges_preferred(box_axes axes, scalar slop) {
    const scalar face = choose(face_b_preferred(axes, slop), axes.face_b, axes.face_a);
    return axes.edges > face + axis_preference(face, slop);
}

/* Selects the axis of a couple that no axis separates. */
SHARED box_separation box_separation_of(oriented_box a, oriented_box b, box_axes axes) {
    box_separation out;
    const scalar slop = box_separation_slop(a, b);
    const vec3s between = glms_vec3_sub(b.centre, a.centre);
    const scalar_int i = int_from(axes.axis_a), j = int_from(axes.axis_b);
    const vec3s of_a = box_axis_at(a, i), of_b = box_axis_at(b, j);
    out.face = box_axis_choose(face_b_preferred(axes, slop),
                               box_axis_of(SEPARATION_FACE_B, int_of(-1), j,
                                           axis_towards(of_b, glms_vec3_dot(between, of_b)), axes.face_b),
                               box_axis_of(SEPARATION_FACE_A, i, int_of(-1),
                                           axis_towards(of_a, glms_vec3_dot(between, of_a)), axes.face_a));
    out.best = out.face, out.slop = slop;
    const scalar_mask crossed = edges_preferred(axes, slop);
    if (!any_lane(crossed)) return out;
    const scalar_int pair = int_from(axes.axis_edges);
    const scalar_int edge_a = choose_int(pair >= 6, int_of(2), choose_int(pair >= 3, int_of(1), int_of(0)));
    const scalar_int edge_b = pair - 3 * edge_a;
    out.best = box_axis_choose(crossed,
                               box_axis_of(SEPARATION_EDGES, edge_a, edge_b,
                                           edges_normal(a, b, between, edge_a, edge_b), axes.edges),
                               out.face);
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
