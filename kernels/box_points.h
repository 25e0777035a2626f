/* Where a box touches boxes and half-spaces. Features are codes of oriented_box.h: that of the first box, and
 * that of the second 5 bits higher. */
#ifndef SCREE_KERNELS_BOX_POINTS_H
#define SCREE_KERNELS_BOX_POINTS_H

#include "box_clip.h"
#include "box_separation.h"
#include "layout.h"
#include "manifold_points.h"

SHARED unsigned int box_feature(unsigned int of_a, unsigned int of_b) { return of_a | of_b << 5; }

/* Up to four of the corners that lie within reach of the plane, as bits. When there are more, a face's four
 * or the lowest corner and its three neighbours, whichever spans more of the plane: with A_k = h_i h_j |n_k|,
 * a face projects onto 4 A_k and the triangle of neighbours onto 2 (A_0 + A_1 + A_2). Both hold the lowest
 * corner. */
SHARED int box_corners_chosen(oriented_box box, vec3s slope, int within, int lowest) {
    const scalar area[3] = {box.halves[1] * box.halves[2] * scalar_abs(slope.x),
                            box.halves[2] * box.halves[0] * scalar_abs(slope.y),
                            box.halves[0] * box.halves[1] * scalar_abs(slope.z)};
    int face = area[1] > area[0] ? 1 : 0, count = 0;
    if (area[2] > area[face]) face = 2;
    for (int corner = 0; corner < 8; corner++) count += within >> corner & 1;
    if (count <= MANIFOLD_POINTS) return within;
    int chosen = 1 << lowest;
    if (area[face] >= area[(face + 1) % 3] + area[(face + 2) % 3])
        for (int corner = 0; corner < 8; corner++)
            chosen |= ((corner ^ lowest) & 1 << face) ? 0 : 1 << corner;
    else
        for (int axis = 0; axis < 3; axis++) chosen |= 1 << (lowest ^ 1 << axis);
    return chosen & within;
}

SHARED manifold_points box_half_space_points(vec3s halves, body_pose pose, body_pose plane, scalar reach) {
    manifold_points found = manifold_points_none();
    const vec3s outward = rotate(plane.rotation, vec3_of(0, 0, 1));
    const scalar height = glms_vec3_dot(outward, glms_vec3_sub(pose.position, plane.position));
    if (height - (halves.x + halves.y + halves.z) > reach) return found;
    const oriented_box box = oriented_box_of(halves, pose.rotation, vec3_of(0, 0, 0));
    const vec3s slope = vec3_of(glms_vec3_dot(outward, box.axes[0]), glms_vec3_dot(outward, box.axes[1]),
                                glms_vec3_dot(outward, box.axes[2]));
    scalar gaps[8];
    int within = 0, lowest = 0;
    for (int corner = 0; corner < 8; corner++) {
        gaps[corner] = height + (corner & 1 ? box.halves[0] : -box.halves[0]) * slope.x +
                       (corner & 2 ? box.halves[1] : -box.halves[1]) * slope.y +
                       (corner & 4 ? box.halves[2] : -box.halves[2]) * slope.z;
        if (gaps[corner] <= reach) within |= 1 << corner;
        if (gaps[corner] < gaps[lowest]) lowest = corner;
    }
    const int chosen = box_corners_chosen(box, slope, within, lowest);
    found.normal = glms_vec3_negate(outward);
    for (int corner = 0; corner < 8; corner++) {
        if (!(chosen >> corner & 1)) continue;
        const vec3s surface = glms_vec3_add(pose.position, box_corner(box, corner));
        const vec3s position = glms_vec3_sub(surface, glms_vec3_scale(outward, gaps[corner] / 2));
        found.points[found.count++] = manifold_point_of(position, gaps[corner], (unsigned int)corner);
    }
    return found;
}

/* A point of a box, and in the box's own coordinates. */
typedef struct box_place {
    vec3s at;
    scalar own[3];
} box_place;

/* The code of the corner, edge or face of a box that a point on its surface belongs to. */
SHARED unsigned int box_feature_at(oriented_box box, box_place place) {
    int corner = 0, inner = -1, inner_count = 0, outer = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (place.own[axis] > 0) corner |= 1 << axis;
        if (scalar_abs(place.own[axis]) < box.halves[axis])
            inner = axis, inner_count++;
        else
            outer = axis;
    }
    return inner_count == 0   ? (unsigned int)corner
           : inner_count == 1 ? box_edge(inner, corner)
                              : box_face(outer, corner);
}

