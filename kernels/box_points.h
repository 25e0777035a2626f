/* Contact points of a box with boxes and half-spaces. A feature is the code (oriented_box.h) of the first
 * box's feature, plus that of the second box's shifted by 5 bits. */
#ifndef SCREE_KERNELS_BOX_POINTS_H
#define SCREE_KERNELS_BOX_POINTS_H

#include "box_clip.h"
#include "box_separation.h"
#include "layout.h"
#include "manifold_points.h"

SHARED scalar_bits box_feature(scalar_bits of_a, scalar_bits of_b) { return of_a | of_b << 5; }

#if SCREE_WIDTH == 1

/* Selects up to four of the corners within reach of the plane, as bits. If there are more, it takes a face's
 * four or the lowest corner and its three neighbours, whichever spans more of the plane: with A_k = h_i h_j
 * |n_k|, a face projects onto 4 A_k and the triangle of neighbours onto 2 (A_0 + A_1 + A_2). Both contain the
 * lowest corner. */
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

/* Contact of a box, given about its own centre, which is at `position`, with the half-space below a plane
 * through `origin`. */
SHARED manifold_points box_plane_points(oriented_box box, vec3s position, vec3s outward, vec3s origin,
                                        scalar reach) {
    manifold_points found = manifold_points_none();
    const scalar height = glms_vec3_dot(outward, glms_vec3_sub(position, origin));
    if (height - (box.halves[0] + box.halves[1] + box.halves[2]) > reach) return found;
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
        const vec3s surface = glms_vec3_add(position, box_corner(box, corner));
        const vec3s middle = glms_vec3_sub(surface, glms_vec3_scale(outward, gaps[corner] / 2));
        found.points[found.count++] = manifold_point_of(middle, gaps[corner], (unsigned int)corner);
    }
    return found;
}

SHARED manifold_points box_half_space_points(vec3s halves, body_pose pose, body_pose plane, scalar reach) {
    return box_plane_points(oriented_box_of(halves, pose.rotation, vec3_of(0, 0, 0)), pose.position,
                            rotate(plane.rotation, vec3_of(0, 0, 1)), plane.position, reach);
}

/* A point of a box, in the world and in the box's own coordinates. */
typedef struct box_place {
    vec3s at;
    scalar own[3];
} box_place;

/* Returns the code of the corner, edge or face that contains a point of the box's surface. */
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

/* Returns the point of a box nearest to `point`. */
SHARED box_place box_nearest(oriented_box box, vec3s point) {
    const vec3s from = glms_vec3_sub(point, box.centre);
    box_place out;
    for (int axis = 0; axis < 3; axis++)
        out.own[axis] =
            scalar_clamp(glms_vec3_dot(from, box.axes[axis]), -box.halves[axis], box.halves[axis]);
    out.at = box_point(box, out.own[0], out.own[1], out.own[2]);
    return out;
}

#endif

/* Returns twice the area of the triangle p, q, r in the face, positive if it is counter-clockwise. */
SHARED scalar clip_area(clip_point p, clip_point q, clip_point r) {
    return (q.u - p.u) * (r.v - p.v) - (q.v - p.v) * (r.u - p.u);
}

/* Selected points in order of selection. */
typedef struct chosen_points {
    scalar_int count;
    scalar_int at[MANIFOLD_POINTS];
} chosen_points;

#if SCREE_WIDTH == 1
SHARED void chosen_put(chosen_points *to, scalar_int number, scalar_mask which) {
    if (which) to->at[to->count++] = number;
}
#else
SHARED void chosen_put(chosen_points *to, scalar_int number, scalar_mask which) {
    for (int k = 0; k < MANIFOLD_POINTS; k++)
        to->at[k] = choose_int(which & (to->count == k), number, to->at[k]);
    to->count -= which;
}
#endif

/* Selects four points: `first`, the one farthest from it, and those that span the largest area on either side
 * of the two. A later point wins only by more than rounding. */
