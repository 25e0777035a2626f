/* Face of one box clipped to the face of another: the points of a face contact. */
#ifndef SCREE_KERNELS_BOX_CLIP_H
#define SCREE_KERNELS_BOX_CLIP_H

#include "oriented_box.h"

enum {
    CLIP_POINTS = 10
}; /* a quadrilateral clipped by four planes has 8; rounding may add some to a sliver */

/* Corner of the clipped face, in coordinates of the reference face. */
typedef struct clip_point {
    scalar u, v;       /* m from the centre of the reference face, along its axes k + 1 and k + 2 */
    scalar gap;        /* m above it, along the direction of the projection */
    scalar_int label;  /* side that starts at the point */
    scalar_int before; /* side that ends at the point */
} clip_point;

/* Points in order around the face. */
typedef struct clip_points {
    scalar_int count;
    clip_point at[CLIP_POINTS];
} clip_points;

/* The face of a box normal to `axis` with its outward normal, and the box opposite to it. Gaps are measured
 * along normal + lean, where `lean` lies in the face and is zero for a face contact. */
typedef struct face_pair {
    oriented_box reference, incident;
    scalar_int axis;
    vec3s normal, lean;
    scalar_mask of_a; /* the reference is the pair's first box */
    /* Corners of the faces that meet, and the axis of the incident face; set by face_pair_meeting. */
    scalar_int corner, incident_axis, incident_corner;
} face_pair;

/* Sides of a clipped face have the labels 0 … 3 if they are edges of the incident face (c: from its corner c
 * to the next) and 4 … 7 if they lie on a side of the reference face (u = h, u = −h, v = h, v = −h). */
enum { REFERENCE_SIDE = 4 };

/* Lanes have different numbers of points, so appending and indexing select among all places by masks. At
 * width 1 the work-item's own array is indexed directly; its address needs no address space. */
#if SCREE_WIDTH == 1
SHARED void clip_put(clip_points *to, clip_point point, scalar_mask which) {
    if (which) to->at[to->count++] = point;
}
SHARED clip_point clip_at(const clip_points *of, scalar_int number) { return of->at[number]; }
SHARED clip_point clip_next(const clip_points *of, int i) { return of->at[i + 1 < of->count ? i + 1 : 0]; }
#else
SHARED clip_point clip_choose(scalar_mask m, clip_point a, clip_point b) {
    clip_point out;
    out.u = choose(m, a.u, b.u), out.v = choose(m, a.v, b.v), out.gap = choose(m, a.gap, b.gap);
    out.label = choose_int(m, a.label, b.label), out.before = choose_int(m, a.before, b.before);
    return out;
}
SHARED void clip_put(clip_points *to, clip_point point, scalar_mask which) {
    for (int k = 0; k < CLIP_POINTS && any_lane(to->count >= k); k++)
        to->at[k] = any_lane(to->count > k) ? clip_choose(which & (to->count == k), point, to->at[k]) : point;
    to->count -= which;
}
SHARED clip_point clip_at(const clip_points *of, scalar_int number) {
    clip_point out = of->at[0];
    for (int k = 1; k < CLIP_POINTS && any_lane(of->count > k); k++)
        out = clip_choose(number == k, of->at[k], out);
    return out;
}
SHARED clip_point clip_next(const clip_points *of, int i) {
    return i + 1 < CLIP_POINTS ? clip_choose(of->count > i + 1, of->at[i + 1], of->at[0]) : of->at[0];
}
#endif

/* Returns corner c of the face normal to `axis` on the side of `corner`, in order around the face. */
SHARED scalar_int face_corner(scalar_int axis, scalar_int corner, scalar_int c) {
    const scalar_int u = int_of(1) << axis_next(axis), v = int_of(1) << axis_last(axis),
                     base = corner & int_of(1) << axis, none = int_of(0);
    return base | choose_int((c == 1) | (c == 2), u, none) | choose_int(c >= 2, v, none);
}

/* Keeps the part on the inner side of one reference side (Sutherland and Hodgman, 1974). */
LARGE void clip_side(const clip_points *in, clip_points *out, int side, scalar limit) {
    const float sign = side & 1 ? -1 : 1;
    const int along_u = side < 2;
    out->count = int_of(0);
    for (int i = 0; i < CLIP_POINTS && any_lane(in->count > i); i++) {
        const clip_point here = in->at[i], next = clip_next(in, i);
        const scalar beyond = sign * (along_u ? here.u : here.v) - limit;
        const scalar next_beyond = sign * (along_u ? next.u : next.v) - limit;
        const scalar_mask scratch = (in->count > i) & (out->count + 2 <= CLIP_POINTS);
        const scalar_mask inside = beyond <= 0, crosses = scratch & (inside != (next_beyond <= 0));
        clip_put(out, here, scratch & inside);
        if (!any_lane(crosses)) continue;
        const scalar part = beyond / (beyond - next_beyond);
        clip_point crossing = here;
        crossing.u = here.u + part * (next.u - here.u);
        crossing.v = here.v + part * (next.v - here.v);
        crossing.gap = here.gap + part * (next.gap - here.gap);
        crossing.label = choose_int(inside, int_of(REFERENCE_SIDE + side), here.label);
        clip_put(out, crossing, crosses);
    }
}

/* Returns the corner of the reference face where its sides s and t meet (or an end of s if both are on the
 * same axis). */
SHARED scalar_int reference_corner(scalar_int axis, scalar_int corner, scalar_int s, scalar_int t) {
    const scalar_int one = int_of(1), none = int_of(0), side_u = choose_int(s < 2, s, t),
                     side_v = choose_int(s < 2, t, s);
    return (corner & one << axis) | choose_int((side_u & 1) != 0, none, one << axis_next(axis)) |
           choose_int((side_v & 1) != 0, none, one << axis_last(axis));
}