/* The point of a box nearest to `point`. */
SHARED box_place box_nearest(oriented_box box, vec3s point) {
    const vec3s from = glms_vec3_sub(point, box.centre);
    box_place out;
    for (int axis = 0; axis < 3; axis++)
        out.own[axis] =
            scalar_clamp(glms_vec3_dot(from, box.axes[axis]), -box.halves[axis], box.halves[axis]);
    out.at = box_point(box, out.own[0], out.own[1], out.own[2]);
    return out;
}

/* How far apart the boxes are along a direction from a to b: never more than their distance. */
SHARED scalar box_gap_along(oriented_box a, oriented_box b, vec3s direction) {
    scalar gap = glms_vec3_dot(direction, glms_vec3_sub(b.centre, a.centre));
    for (int axis = 0; axis < 3; axis++) {
        gap -= scalar_abs(glms_vec3_dot(direction, a.axes[axis])) * a.halves[axis];
        gap -= scalar_abs(glms_vec3_dot(direction, b.axes[axis])) * b.halves[axis];
    }
    return gap;
}

/* Twice the area of the triangle p, q, r in the face, positive where it is counter-clockwise. */
SHARED scalar clip_area(clip_point p, clip_point q, clip_point r) {
    return (q.u - p.u) * (r.v - p.v) - (q.v - p.v) * (r.u - p.u);
}

/* The points that are kept, in order of choice. */
typedef struct chosen_points {
    int count;
    int at[MANIFOLD_POINTS];
} chosen_points;

/* Of some points four: `first`, the one farthest from it, and those that span the most area to either side of
 * the two. A later point wins only by more than rounding. */
LARGE chosen_points clip_span_from(clip_points points, int first) {
    const clip_point from = points.at[first];
    int second = first, left = -1, right = -1;
    scalar farthest = 0, left_area = 0, right_area = 0;
    for (int i = 0; i < points.count; i++) {
        const scalar du = points.at[i].u - from.u, dv = points.at[i].v - from.v, square = du * du + dv * dv;
        if (square > (scalar)1.01f * farthest) farthest = square, second = i;
    }
    for (int i = 0; i < points.count; i++) {
        if (i == first || i == second) continue;
        const scalar area = clip_area(from, points.at[second], points.at[i]);
        if (area > (scalar)1.01f * left_area) left_area = area, left = i;
        if (-area > (scalar)1.01f * right_area) right_area = -area, right = i;
    }
    chosen_points out;
    out.count = 0, out.at[out.count++] = first;
    if (second != first) out.at[out.count++] = second;
    if (left >= 0) out.at[out.count++] = left;
    if (right >= 0) out.at[out.count++] = right;
    return out;
}

SHARED face_pair face_pair_of(oriented_box a, oriented_box b, box_axis face) {
    face_pair out;
    out.of_a = face.kind == SEPARATION_FACE_A, out.lean = vec3_of(0, 0, 0);
    out.reference = out.of_a ? a : b, out.incident = out.of_a ? b : a;
    out.axis = out.of_a ? face.axis_a : face.axis_b;
    out.normal = out.of_a ? face.normal : glms_vec3_negate(face.normal);
    return out;
}

SHARED unsigned int face_point_feature(face_pair pair, clip_point point) {
    return pair.of_a ? box_feature(point.reference, point.incident)
                     : box_feature(point.incident, point.reference);
}

SHARED manifold_point face_point(face_pair pair, clip_point point) {
    return manifold_point_of(box_clip_position(pair, point), point.gap, face_point_feature(pair, point));
}

/* An impact spins a box about its only point, and then something else of it strikes within the step that was
 * no contact. What strikes is mostly a face nearly parallel to one of the other box, so the corners of the
 * one cut to the other join the point, with the point's normal n: gaps are measured along n, and corners that
 * do not meet the face along n are cut away. A box that slides by s along a face with normal f comes nearer
 * by s tan(n, f), as far as n tells, which would stop boxes that do not meet; hence the limit to the angle.
 * Corners overlap by no more than the point does, or the position correction would push further than out.
 * What lies within a fifth of the half width from the point adds nothing to it. */
