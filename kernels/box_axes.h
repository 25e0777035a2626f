/* Separating axis test of two boxes for any width; each lane is a pair. The axes are the 15 of Gottschalk,
 * Lin and Manocha (OBBTree, SIGGRAPH 1996). */
#ifndef SCREE_KERNELS_BOX_AXES_H
#define SCREE_KERNELS_BOX_AXES_H

#include "dialect.h"

/* Two boxes; b's centre is at `between` from a's. */
typedef struct box_couple {
    vec3s axes_a[3], axes_b[3]; /* unit */
    scalar half_a[3], half_b[3];
    vec3s between;
} box_couple;

/* Best axis of each kind and the separation along it (negative: overlap): faces of a and of b, 0 … 2, and
 * edges, 3 · axis of a + axis of b. */
typedef struct box_axes {
    scalar face_a, face_b, edges; /* distances, m; −infinity: all edges are parallel */
    scalar axis_a, axis_b, axis_edges;
    scalar second;      /* larger separation of the second-best face of either box, m */
    scalar_mask parted; /* some axis separates them by more than the reach */
} box_axes;

/* Products shared by all axes. */
typedef struct axis_products {
    scalar r[3][3], abs_r[3][3]; /* a's axis i · b's axis j */
    scalar t_a[3], t_b[3];       /* b's centre − a's, along the axes of each */
} axis_products;

SHARED axis_products axis_products_of(box_couple pair) {
    axis_products p;
    for (int i = 0; i < 3; i++) {
        p.t_a[i] = glms_vec3_dot(pair.between, pair.axes_a[i]);
        p.t_b[i] = glms_vec3_dot(pair.between, pair.axes_b[i]);
        for (int j = 0; j < 3; j++) {
            p.r[i][j] = glms_vec3_dot(pair.axes_a[i], pair.axes_b[j]);
            p.abs_r[i][j] = scalar_abs(p.r[i][j]);
        }
    }
    return p;
}

/* For the edges i of a and j of b the axis is L = a_i × b_j. With the other axes k, l of a, |L|² = (a_k ·
 * b_j)² + (a_l · b_j)² and t · L = (t · a_l) (a_k · b_j) − (t · a_k) (a_l · b_j). */
SHARED scalar edges_square(scalar r_k, scalar r_l) { return r_k * r_k + r_l * r_l; }
SHARED scalar edges_centres(scalar r_k, scalar r_l, scalar t_k, scalar t_l) { return t_l * r_k - t_k * r_l; }

/* Separation along a_i: |t · a_i| − h_i − Σ_j |a_i · b_j| h_j, and correspondingly along b_j. Along L it is
 * (|t · L| − Σ h_k |a_k · L| − …)/|L|, where |a_k · L| = |a_l · b_j|. Edges closer to parallel than a
 * milliradian are skipped, because they have no reliable direction; a face of one of the boxes then has the
 * best axis. */
SHARED box_axes box_axes_of(box_couple pair, scalar reach) {
    const axis_products p = axis_products_of(pair);
    const scalar half_a[3] = {pair.half_a[0], pair.half_a[1], pair.half_a[2]};
    const scalar half_b[3] = {pair.half_b[0], pair.half_b[1], pair.half_b[2]};
    box_axes best;
    best.face_a = best.face_b = best.edges = best.second = scalar_of(-INFINITY);
    best.axis_a = best.axis_b = best.axis_edges = scalar_of(0);
    best.parted = scalar_of(0) > reach + INFINITY;
    for (int i = 0; i < 3; i++) {
        const scalar radius =
            p.abs_r[i][0] * half_b[0] + p.abs_r[i][1] * half_b[1] + p.abs_r[i][2] * half_b[2];
        const scalar distance = scalar_abs(p.t_a[i]) - half_a[i] - radius;
        best.parted = best.parted | (distance > reach);
        const scalar_mask better = distance > best.face_a;
        best.second = scalar_max(best.second, scalar_min(distance, best.face_a));
        best.face_a = choose(better, distance, best.face_a);
        best.axis_a = choose(better, scalar_of((float)i), best.axis_a);
    }
    for (int j = 0; j < 3; j++) {
        const scalar radius =
            p.abs_r[0][j] * half_a[0] + p.abs_r[1][j] * half_a[1] + p.abs_r[2][j] * half_a[2];
        const scalar distance = scalar_abs(p.t_b[j]) - half_b[j] - radius;
        best.parted = best.parted | (distance > reach);
        const scalar_mask better = distance > best.face_b;
        best.second = scalar_max(best.second, scalar_min(distance, best.face_b));
        best.face_b = choose(better, distance, best.face_b);
        best.axis_b = choose(better, scalar_of((float)j), best.axis_b);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
            const scalar square = edges_square(p.r[k][j], p.r[l][j]), length = scalar_sqrt(square);
            const scalar radii = half_a[k] * p.abs_r[l][j] + half_a[l] * p.abs_r[k][j] +
                                 half_b[m] * p.abs_r[i][n] + half_b[n] * p.abs_r[i][m];
            const scalar distance =
                (scalar_abs(edges_centres(p.r[k][j], p.r[l][j], p.t_a[k], p.t_a[l])) - radii) / length;
            const scalar_mask crossed = square >= 1e-6f;
            best.parted = best.parted | (crossed & (distance > reach));
            const scalar_mask better = crossed & (distance > best.edges);
            best.edges = choose(better, distance, best.edges);
            best.axis_edges = choose(better, scalar_of((float)(3 * i + j)), best.axis_edges);
        }
    return best;
}

#endif