/* Codes of the features that meet at a point. */
typedef struct clip_features {
    scalar_bits reference, incident;
} clip_features;

/* Returns the features that meet at a point, from the sides before and after it: two edges of the incident
 * face meet in its corner, two sides of the reference face in a corner of the reference face, and one of each
 * cross. */
SHARED clip_features clip_features_of(face_pair pair, clip_point point) {
    const scalar_int before = point.before, after = point.label, axis = pair.axis, corner = pair.corner,
                     incident_axis = pair.incident_axis, facing = pair.incident_corner;
    const scalar_mask edge_before = before < REFERENCE_SIDE, edge_after = after < REFERENCE_SIDE;
    const scalar_int edge = choose_int(edge_before, before, after),
                     side = choose_int(edge_before, after, before) - REFERENCE_SIDE;
    const scalar_int edge_axis =
                         choose_int((edge & 1) != 0, axis_last(incident_axis), axis_next(incident_axis)),
                     side_axis = choose_int(side < 2, axis_last(axis), axis_next(axis)),
                     side_end = choose_int(side < 2, int_of(2), int_of(0));
    const scalar_int at_corner = face_corner(incident_axis, facing, after),
                     reference_at =
                         reference_corner(axis, corner, before - REFERENCE_SIDE, after - REFERENCE_SIDE);
    const scalar_mask of_edges = edge_before & edge_after, cross = edge_before != edge_after;
    clip_features out;
    out.incident = (scalar_bits)choose_int(
        cross, (scalar_int)box_edge(edge_axis, face_corner(incident_axis, facing, edge)),
        choose_int(of_edges, at_corner,
                   (scalar_int)box_face(incident_axis, face_corner(incident_axis, facing, int_of(0)))));
    out.reference = (scalar_bits)choose_int(
        cross, (scalar_int)box_edge(side_axis, reference_corner(axis, corner, side, side_end)),
        choose_int(of_edges, (scalar_int)box_face(axis, corner), reference_at));
    return out;
}

/* Converts heights along the normal n to lengths along n + lean. */
SHARED scalar clip_stretch(vec3s lean) { return scalar_sqrt(1 + glms_vec3_norm2(lean)); }

/* Completes the pair with the faces that meet: the incident box's face is the one most opposed to the normal.
 */
SHARED face_pair face_pair_meeting(face_pair pair) {
    const scalar_int one = int_of(1), none = int_of(0);
    pair.corner = choose_int(glms_vec3_dot(pair.normal, box_axis_at(pair.reference, pair.axis)) > 0,
                             one << pair.axis, none);
    pair.incident_axis = none;
    scalar steepest = scalar_of(-1);
    for (int k = 0; k < 3; k++) {
        const scalar slope = scalar_abs(glms_vec3_dot(pair.normal, pair.incident.axes[k]));
        const scalar_mask steeper = slope > steepest;
        steepest = choose(steeper, slope, steepest);
        pair.incident_axis = choose_int(steeper, int_of(k), pair.incident_axis);
    }
    pair.incident_corner = box_support(pair.incident, glms_vec3_negate(pair.normal));
    return pair;
}

/* Projects the face of the incident box onto the reference face and clips it to the sides of that face, moved
 * out by `slop`. */
CALLED void box_clip(face_pair pair, scalar slop, clip_points *out) {
    const scalar_int u = axis_next(pair.axis), v = axis_last(pair.axis);
    const vec3s axis_u = box_axis_at(pair.reference, u), axis_v = box_axis_at(pair.reference, v);
    const scalar half_n = box_half_at(pair.reference, pair.axis), half_u = box_half_at(pair.reference, u),
                 half_v = box_half_at(pair.reference, v);
    const scalar stretch = clip_stretch(pair.lean);
    clip_points other;
    out->count = int_of(4);
    for (int c = 0; c < 4; c++) {
        const vec3s at =
            box_corner(pair.incident, face_corner(pair.incident_axis, pair.incident_corner, int_of(c)));
        const vec3s from = glms_vec3_sub(at, pair.reference.centre);
        const scalar height = glms_vec3_dot(from, pair.normal) - half_n;
        const vec3s foot = glms_vec3_sub(from, glms_vec3_scale(pair.lean, height));
        out->at[c].u = glms_vec3_dot(foot, axis_u), out->at[c].v = glms_vec3_dot(foot, axis_v);
        out->at[c].gap = height * stretch, out->at[c].label = out->at[c].before = int_of(c);
    }
    clip_side(out, &other, 0, half_u + slop);
    clip_side(&other, out, 1, half_u + slop);
    clip_side(out, &other, 2, half_v + slop);
    clip_side(&other, out, 3, half_v + slop);
    if (!any_lane(out->count > 0)) return;
    scalar_int before = clip_at(out, out->count - 1).label;
    for (int i = 0; i < CLIP_POINTS && any_lane(out->count > i); i++)
        out->at[i].before = before, before = out->at[i].label;
}

/* Returns the position of a point, midway between the face and the point above it. */
SHARED vec3s box_clip_position(face_pair pair, clip_point point) {
    const oriented_box of = pair.reference;
    const vec3s in_face = glms_vec3_add(glms_vec3_scale(box_axis_at(of, axis_next(pair.axis)), point.u),
                                        glms_vec3_scale(box_axis_at(of, axis_last(pair.axis)), point.v));
    const scalar middle = point.gap / (2 * clip_stretch(pair.lean));
    const vec3s above = glms_vec3_add(glms_vec3_scale(pair.normal, box_half_at(of, pair.axis) + middle),
                                      glms_vec3_scale(pair.lean, middle));
    return glms_vec3_add(of.centre, glms_vec3_add(in_face, above));
}

#endif