CALLED manifold_points box_with_face(manifold_points found, oriented_box a, oriented_box b,
                                     box_separation separation, scalar reach) {
    const scalar cosine = glms_vec3_dot(found.normal, separation.face.normal);
    if (!(cosine > (scalar)0.9f)) return found;
    face_pair pair = face_pair_of(a, b, separation.face);
    pair.lean = glms_vec3_sub(glms_vec3_scale(found.normal, (pair.of_a ? 1 : -1) / cosine), pair.normal);
    const manifold_point first = found.points[0];
    const vec3s from = glms_vec3_sub(first.position, pair.reference.centre);
    const clip_points clipped = box_clip(pair, 2 * separation.slop);
    const scalar nearby = 200 * separation.slop;
    clip_points points;
    points.count = 1;
    points.at[0].u = glms_vec3_dot(from, pair.reference.axes[(pair.axis + 1) % 3]);
    points.at[0].v = glms_vec3_dot(from, pair.reference.axes[(pair.axis + 2) % 3]);
    for (int i = 0; i < clipped.count && points.count < CLIP_POINTS; i++) {
        const clip_point point = clipped.at[i];
        const scalar du = point.u - points.at[0].u, dv = point.v - points.at[0].v;
        if (point.gap <= reach && du * du + dv * dv > nearby * nearby &&
            face_point_feature(pair, point) != first.feature)
            points.at[points.count++] = point;
    }
    const chosen_points chosen = clip_span_from(points, 0);
    found.count = chosen.count;
    for (int i = 1; i < found.count; i++) {
        found.points[i] = face_point(pair, points.at[chosen.at[i]]);
        found.points[i].gap = scalar_max(points.at[chosen.at[i]].gap, first.gap);
    }
    return found;
}

/* Boxes apart whose nearest features are not those of the separating axis: a corner near a corner or beside
 * an edge. Projecting onto one and the other in turn converges to a nearest pair of points (Cheney and
 * Goldstein, Proximity maps for convex sets, 1959). Where it has not converged yet, the gap along the
 * direction found is still below the distance, so a point errs on the safe side; the separating axis serves
 * when it is the better of the two. */
CALLED manifold_points box_nearest_features(oriented_box a, oriented_box b, box_separation separation,
                                            vec3s start, scalar reach) {
    enum { ROUNDS = 16 };
    box_place on_b = box_nearest(b, start), on_a = on_b;
    for (int round = 0; round < ROUNDS; round++)
        on_a = box_nearest(a, on_b.at), on_b = box_nearest(b, on_a.at);
    const vec3s between = glms_vec3_sub(on_b.at, on_a.at);
    const scalar distance = glms_vec3_norm(between);
    vec3s normal = separation.best.normal;
    scalar gap = separation.best.distance;
    if (distance > separation.slop) {
        const vec3s direction = glms_vec3_scale(between, 1 / distance);
        const scalar along = box_gap_along(a, b, direction);
        if (along > gap) gap = along, normal = direction;
    }
    if (!(gap <= reach)) return manifold_points_none();
    const unsigned int feature = box_feature(box_feature_at(a, on_a), box_feature_at(b, on_b));
    const vec3s middle = glms_vec3_scale(glms_vec3_add(on_a.at, on_b.at), (scalar)0.5f);
    return box_with_face(manifold_points_one(normal, manifold_point_of(middle, gap, feature)), a, b,
                         separation, reach);
}

/* Where two lines are nearest, as distances along each. */
typedef struct line_places {
    scalar s, t;
} line_places;

/* p + s d and q + t e, with unit d, e that are not parallel. */
SHARED line_places nearest_on_lines(vec3s p, vec3s d, vec3s q, vec3s e) {
    const vec3s from = glms_vec3_sub(q, p);
    const scalar cosine = glms_vec3_dot(d, e), along_d = glms_vec3_dot(from, d),
                 along_e = glms_vec3_dot(from, e);
    const vec3s cross = glms_vec3_cross(d, e);
    const scalar square = glms_vec3_norm2(cross); /* 1 − cosine², without its cancellation */
    line_places out;
    out.s = (along_d - cosine * along_e) / square;
    out.t = (cosine * along_d - along_e) / square;
    return out;
}

/* The overlap of two boxes is least along an edge–edge axis only where the edges cross, and likewise for the
 * distance; only apart can the lines of the edges come nearest beyond their ends. */
CALLED manifold_points box_edge_points(oriented_box a, oriented_box b, box_separation separation,
                                       scalar reach) {
    const box_axis best = separation.best;
    const int i = best.axis_a, j = best.axis_b;
    const int corner_a = box_support(a, best.normal) & ~(1 << i);
    const int corner_b = box_support(b, glms_vec3_negate(best.normal)) & ~(1 << j);
    const vec3s start_a = box_corner(a, corner_a), start_b = box_corner(b, corner_b);
    const line_places at = nearest_on_lines(start_a, a.axes[i], start_b, b.axes[j]);
    const scalar s = scalar_clamp(at.s, 0, 2 * a.halves[i]), t = scalar_clamp(at.t, 0, 2 * b.halves[j]);
    const vec3s on_a = glms_vec3_add(start_a, glms_vec3_scale(a.axes[i], s));
    const vec3s on_b = glms_vec3_add(start_b, glms_vec3_scale(b.axes[j], t));
    const scalar slop = separation.slop;
    if (best.distance > 0 && (scalar_abs(at.s - s) > slop || scalar_abs(at.t - t) > slop))
        return box_nearest_features(a, b, separation, on_a, reach);
    const vec3s middle = glms_vec3_scale(glms_vec3_add(on_a, on_b), (scalar)0.5f);
    const unsigned int feature = box_feature(box_edge(i, corner_a), box_edge(j, corner_b));
    return box_with_face(manifold_points_one(best.normal, manifold_point_of(middle, best.distance, feature)),
                         a, b, separation, reach);
}

