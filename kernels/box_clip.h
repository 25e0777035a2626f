/* The face of one box cut to the face of another: the points of a face contact. */
#ifndef SCREE_KERNELS_BOX_CLIP_H
#define SCREE_KERNELS_BOX_CLIP_H

#include "oriented_box.h"

enum { CLIP_POINTS = 10 }; /* a quadrilateral cut by four planes has 8; rounding may add some to a sliver */

/* A corner of the cut face, in coordinates of the reference face. */
typedef struct clip_point {
    scalar u, v;            /* m from the centre of the reference face, along its axes k + 1 and k + 2 */
    scalar gap;             /* m above it, along the direction of the cut */
    int label;              /* of the side that leaves the point */
    unsigned int reference; /* codes of the features that meet here */
    unsigned int incident;
} clip_point;

/* In the order around the face. */
typedef struct clip_points {
    int count;
    clip_point at[CLIP_POINTS];
} clip_points;

/* The face `axis` of a box with its outward normal, and the box that faces it. Gaps are measured along
 * normal + lean, where `lean` lies in the face and is zero for a face contact. */
typedef struct face_pair {
    oriented_box reference, incident;
    int axis;
    vec3s normal, lean;
    int of_a; /* the reference is the pair's first box */
} face_pair;

/* The sides of a cut face are labelled 0 … 3 where they are edges of the incident face (c: from its corner c
 * to the next) and 4 … 7 where they lie on a side of the reference face (u = h, u = −h, v = h, v = −h). */
enum { REFERENCE_SIDE = 4 };

/* Corner c of the face across `axis` on the side of `corner`, in order around it. */
SHARED int face_corner(int axis, int corner, int c) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = corner & 1 << axis;
    return base | (c == 1 || c == 2 ? u : 0) | (c >= 2 ? v : 0);
}

/* Keeps what lies on the inner side of one reference side (Sutherland and Hodgman, 1974). */
LARGE clip_points clip_side(clip_points in, int side, scalar limit) {
    const scalar sign = side & 1 ? -1 : 1;
    const int along_u = side < 2;
    clip_points out;
    out.count = 0;
    for (int i = 0; i < in.count && out.count + 2 <= CLIP_POINTS; i++) {
        const clip_point here = in.at[i], next = in.at[i + 1 < in.count ? i + 1 : 0];
        const scalar beyond = sign * (along_u ? here.u : here.v) - limit;
        const scalar next_beyond = sign * (along_u ? next.u : next.v) - limit;
        if (beyond <= 0) out.at[out.count++] = here;
        if ((beyond <= 0) == (next_beyond <= 0)) continue;
        const scalar part = beyond / (beyond - next_beyond);
        clip_point crossing;
        crossing.u = here.u + part * (next.u - here.u);
        crossing.v = here.v + part * (next.v - here.v);
        crossing.gap = here.gap + part * (next.gap - here.gap);
        crossing.label = beyond <= 0 ? REFERENCE_SIDE + side : here.label;
        crossing.reference = crossing.incident = 0;
        out.at[out.count++] = crossing;
    }
    return out;
}

/* The corner of the reference face where its sides s and t meet (or an end of s, if they are the same). */
SHARED int reference_corner(int axis, int corner, int s, int t) {
    const int side_u = s < 2 ? s : t, side_v = s < 2 ? t : s;
    return (corner & 1 << axis) | (side_u & 1 ? 0 : 1) << (axis + 1) % 3 |
           (side_v & 1 ? 0 : 1) << (axis + 2) % 3;
}

/* What meets at a point follows from the sides before and after it: two edges of the incident face meet in
 * its corner, two sides of the reference face in a corner of that, and one of each cross. */