LARGE chosen_points clip_span_from(const clip_points *points, scalar_int first) {
    const clip_point from = clip_at(points, first);
    scalar_int second = first, left = int_of(-1), right = left;
    scalar farthest = scalar_of(0), left_area = farthest, right_area = farthest;
    for (int i = 0; i < CLIP_POINTS && any_lane(points->count > i); i++) {
        const scalar du = points->at[i].u - from.u, dv = points->at[i].v - from.v, square = du * du + dv * dv;
        const scalar_mask farther = (points->count > i) & (square > 1.01f * farthest);
        farthest = choose(farther, square, farthest), second = choose_int(farther, int_of(i), second);
    }
    const clip_point to = clip_at(points, second);
    for (int i = 0; i < CLIP_POINTS && any_lane(points->count > i); i++) {
        const scalar area = clip_area(from, to, points->at[i]);
        const scalar_mask other = (points->count > i) & (first != i) & (second != i);
        const scalar_mask more_left = other & (area > 1.01f * left_area),
                          more_right = other & (-area > 1.01f * right_area);
        left_area = choose(more_left, area, left_area), left = choose_int(more_left, int_of(i), left);
        right_area = choose(more_right, -area, right_area), right = choose_int(more_right, int_of(i), right);
    }
    chosen_points out;
    out.count = int_of(1);
    for (int k = 0; k < MANIFOLD_POINTS; k++) out.at[k] = first;
    chosen_put(&out, second, second != first);
    chosen_put(&out, left, left >= 0);
    chosen_put(&out, right, right >= 0);
    return out;
}

SHARED face_pair face_pair_of(oriented_box a, oriented_box b, box_axis face) {
    face_pair out;
    out.of_a = face.kind == SEPARATION_FACE_A, out.lean = glms_vec3_zero();
    out.reference = box_choose(out.of_a, a, b), out.incident = box_choose(out.of_a, b, a);
    out.axis = choose_int(out.of_a, face.axis_a, face.axis_b);
    out.normal = vec3_choose(out.of_a, face.normal, glms_vec3_negate(face.normal));
    return face_pair_meeting(out);
}

SHARED scalar_bits face_point_feature(face_pair pair, clip_point point) {
    const clip_features of = clip_features_of(pair, point);
    const scalar_int reference = (scalar_int)of.reference, incident = (scalar_int)of.incident;
    return box_feature((scalar_bits)choose_int(pair.of_a, reference, incident),
                       (scalar_bits)choose_int(pair.of_a, incident, reference));
}

SHARED manifold_point face_point(face_pair pair, clip_point point) {
    return manifold_point_of(box_clip_position(pair, point), point.gap, face_point_feature(pair, point));
}

/* Returns the lean of a contact's normal n to the reference face; `cosine`: of the angle between them. */
SHARED vec3s face_lean(face_pair pair, vec3s n, scalar cosine) {
    return glms_vec3_sub(glms_vec3_scale(n, choose(pair.of_a, scalar_of(1), scalar_of(-1)) / cosine),
                         pair.normal);
}

/* Adds face corners to a single contact point. An impact spins a box about its only point, and another
 * feature that was no contact strikes within the same step. Usually that is a face nearly parallel to one of
 * the other box. The corners of the one face clipped to the other therefore join the point, with the point's
 * normal n: gaps are measured along n, and corners that do not meet the face along n are cut off. A box that
 * slides by s along a face with normal f approaches along n by s tan(n, f), which would stop boxes that do
 * not meet; hence the limit on the angle. Corners overlap no more than the point does, or the position
 * correction would push too far. Corners within a fifth of the half width of the point are redundant and
 * skipped. */
