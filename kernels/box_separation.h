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
    box_axis best, face; /* best of all axes, and of the six faces; if tied, `best` has the mean normal */
    scalar slop;         /* m: smaller differences are treated as rounding and jitter */
    scalar_mask tied;    /* several faces that are not parallel are equally good */
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

SHARED box_couple box_couple_of(oriented_box a, oriented_box b) {
    box_couple out;
    for (int i = 0; i < 3; i++) {
        out.axes_a[i] = a.axes[i], out.axes_b[i] = b.axes[i];
        out.half_a[i] = a.halves[i], out.half_b[i] = b.halves[i];
    }
    out.between = glms_vec3_sub(b.centre, a.centre);
    return out;
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

SHARED scalar best_face(box_axes axes) { return scalar_max(axes.face_a, axes.face_b); }

SHARED scalar_mask face_b_preferred(box_axes axes, scalar slop) {
    return axes.face_b > axes.face_a + axis_preference(best_face(axes), slop);
}

SHARED scalar_mask edges_preferred(box_axes axes, scalar slop) {
    const scalar face = choose(face_b_preferred(axes, slop), axes.face_b, axes.face_a);
    return axes.edges > face + axis_preference(face, slop);
}

/* Returns the separation of the boxes along a direction from a to b, which is at most their distance. */
SHARED scalar box_gap_along(oriented_box a, oriented_box b, vec3s direction) {
    scalar gap = glms_vec3_dot(direction, glms_vec3_sub(b.centre, a.centre));
    for (int axis = 0; axis < 3; axis++) {
        gap = gap - scalar_abs(glms_vec3_dot(direction, a.axes[axis])) * a.halves[axis];
        gap = gap - scalar_abs(glms_vec3_dot(direction, b.axes[axis])) * b.halves[axis];
    }
    return gap;
}

/* Cosine of a milliradian: normals at a smaller angle count as one (box_axes.h). */
#define BOX_PARALLEL 0.9999995f
/* Relative to the slop: largest overlap at an edge, as in convex.h. */
#define BOX_EDGE_DEPTH 20

/* Weights of the faces of two boxes: by how much their separation is above the margin below the best. Those
 * of parallel faces count once, for a's. */
typedef struct face_weights {
    scalar a[3], b[3];
} face_weights;

SHARED face_weights face_weights_of(oriented_box a, oriented_box b, axis_products p, scalar least) {
    const scalar none = scalar_of(0);
    face_weights w;
    for (int i = 0; i < 3; i++) {
        const scalar radius_b = p.abs_r[i][0] * b.halves[0] + p.abs_r[i][1] * b.halves[1] +
                                p.abs_r[i][2] * b.halves[2],
                     radius_a = p.abs_r[0][i] * a.halves[0] + p.abs_r[1][i] * a.halves[1] +
                                p.abs_r[2][i] * a.halves[2];
        w.a[i] = scalar_max(scalar_abs(p.t_a[i]) - a.halves[i] - radius_b - least, none);
        w.b[i] = scalar_max(scalar_abs(p.t_b[i]) - b.halves[i] - radius_a - least, none);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const scalar_mask parallel = p.abs_r[i][j] > BOX_PARALLEL;
            w.a[i] = choose(parallel, scalar_max(w.a[i], w.b[j]), w.a[i]);
            w.b[j] = choose(parallel, none, w.b[j]);
        }
    return w;
}

/* Returns the mean normal of the faces whose separation is above `least`. Where edges meet, every direction
 * in the normal cones of both has the same separation, and the best face is a matter of rounding: the mean is
 * the middle of these directions. It turns continuously to the normal of one face as the edge of the other
 * box moves along that face by the margin. Separations are concave and positively homogeneous functions of
 * the direction, so that along Σ w n it is at least Σ w s. */
LARGE vec3s box_mean_normal(oriented_box a, oriented_box b, scalar least) {
    const axis_products p = axis_products_of(box_couple_of(a, b));
    const face_weights w = face_weights_of(a, b, p, least);
    vec3s sum = glms_vec3_zero();
    for (int i = 0; i < 3; i++) {
        sum = glms_vec3_add(sum, glms_vec3_scale(axis_towards(a.axes[i], p.t_a[i]), w.a[i]));
        sum = glms_vec3_add(sum, glms_vec3_scale(axis_towards(b.axes[i], p.t_b[i]), w.b[i]));
    }
    return glms_vec3_scale(sum, 1 / glms_vec3_norm(sum));
}

/* Returns whether faces that are not parallel are as good as the best one, and the boxes overlap so little
 * that their edges meet. `between`: cosine of the angle of the best faces of the boxes. */
SHARED scalar_mask faces_tied(box_axes axes, scalar between, scalar margin, scalar slop) {
    const scalar best = best_face(axes), worse = scalar_min(axes.face_a, axes.face_b);
    const scalar_mask apart = scalar_abs(between) <= BOX_PARALLEL;
    const scalar rival = choose(apart, scalar_max(worse, axes.second), axes.second);
    return (rival > best - margin) & (best > -BOX_EDGE_DEPTH * slop);
}

/* Return the best face of each box. */
SHARED box_axis box_face_a(oriented_box a, oriented_box b, box_axes axes) {
    const scalar_int i = int_from(axes.axis_a);
    const vec3s axis = box_axis_at(a, i);
    return box_axis_of(SEPARATION_FACE_A, i, int_of(-1),
                       axis_towards(axis, glms_vec3_dot(glms_vec3_sub(b.centre, a.centre), axis)),
                       axes.face_a);
}
SHARED box_axis box_face_b(oriented_box a, oriented_box b, box_axes axes) {
    const scalar_int j = int_from(axes.axis_b);
    const vec3s axis = box_axis_at(b, j);
    return box_axis_of(SEPARATION_FACE_B, int_of(-1), j,
                       axis_towards(axis, glms_vec3_dot(glms_vec3_sub(b.centre, a.centre), axis)),
                       axes.face_b);
}

/* Returns whether the axes of two boxes are parallel in pairs. */
SHARED scalar_mask boxes_parallel(oriented_box a, oriented_box b) {
    const axis_products p = axis_products_of(box_couple_of(a, b));
    scalar least = scalar_of(1);
    for (int i = 0; i < 3; i++)
        least = scalar_min(least, scalar_max(p.abs_r[i][0], scalar_max(p.abs_r[i][1], p.abs_r[i][2])));
    return least > BOX_PARALLEL;
}

/* Returns the overlap that edges of flush faces are allowed (edge_normal.h): the weight of the second-best
 * face. */
SHARED scalar box_flush_overlap(oriented_box a, oriented_box b, box_axes axes, scalar margin) {
    const scalar none = scalar_of(0);
    return choose(boxes_parallel(a, b), scalar_max(axes.second - best_face(axes) + margin, none), none);
}

/* Replaces the normal by the mean of faces that are tied. The reference is a's best face, or b's if it is
 * better by half of the margin: the normal is then nearer to it. The overlap stays that of the best face,
 * less what flush faces are allowed. */
SHARED box_separation box_levelled(oriented_box a, oriented_box b, box_axes axes, box_separation in) {
    const scalar best = best_face(axes), margin = axis_preference(best, in.slop);
    const box_axis face_a = box_face_a(a, b, axes), face_b = box_face_b(a, b, axes);
    const scalar_mask tied = (in.best.kind != int_of(SEPARATION_EDGES)) &
                             faces_tied(axes, glms_vec3_dot(face_a.normal, face_b.normal), margin, in.slop);
    box_separation out = in;
    out.tied = tied;
    if (!any_lane(tied)) return out;
    const scalar_mask nearer_b = axes.face_b > axes.face_a + 0.5f * margin;
    out.face = box_axis_choose(tied, box_axis_choose(nearer_b, face_b, face_a), in.face);
    out.best = box_axis_choose(tied, out.face, in.best);
    out.best.normal = vec3_choose(tied, box_mean_normal(a, b, best - margin), out.best.normal);
    const scalar gap = scalar_max(box_gap_along(a, b, out.best.normal), scalar_min(best, scalar_of(0)));
    out.best.distance = choose(tied, gap + box_flush_overlap(a, b, axes, margin), out.best.distance);
    return out;
}

/* Selects the axis of a couple that no axis separates. */
SHARED box_separation box_separation_of(oriented_box a, oriented_box b, box_axes axes) {
    box_separation out;
    const scalar slop = box_separation_slop(a, b);
    out.face = box_axis_choose(face_b_preferred(axes, slop), box_face_b(a, b, axes), box_face_a(a, b, axes));
    out.best = out.face, out.slop = slop, out.tied = out.slop < 0;
    const scalar_mask crossed = edges_preferred(axes, slop);
    if (!any_lane(crossed)) return out;
    const scalar_int pair = int_from(axes.axis_edges);
    const scalar_int edge_a = choose_int(pair >= 6, int_of(2), choose_int(pair >= 3, int_of(1), int_of(0)));
    const scalar_int edge_b = pair - 3 * edge_a;
    out.best = box_axis_choose(
        crossed,
        box_axis_of(SEPARATION_EDGES, edge_a, edge_b,
                    edges_normal(a, b, glms_vec3_sub(b.centre, a.centre), edge_a, edge_b), axes.edges),
        out.face);
    return out;
}

#endif