SHARED clip_point clip_named(clip_point point, int before, int axis, int corner, int incident_axis,
                             int incident_corner) {
    const int after = point.label;
    if (before < REFERENCE_SIDE && after < REFERENCE_SIDE) {
        point.incident = (unsigned int)face_corner(incident_axis, incident_corner, after);
        point.reference = box_face(axis, corner);
    } else if (before >= REFERENCE_SIDE && after >= REFERENCE_SIDE) {
        point.incident = box_face(incident_axis, face_corner(incident_axis, incident_corner, 0));
        point.reference =
            (unsigned int)reference_corner(axis, corner, before - REFERENCE_SIDE, after - REFERENCE_SIDE);
    } else {
        const int edge = before < REFERENCE_SIDE ? before : after;
        const int side = (before < REFERENCE_SIDE ? after : before) - REFERENCE_SIDE;
        const int edge_axis = (incident_axis + 1 + (edge & 1)) % 3,
                  side_axis = (axis + (side < 2 ? 2 : 1)) % 3;
        point.incident = box_edge(edge_axis, face_corner(incident_axis, incident_corner, edge));
        point.reference = box_edge(side_axis, reference_corner(axis, corner, side, side < 2 ? 2 : 0));
    }
    return point;
}

/* Of heights along the normal n to lengths along n + lean. */
SHARED scalar clip_stretch(vec3s lean) { return scalar_sqrt(1 + glms_vec3_norm2(lean)); }

/* Projects the face of the incident box that looks most against the normal onto the reference face, and cuts
 * it to the sides of the face, moved out by `slop`. */
CALLED clip_points box_clip(face_pair pair, scalar slop) {
    const int axis = pair.axis, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int corner = glms_vec3_dot(pair.normal, pair.reference.axes[axis]) > 0 ? 1 << axis : 0;
    int incident_axis = 0;
    scalar steepest = -1;
    for (int k = 0; k < 3; k++) {
        const scalar slope = scalar_abs(glms_vec3_dot(pair.normal, pair.incident.axes[k]));
        if (slope > steepest) steepest = slope, incident_axis = k;
    }
    const int facing = box_support(pair.incident, glms_vec3_negate(pair.normal));
    const scalar stretch = clip_stretch(pair.lean);
    clip_points out;
    out.count = 4;
    for (int c = 0; c < 4; c++) {
        const vec3s at = box_corner(pair.incident, face_corner(incident_axis, facing, c));
        const vec3s from = glms_vec3_sub(at, pair.reference.centre);
        const scalar height = glms_vec3_dot(from, pair.normal) - pair.reference.halves[axis];
        const vec3s foot = glms_vec3_sub(from, glms_vec3_scale(pair.lean, height));
        out.at[c].u = glms_vec3_dot(foot, pair.reference.axes[u]);
        out.at[c].v = glms_vec3_dot(foot, pair.reference.axes[v]);
        out.at[c].gap = height * stretch, out.at[c].label = c;
        out.at[c].reference = out.at[c].incident = 0;
    }
    out = clip_side(out, 0, pair.reference.halves[u] + slop);
    out = clip_side(out, 1, pair.reference.halves[u] + slop);
    out = clip_side(out, 2, pair.reference.halves[v] + slop);
    out = clip_side(out, 3, pair.reference.halves[v] + slop);
    for (int i = 0; i < out.count; i++)
        out.at[i] = clip_named(out.at[i], out.at[i > 0 ? i - 1 : out.count - 1].label, axis, corner,
                               incident_axis, facing);
    return out;
}

/* Where a point is, midway between the face and the point above it. */
SHARED vec3s box_clip_position(face_pair pair, clip_point point) {
    const oriented_box of = pair.reference;
    const vec3s in_face = glms_vec3_add(glms_vec3_scale(of.axes[(pair.axis + 1) % 3], point.u),
                                        glms_vec3_scale(of.axes[(pair.axis + 2) % 3], point.v));
    const scalar middle = point.gap / (2 * clip_stretch(pair.lean));
    const vec3s above = glms_vec3_add(glms_vec3_scale(pair.normal, of.halves[pair.axis] + middle),
                                      glms_vec3_scale(pair.lean, middle));
    return glms_vec3_add(of.centre, glms_vec3_add(in_face, above));
}

#endif
