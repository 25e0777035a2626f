#include "box_clip.h"

/* The sides of a cut face are labelled 0 … 3 where they are edges of the incident face (c: from its corner c
 * to the next) and 4 … 7 where they lie on a side of the reference face (u = h, u = −h, v = h, v = −h). */
enum { REFERENCE_SIDE = 4 };

/* Corners of the face across `axis` on the side of `corner`, in order around it. */
static void face_corners(int axis, int corner, int out[4]) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = corner & 1 << axis;
    out[0] = base, out[1] = base | u, out[2] = base | u | v, out[3] = base | v;
}

/* Keeps what lies on the inner side of one reference side (Sutherland and Hodgman, 1974). */
static int clip_side(const clip_point *in, int count, int side, scalar limit, clip_point *out) {
    const scalar sign = side & 1 ? -1 : 1;
    const bool along_u = side < 2;
    int kept = 0;
    for (int i = 0; i < count && kept + 2 <= CLIP_POINTS; i++) {
        const clip_point *here = &in[i], *next = &in[i + 1 < count ? i + 1 : 0];
        const scalar beyond = sign * (along_u ? here->u : here->v) - limit;
        const scalar next_beyond = sign * (along_u ? next->u : next->v) - limit;
        if (beyond <= 0) out[kept++] = *here;
        if ((beyond <= 0) == (next_beyond <= 0)) continue;
        const scalar part = beyond / (beyond - next_beyond);
        out[kept++] = (clip_point){.u = here->u + part * (next->u - here->u),
                                   .v = here->v + part * (next->v - here->v),
                                   .gap = here->gap + part * (next->gap - here->gap),
                                   .label = beyond <= 0 ? REFERENCE_SIDE + side : here->label};
    }
    return kept;
}

/* The corner of the reference face where its sides s and t meet (or an end of s, if they are the same). */
static int reference_corner(int axis, int corner, int s, int t) {
    const int side_u = s < 2 ? s : t, side_v = s < 2 ? t : s;
    return (corner & 1 << axis) | (side_u & 1 ? 0 : 1) << (axis + 1) % 3 |
           (side_v & 1 ? 0 : 1) << (axis + 2) % 3;
}

/* What meets at a point follows from the sides before and after it: two edges of the incident face meet in
 * its corner, two sides of the reference face in a corner of that, and one of each cross. */
static void name_points(clip_point *points, int count, int axis, int corner, int incident_axis,
                        const int incident_corners[4]) {
    for (int i = 0; i < count; i++) {
        clip_point *point = &points[i];
        const int before = points[i > 0 ? i - 1 : count - 1].label, after = point->label;
        if (before < REFERENCE_SIDE && after < REFERENCE_SIDE) {
            point->incident = (uint32_t)incident_corners[after];
            point->reference = box_face(axis, corner);
        } else if (before >= REFERENCE_SIDE && after >= REFERENCE_SIDE) {
            point->incident = box_face(incident_axis, incident_corners[0]);
            point->reference =
                (uint32_t)reference_corner(axis, corner, before - REFERENCE_SIDE, after - REFERENCE_SIDE);
        } else {
            const int edge = before < REFERENCE_SIDE ? before : after;
            const int side = (before < REFERENCE_SIDE ? after : before) - REFERENCE_SIDE;
            const int edge_axis = (incident_axis + 1 + (edge & 1)) % 3,
                      side_axis = (axis + (side < 2 ? 2 : 1)) % 3;
            point->incident = box_edge(edge_axis, incident_corners[edge]);
            point->reference = box_edge(side_axis, reference_corner(axis, corner, side, side < 2 ? 2 : 0));
        }
    }
}

/* Of heights along the normal n to lengths along n + lean. */
static scalar stretch_of(vec3s lean) { return scalar_sqrt(1 + glms_vec3_norm2(lean)); }

int box_clip(const oriented_box *reference, int axis, vec3s normal, vec3s lean, const oriented_box *incident,
             scalar slop, clip_point *out) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int corner = glms_vec3_dot(normal, reference->axes[axis]) > 0 ? 1 << axis : 0;
    int incident_axis = 0;
    scalar steepest = -1;
    for (int k = 0; k < 3; k++) {
        const scalar slope = scalar_abs(glms_vec3_dot(normal, incident->axes[k]));
        if (slope > steepest) steepest = slope, incident_axis = k;
    }
    int corners[4];
    face_corners(incident_axis, box_support(incident, glms_vec3_negate(normal)), corners);
    clip_point other[CLIP_POINTS];
    const scalar stretch = stretch_of(lean);
    for (int c = 0; c < 4; c++) {
        const vec3s from = glms_vec3_sub(box_corner(incident, corners[c]), reference->centre);
        const scalar height = glms_vec3_dot(from, normal) - reference->half[axis];
        const vec3s foot = glms_vec3_sub(from, glms_vec3_scale(lean, height));
        out[c] = (clip_point){.u = glms_vec3_dot(foot, reference->axes[u]),
                              .v = glms_vec3_dot(foot, reference->axes[v]),
                              .gap = height * stretch,
                              .label = c};
    }
    int count = 4;
    count = clip_side(out, count, 0, reference->half[u] + slop, other);
    count = clip_side(other, count, 1, reference->half[u] + slop, out);
    count = clip_side(out, count, 2, reference->half[v] + slop, other);
    count = clip_side(other, count, 3, reference->half[v] + slop, out);
    name_points(out, count, axis, corner, incident_axis, corners);
    return count;
}

vec3s box_clip_position(const oriented_box *reference, int axis, vec3s normal, vec3s lean,
                        const clip_point *point) {
    const vec3s in_face = glms_vec3_add(glms_vec3_scale(reference->axes[(axis + 1) % 3], point->u),
                                        glms_vec3_scale(reference->axes[(axis + 2) % 3], point->v));
    const scalar middle = point->gap / (2 * stretch_of(lean));
    const vec3s above =
        glms_vec3_add(glms_vec3_scale(normal, reference->half[axis] + middle), glms_vec3_scale(lean, middle));
    return glms_vec3_add(reference->centre, glms_vec3_add(in_face, above));
}