CALLED manifold_points box_with_face(manifold_points found, oriented_box a, oriented_box b,
                                     box_separation separation, scalar reach) {
    const scalar cosine = glms_vec3_dot(found.normal, separation.face.normal);
    const scalar_mask near = cosine > 0.9f;
    if (!any_lane(near)) return found;
    face_pair pair = face_pair_of(a, b, separation.face);
    pair.lean = face_lean(pair, found.normal, cosine);
    const manifold_point first = found.points[0];
    const vec3s from = glms_vec3_sub(first.position, pair.reference.centre);
    clip_points clipped, points;
    box_clip(pair, 2 * separation.slop, &clipped);
    const scalar nearby = 200 * separation.slop;
    points.count = int_of(1);
    points.at[0].u = glms_vec3_dot(from, box_axis_at(pair.reference, axis_next(pair.axis)));
    points.at[0].v = glms_vec3_dot(from, box_axis_at(pair.reference, axis_last(pair.axis)));
    points.at[0].gap = first.gap, points.at[0].label = points.at[0].before = int_of(0);
    for (int i = 0; i < CLIP_POINTS && any_lane(clipped.count > i); i++) {
        const clip_point point = clipped.at[i];
        const scalar du = point.u - points.at[0].u, dv = point.v - points.at[0].v;
        const scalar_mask apart = (clipped.count > i) & (points.count < CLIP_POINTS) & (point.gap <= reach) &
                                  (du * du + dv * dv > nearby * nearby);
        if (any_lane(apart))
            clip_put(&points, point, apart & (face_point_feature(pair, point) != first.feature));
    }
    const chosen_points chosen = clip_span_from(&points, int_of(0));
    found.count = choose_int(near, chosen.count, found.count);
    for (int i = 1; i < MANIFOLD_POINTS && any_lane(found.count > i); i++) {
        found.points[i] = face_point(pair, clip_at(&points, chosen.at[i]));
        found.points[i].gap = scalar_max(found.points[i].gap, first.gap);
    }
    return found;
}

#if SCREE_WIDTH == 1
/* Contact of separated boxes whose nearest features are not those of the separating axis: a corner near a
 * corner or next to an edge. Alternate projection onto the two boxes converges to a nearest pair of points
 * (Cheney and Goldstein, Proximity maps for convex sets, 1959). Before convergence the gap along the found
 * direction is below the distance, so the error is on the safe side. The separating axis is used if its gap
 * is larger. */
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

#endif

/* Nearest points of two lines, as distances along each. */
typedef struct line_places {
    scalar s, t;
} line_places;

/* Lines p + s d and q + t e, with unit d, e that are not parallel. */
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

/* Contact between the features of an axis. `beyond`: other features are nearest, and the search for them
 * begins at `start`. */
typedef struct box_found {
    manifold_points points;
    scalar_mask beyond;
    vec3s start;
} box_found;

/* The overlap of two boxes, or their distance, is least along an edge–edge axis only if the edges cross. Only
 * for separated boxes can the lines of the edges be nearest beyond their ends. */
LARGE box_found box_edge_found(oriented_box a, oriented_box b, box_separation separation) {
    const box_axis best = separation.best;
    const scalar_int i = best.axis_a, j = best.axis_b, one = int_of(1);
    const vec3s along_a = box_axis_at(a, i), along_b = box_axis_at(b, j);
    const scalar_int corner_a = box_support(a, best.normal) & ~(one << i);
    const scalar_int corner_b = box_support(b, glms_vec3_negate(best.normal)) & ~(one << j);
    const vec3s start_a = box_corner(a, corner_a), start_b = box_corner(b, corner_b);
    const line_places at = nearest_on_lines(start_a, along_a, start_b, along_b);
    const scalar s = scalar_clamp(at.s, scalar_of(0), 2 * box_half_at(a, i)),
                 t = scalar_clamp(at.t, scalar_of(0), 2 * box_half_at(b, j));
    const vec3s on_a = glms_vec3_add(start_a, glms_vec3_scale(along_a, s));
    const vec3s on_b = glms_vec3_add(start_b, glms_vec3_scale(along_b, t));
    const scalar slop = separation.slop;
    const vec3s middle = glms_vec3_scale(glms_vec3_add(on_a, on_b), scalar_of(0.5f));
    const scalar_bits feature = box_feature(box_edge(i, corner_a), box_edge(j, corner_b));
    box_found out;
    const scalar_mask beyond_a = scalar_abs(at.s - s) > slop, beyond_b = scalar_abs(at.t - t) > slop;
    out.beyond = (best.distance > 0) & (beyond_a | beyond_b);
    out.start = on_a;
    out.points = manifold_points_one(best.normal, manifold_point_of(middle, best.distance, feature));
    return out;
}