/* How much a point deserves to be the first: it lies far out in a fixed direction, askew to the sides so that
 * no two corners of a rectangle tie, or it is deeper than others (a tilt of 1 in 20 outweighs any place in
 * the face). */
SHARED scalar clip_merit(clip_point point) {
    return (scalar)0.8f * point.u + (scalar)0.6f * point.v - 20 * point.gap;
}

/* Keeps four points. Beginning with the deepest would do, but among points of nearly equal depth it changes
 * with every tremble, and the other three with it; so it comes first only where the four chosen by merit miss
 * its depth by more than the slop. */
LARGE chosen_points clip_chosen(clip_points points, scalar slop) {
    chosen_points out;
    out.count = points.count;
    if (points.count <= MANIFOLD_POINTS) {
        for (int i = 0; i < points.count; i++) out.at[i] = i;
        return out;
    }
    int first = 0, deepest = 0;
    for (int i = 1; i < points.count; i++) {
        if (clip_merit(points.at[i]) > clip_merit(points.at[first])) first = i;
        if (points.at[i].gap < points.at[deepest].gap) deepest = i;
    }
    out = clip_span_from(points, first);
    scalar smallest = INFINITY;
    for (int i = 0; i < out.count; i++) smallest = scalar_min(smallest, points.at[out.at[i]].gap);
    return points.at[deepest].gap < smallest - slop ? clip_span_from(points, deepest) : out;
}

/* While boxes overlap, the nearest corner lies below the reference face itself: the least way out of the
 * Minkowski difference ends inside of the face that it leads to. The same holds for boxes apart and face to
 * face; if instead the cut face comes no nearer than the separation, or nothing is left of it, the nearest
 * features are others. */
CALLED manifold_points box_face_points(oriented_box a, oriented_box b, box_separation separation,
                                       scalar reach) {
    const face_pair pair = face_pair_of(a, b, separation.best);
    const scalar slop = separation.slop, distance = separation.best.distance;
    clip_points points = box_clip(pair, 2 * slop);
    scalar nearest = INFINITY;
    int count = 0;
    for (int i = 0; i < points.count; i++) {
        nearest = scalar_min(nearest, points.at[i].gap);
        if (points.at[i].gap <= reach) points.at[count++] = points.at[i];
    }
    if (count == 0 || (distance > 0 && nearest > (scalar)1.02f * distance + slop)) {
        const int corner = box_support(pair.incident, glms_vec3_negate(pair.normal));
        return box_nearest_features(a, b, separation, box_corner(pair.incident, corner), reach);
    }
    points.count = count;
    const chosen_points chosen = clip_chosen(points, slop);
    manifold_points found;
    found.count = chosen.count, found.normal = separation.best.normal;
    for (int i = 0; i < found.count; i++) found.points[i] = face_point(pair, points.at[chosen.at[i]]);
    return found;
}

/* Of two boxes whose separation is known. */
SHARED manifold_points box_points(oriented_box a, oriented_box b, box_separation separation, scalar reach) {
    return separation.best.kind == SEPARATION_EDGES ? box_edge_points(a, b, separation, reach)
                                                    : box_face_points(a, b, separation, reach);
}

SHARED manifold_points manifold_points_moved(manifold_points found, vec3s by) {
    for (int i = 0; i < found.count; i++)
        found.points[i].position = glms_vec3_add(found.points[i].position, by);
    return found;
}

SHARED manifold_points box_box_points(vec3s half_a, body_pose pose_a, vec3s half_b, body_pose pose_b,
                                      scalar reach) {
    const vec3s between = glms_vec3_sub(pose_b.position, pose_a.position);
    const scalar far = glms_vec3_norm(half_a) + glms_vec3_norm(half_b) + reach;
    if (glms_vec3_norm2(between) > far * far) return manifold_points_none();
    /* Coordinates from the centre of a keep their precision far from the world's origin. */
    const oriented_box a = oriented_box_of(half_a, pose_a.rotation, vec3_of(0, 0, 0));
    const oriented_box b = oriented_box_of(half_b, pose_b.rotation, between);
    const box_axes axes = box_axes_of(box_couple_of(a, b), reach);
    if (axes.parted) return manifold_points_none();
    return manifold_points_moved(box_points(a, b, box_separation_of(a, b, axes), reach), pose_a.position);
}

#endif
