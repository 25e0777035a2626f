#include "box_separation.h"

/* The products that all 15 axes are made of. */
typedef struct axis_products {
    scalar r[3][3], abs_r[3][3]; /* a's axis i · b's axis j */
    scalar t_a[3], t_b[3];       /* b's centre − a's, along the axes of each */
} axis_products;

static axis_products products_of(const oriented_box *a, const oriented_box *b) {
    axis_products p;
    const vec3s t = glms_vec3_sub(b->centre, a->centre);
    for (int i = 0; i < 3; i++) {
        p.t_a[i] = glms_vec3_dot(t, a->axes[i]);
        p.t_b[i] = glms_vec3_dot(t, b->axes[i]);
        for (int j = 0; j < 3; j++) {
            p.r[i][j] = glms_vec3_dot(a->axes[i], b->axes[j]);
            p.abs_r[i][j] = scalar_abs(p.r[i][j]);
        }
    }
    return p;
}

static scalar smallest_half(const oriented_box *box) {
    return scalar_min(box->half[0], scalar_min(box->half[1], box->half[2]));
}

static vec3s towards(vec3s axis, scalar side) { return side < 0 ? glms_vec3_negate(axis) : axis; }

/* A face of a. Separation along a_i: |t · a_i| − h_i − Σ_j |a_i · b_j| h_j. */
static bool try_faces_a(const oriented_box *a, const oriented_box *b, const axis_products *p, scalar reach,
                        box_separation *best) {
    for (int i = 0; i < 3; i++) {
        const scalar radius_b =
            p->abs_r[i][0] * b->half[0] + p->abs_r[i][1] * b->half[1] + p->abs_r[i][2] * b->half[2];
        const scalar distance = scalar_abs(p->t_a[i]) - a->half[i] - radius_b;
        if (distance > reach) return false;
        if (distance <= best->distance) continue;
        *best =
            (box_separation){SEPARATION_FACE_A, i, -1, towards(a->axes[i], p->t_a[i]), distance, best->slop};
    }
    return true;
}

static bool try_faces_b(const oriented_box *a, const oriented_box *b, const axis_products *p, scalar reach,
                        box_separation *best) {
    for (int j = 0; j < 3; j++) {
        const scalar radius_a =
            p->abs_r[0][j] * a->half[0] + p->abs_r[1][j] * a->half[1] + p->abs_r[2][j] * a->half[2];
        const scalar distance = scalar_abs(p->t_b[j]) - b->half[j] - radius_a;
        if (distance > reach) return false;
        if (distance <= best->distance) continue;
        *best =
            (box_separation){SEPARATION_FACE_B, -1, j, towards(b->axes[j], p->t_b[j]), distance, best->slop};
    }
    return true;
}

/* Edges. With L = a_i × b_j: |L|² = (a_k · b_j)² + (a_l · b_j)² for the other axes k, l of a, and |a_k · L| =
 * |a_l · b_j|. Edges closer to parallel than a milliradian give no direction; a face of one of the boxes does
 * then. */
static bool try_edges(const oriented_box *a, const oriented_box *b, const axis_products *p, scalar reach,
                      box_separation *best) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
            const scalar square = p->r[k][j] * p->r[k][j] + p->r[l][j] * p->r[l][j];
            if (square < 1e-6f) continue;
            const scalar length = scalar_sqrt(square);
            const scalar centres = p->t_a[l] * p->r[k][j] - p->t_a[k] * p->r[l][j];
            const scalar radii = a->half[k] * p->abs_r[l][j] + a->half[l] * p->abs_r[k][j] +
                                 b->half[m] * p->abs_r[i][n] + b->half[n] * p->abs_r[i][m];
            const scalar distance = (scalar_abs(centres) - radii) / length;
            if (distance > reach) return false;
            if (distance <= best->distance) continue;
            const vec3s axis = glms_vec3_scale(glms_vec3_cross(a->axes[i], b->axes[j]), 1 / length);
            *best = (box_separation){SEPARATION_EDGES, i, j, towards(axis, centres), distance, best->slop};
        }
    return true;
}

/* A face of a is preferred to one of b, and faces to edges, unless the other is better by more than this:
 * boxes that lie flat on each other keep the same reference, and with it their points, whatever rounding
 * says. */
static scalar preference(const box_separation *separation) {
    return separation->slop + 0.02f * scalar_abs(separation->distance);
}

bool box_separate(const oriented_box *a, const oriented_box *b, scalar reach, box_separation *out,
                  box_separation *face) {
    const axis_products p = products_of(a, b);
    const scalar slop = 1e-3f * scalar_min(smallest_half(a), smallest_half(b));
    const box_separation none = {.distance = -INFINITY, .slop = slop};
    box_separation face_a = none, face_b = none, edges = none;
    if (!try_faces_a(a, b, &p, reach, &face_a) || !try_faces_b(a, b, &p, reach, &face_b) ||
        !try_edges(a, b, &p, reach, &edges))
        return false;
    *face = face_b.distance > face_a.distance + preference(&face_a) ? face_b : face_a;
    *out = *face;
    if (edges.distance > out->distance + preference(out)) *out = edges;
    return true;
}