/* Returns the merit of a point as the first one: it lies far out in a fixed direction, oblique to the sides
 * so that no two corners of a rectangle tie, or it is deeper than others (a tilt of 1 in 20 outweighs any
 * position in the face). */
SHARED scalar clip_merit(clip_point point) { return 0.8f * point.u + 0.6f * point.v - 20 * point.gap; }

/* Selects four points. Starting with the deepest would do, but among points of nearly equal depth that one
 * changes with every small motion, and the other three with it. It is therefore first only if the four
 * selected by merit miss its depth by more than the slop. */
LARGE chosen_points clip_chosen(const clip_points *points, scalar slop) {
    chosen_points all;
    all.count = points->count;
    for (int i = 0; i < MANIFOLD_POINTS; i++) all.at[i] = int_of(i);
    const scalar_mask many = points->count > MANIFOLD_POINTS;
    if (!any_lane(many)) return all;
    scalar_int first = int_of(0), deepest = first;
    scalar merit = clip_merit(points->at[0]), depth = points->at[0].gap;
    for (int i = 1; i < CLIP_POINTS && any_lane(points->count > i); i++) {
        const scalar its = clip_merit(points->at[i]), gap = points->at[i].gap;
        const scalar_mask better = (points->count > i) & (its > merit),
                          deeper = (points->count > i) & (gap < depth);
        merit = choose(better, its, merit), first = choose_int(better, int_of(i), first);
        depth = choose(deeper, gap, depth), deepest = choose_int(deeper, int_of(i), deepest);
    }
    chosen_points out = clip_span_from(points, first);
    scalar smallest = scalar_of(INFINITY);
    for (int i = 0; i < MANIFOLD_POINTS; i++)
        if (any_lane(out.count > i))
            smallest = choose(out.count > i, scalar_min(smallest, clip_at(points, out.at[i]).gap), smallest);
    const scalar_mask missed = many & (depth < smallest - slop);
    if (any_lane(missed)) {
        const chosen_points deep = clip_span_from(points, deepest);
        out.count = choose_int(missed, deep.count, out.count);
        for (int i = 0; i < MANIFOLD_POINTS; i++) out.at[i] = choose_int(missed, deep.at[i], out.at[i]);
    }
    out.count = choose_int(many, out.count, all.count);
    for (int i = 0; i < MANIFOLD_POINTS; i++) out.at[i] = choose_int(many, out.at[i], all.at[i]);
    return out;
}

/* While boxes overlap, the nearest corner lies below the reference face itself: the shortest way out of the
 * Minkowski difference ends inside the face that it leads to. This also holds for separated boxes face to
 * face. If instead the clipped face is farther than the separation, or empty, other features are nearest. */
