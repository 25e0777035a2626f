#include "box_separation.h"

static scalar smallest_half(const oriented_box *box) {
    return scalar_min(box->half[0], scalar_min(box->half[1], box->half[2]));
}

static vec3s towards(vec3s axis, scalar side) { return side < 0 ? glms_vec3_negate(axis) : axis; }

static vec3s edges_normal(const oriented_box *a, const oriented_box *b, vec3s between, int i, int j) {
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    axis_products p; /* as far as this axis needs them */
    p.r[k][j] = glms_vec3_dot(a->axes[k], b->axes[j]), p.r[l][j] = glms_vec3_dot(a->axes[l], b->axes[j]);
    p.t_a[k] = glms_vec3_dot(between, a->axes[k]), p.t_a[l] = glms_vec3_dot(between, a->axes[l]);
    const scalar length = scalar_sqrt(edges_square(&p, i, j));
    const vec3s axis = glms_vec3_scale(glms_vec3_cross(a->axes[i], b->axes[j]), 1 / length);
    return towards(axis, edges_centres(&p, i, j));
}

/* A face of a is preferred to one of b, and faces to edges, unless the other is better by more than this:
 * boxes that lie flat on each other keep the same reference, and with it their points, whatever rounding
 * says. */
static scalar preference(scalar distance, scalar slop) { return slop + 0.02f * scalar_abs(distance); }

void box_separation_choose(const oriented_box *a, const oriented_box *b, const box_axes *axes,
                           box_separation *out, box_separation *face) {
    const scalar slop = 1e-3f * scalar_min(smallest_half(a), smallest_half(b));
    const vec3s between = glms_vec3_sub(b->centre, a->centre);
    const int i = (int)axes->axis_a, j = (int)axes->axis_b;
    if (axes->face_b > axes->face_a + preference(axes->face_a, slop))
        *face = (box_separation){
            SEPARATION_FACE_B, -1,  j, towards(b->axes[j], glms_vec3_dot(between, b->axes[j])),
            axes->face_b,      slop};
    else
        *face = (box_separation){
            SEPARATION_FACE_A, i,   -1, towards(a->axes[i], glms_vec3_dot(between, a->axes[i])),
            axes->face_a,      slop};
    *out = *face;
    if (!(axes->edges > face->distance + preference(face->distance, slop))) return;
    const int of_a = (int)axes->axis_edges / 3, of_b = (int)axes->axis_edges % 3;
    *out = (box_separation){SEPARATION_EDGES, of_a, of_b, edges_normal(a, b, between, of_a, of_b),
                            axes->edges,      slop};
}

static box_couple couple_of(const oriented_box *a, const oriented_box *b) {
    return (box_couple){{a->axes[0], a->axes[1], a->axes[2]},
                        {b->axes[0], b->axes[1], b->axes[2]},
                        {a->half[0], a->half[1], a->half[2]},
                        {b->half[0], b->half[1], b->half[2]},
                        glms_vec3_sub(b->centre, a->centre)};
}

bool box_separate(const oriented_box *a, const oriented_box *b, scalar reach, box_separation *out,
                  box_separation *face) {
    const box_couple couple = couple_of(a, b);
    const box_axes axes = box_axes_of(&couple, reach);
    if (axes.parted) return false;
    box_separation_choose(a, b, &axes, out, face);
    return true;
}