LARGE box_found box_face_found(oriented_box a, oriented_box b, box_separation separation, scalar reach) {
    face_pair pair = face_pair_of(a, b, separation.face);
    const scalar slop = separation.slop, distance = separation.best.distance;
    const scalar deepest = choose(separation.tied, distance, scalar_of(-INFINITY));
    if (any_lane(separation.tied))
        pair.lean = vec3_choose(separation.tied,
                                face_lean(pair, separation.best.normal,
                                          glms_vec3_dot(separation.best.normal, separation.face.normal)),
                                pair.lean);
    clip_points clipped, points;
    box_clip(pair, 2 * slop, &clipped);
    points.count = int_of(0);
    scalar nearest = scalar_of(INFINITY);
    for (int i = 0; i < CLIP_POINTS && any_lane(clipped.count > i); i++) {
        const scalar gap = clipped.at[i].gap = scalar_max(clipped.at[i].gap, deepest);
        const scalar_mask is = clipped.count > i;
        nearest = choose(is, scalar_min(nearest, gap), nearest);
        clip_put(&points, clipped.at[i], is & (gap <= reach));
    }
    box_found out;
    out.beyond = (points.count == 0) | ((distance > 0) & (nearest > 1.02f * distance + slop));
    out.points.count = int_of(0), out.points.normal = separation.best.normal;
    out.points.mean = (scalar_int)separation.tied;
    out.start = out.points.normal;
    if (any_lane(out.beyond))
        out.start = box_corner(pair.incident, box_support(pair.incident, glms_vec3_negate(pair.normal)));
    if (!any_lane(out.beyond == 0)) return out;
    const chosen_points chosen = clip_chosen(&points, slop);
    out.points.count = chosen.count;
    for (int i = 0; i < MANIFOLD_POINTS && any_lane(chosen.count > i); i++)
        out.points.points[i] = face_point(pair, clip_at(&points, chosen.at[i]));
    return out;
}

#if SCREE_WIDTH == 1
CALLED manifold_points box_edge_points(oriented_box a, oriented_box b, box_separation separation,
                                       scalar reach) {
    const box_found found = box_edge_found(a, b, separation);
    return found.beyond ? box_nearest_features(a, b, separation, found.start, reach)
                        : box_with_face(found.points, a, b, separation, reach);
}

CALLED manifold_points box_face_points(oriented_box a, oriented_box b, box_separation separation,
                                       scalar reach) {
    const box_found found = box_face_found(a, b, separation, reach);
    return found.beyond ? box_nearest_features(a, b, separation, found.start, reach) : found.points;
}

/* Returns the contact points of two boxes with a known separation. */
SHARED manifold_points box_points(oriented_box a, oriented_box b, box_separation separation, scalar reach) {
    return separation.best.kind == SEPARATION_EDGES ? box_edge_points(a, b, separation, reach)
                                                    : box_face_points(a, b, separation, reach);
}

SHARED manifold_points manifold_points_moved(manifold_points found, vec3s by) {
    for (int i = 0; i < found.count; i++)
        found.points[i].position = glms_vec3_add(found.points[i].position, by);
    return found;
}

/* Returns whether boxes whose centres are that far apart are farther apart than the reach. */
SHARED int boxes_are_far(vec3s half_a, vec3s half_b, vec3s between, scalar reach) {
    const scalar far = glms_vec3_norm(half_a) + glms_vec3_norm(half_b) + reach;
    return glms_vec3_norm2(between) > far * far;
}

/* `level`: with the mean normal of faces that are equally good. Coordinates are relative to a's centre. */
SHARED manifold_points boxes_points(oriented_box a, oriented_box b, scalar reach, int level) {
    const box_axes axes = box_axes_of(box_couple_of(a, b), reach);
    if (axes.parted) return manifold_points_none();
    const box_separation best = box_separation_of(a, b, axes);
    const box_separation separation = level ? box_levelled(a, b, axes, best) : best;
    return box_points(a, b, separation, reach);
}

SHARED manifold_points box_box_found(vec3s half_a, body_pose pose_a, vec3s half_b, body_pose pose_b,
                                     scalar reach, int level) {
    const vec3s between = glms_vec3_sub(pose_b.position, pose_a.position);
    if (boxes_are_far(half_a, half_b, between, reach)) return manifold_points_none();
    /* Coordinates relative to a's centre keep their precision far from the world's origin. */
    const oriented_box a = oriented_box_of(half_a, pose_a.rotation, vec3_of(0, 0, 0));
    const oriented_box b = oriented_box_of(half_b, pose_b.rotation, between);
    return manifold_points_moved(boxes_points(a, b, reach, level), pose_a.position);
}

SHARED manifold_points box_box_points(vec3s half_a, body_pose pose_a, vec3s half_b, body_pose pose_b,
                                      scalar reach) {
    return box_box_found(half_a, pose_a, half_b, pose_b, reach, 0);
}
#endif

#endif
