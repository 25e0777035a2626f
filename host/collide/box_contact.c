#include "box_contact.h"

#include "box_clip.h"
#include "box_separation.h"

static vec3s half_of(scree_shape shape) { return vec3_of(shape.size.x, shape.size.y, shape.size.z); }

static uint32_t feature_of(uint32_t of_a, uint32_t of_b) { return of_a | of_b << 5; }

/* Up to four of the corners that lie within reach of the plane. When there are more, a face's four or the
 * lowest corner and its three neighbours, whichever spans more of the plane: with A_k = h_i h_j |n_k|, a face
 * projects onto 4 A_k and the triangle of neighbours onto 2 (A_0 + A_1 + A_2). Both hold the lowest corner.
 */
static int choose_corners(const scalar half[3], const scalar slope[3], int within, int lowest) {
    const scalar area[3] = {half[1] * half[2] * scalar_abs(slope[0]),
                            half[2] * half[0] * scalar_abs(slope[1]),
                            half[0] * half[1] * scalar_abs(slope[2])};
    int face = area[1] > area[0] ? 1 : 0;
    if (area[2] > area[face]) face = 2;
    if (__builtin_popcount((unsigned)within) <= MANIFOLD_POINTS) return within;
    int chosen = 1 << lowest;
    if (area[face] >= area[(face + 1) % 3] + area[(face + 2) % 3])
        for (int corner = 0; corner < 8; corner++)
            chosen |= ((corner ^ lowest) & 1 << face) ? 0 : 1 << corner;
    else
        for (int axis = 0; axis < 3; axis++) chosen |= 1 << (lowest ^ 1 << axis);
    return chosen & within;
}

manifold box_half_space(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                        scalar reach) {
    (void)shape_b;
    const vec3s outward = rotate(pose_b.rotation, vec3_of(0, 0, 1));
    const scalar height = glms_vec3_dot(outward, glms_vec3_sub(pose_a.position, pose_b.position));
    if (height - (shape_a.size.x + shape_a.size.y + shape_a.size.z) > reach) return (manifold){0};
    const oriented_box box = oriented_box_of(shape_a, pose_a.rotation, vec3_of(0, 0, 0));
    scalar slope[3], gaps[8];
    for (int axis = 0; axis < 3; axis++) slope[axis] = glms_vec3_dot(outward, box.axes[axis]);
    int within = 0, lowest = 0;
    for (int corner = 0; corner < 8; corner++) {
        gaps[corner] = height;
        for (int axis = 0; axis < 3; axis++)
            gaps[corner] += (corner >> axis & 1 ? box.half[axis] : -box.half[axis]) * slope[axis];
        if (gaps[corner] <= reach) within |= 1 << corner;
        if (gaps[corner] < gaps[lowest]) lowest = corner;
    }
    const int chosen = choose_corners(box.half, slope, within, lowest);
    manifold found = {.normal = glms_vec3_negate(outward)};
    for (int corner = 0; corner < 8; corner++) {
        if (!(chosen >> corner & 1)) continue;
        const vec3s surface = glms_vec3_add(pose_a.position, box_corner(&box, corner));
        const vec3s position = glms_vec3_sub(surface, glms_vec3_scale(outward, gaps[corner] / 2));
        found.points[found.count++] = (manifold_point){position, gaps[corner], (uint32_t)corner};
    }
    return found;
}

/* The code of the corner, edge or face of a box that a point on its surface belongs to. */
static uint32_t feature_at(const oriented_box *box, const scalar local[3]) {
    int corner = 0, inner = -1, inner_count = 0, outer = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (local[axis] > 0) corner |= 1 << axis;
        if (scalar_abs(local[axis]) < box->half[axis])
            inner = axis, inner_count++;
        else
            outer = axis;
    }
    return inner_count == 0   ? (uint32_t)corner
           : inner_count == 1 ? box_edge(inner, corner)
                              : box_face(outer, corner);
}

/* The point of a box nearest to `point`, and in the box's own coordinates. */
static vec3s nearest_point(const oriented_box *box, vec3s point, scalar local[3]) {
    const vec3s from = glms_vec3_sub(point, box->centre);
    for (int axis = 0; axis < 3; axis++)
        local[axis] = scalar_clamp(glms_vec3_dot(from, box->axes[axis]), -box->half[axis], box->half[axis]);
    return box_point(box, local[0], local[1], local[2]);
}

/* How far apart the boxes are along a direction from a to b: never more than their distance. */
static scalar gap_along(const oriented_box *a, const oriented_box *b, vec3s direction) {
    scalar gap = glms_vec3_dot(direction, glms_vec3_sub(b->centre, a->centre));
    for (int axis = 0; axis < 3; axis++) {
        gap -= scalar_abs(glms_vec3_dot(direction, a->axes[axis])) * a->half[axis];
        gap -= scalar_abs(glms_vec3_dot(direction, b->axes[axis])) * b->half[axis];
    }
    return gap;
}

/* Twice the area of the triangle p, q, r in the face, positive where it is counter-clockwise. */
static scalar triangle(const clip_point *p, const clip_point *q, const clip_point *r) {
    return (q->u - p->u) * (r->v - p->v) - (q->v - p->v) * (r->u - p->u);
}

/* Of up to eleven points, four in order of choice: `first`, the one farthest from it, and those that span the
 * most area to either side of the two. A later point wins only by more than rounding. Returns how many there
 * are. */
static int span_from(const clip_point *points, int count, int first, clip_point chosen[MANIFOLD_POINTS]) {
    const clip_point *from = &points[first];
    int second = first, left = -1, right = -1, kept = 0;
    scalar farthest = 0, left_area = 0, right_area = 0;
    for (int i = 0; i < count; i++) {
        const scalar du = points[i].u - from->u, dv = points[i].v - from->v, square = du * du + dv * dv;
        if (square > 1.01f * farthest) farthest = square, second = i;
    }
    for (int i = 0; i < count; i++) {
        if (i == first || i == second) continue;
        const scalar area = triangle(from, &points[second], &points[i]);
        if (area > 1.01f * left_area) left_area = area, left = i;
        if (-area > 1.01f * right_area) right_area = -area, right = i;
    }
    chosen[kept++] = *from;
    if (second != first) chosen[kept++] = points[second];
    if (left >= 0) chosen[kept++] = points[left];
    if (right >= 0) chosen[kept++] = points[right];
    return kept;
}

/* The box whose face a separation is along and the other one, with the outward normal of the face; gaps are
 * measured along normal + lean. */
typedef struct face_pair {
    const oriented_box *reference, *incident;
    int axis;
    vec3s normal, lean;
    bool of_a;
} face_pair;

static face_pair face_pair_of(const oriented_box *a, const oriented_box *b, const box_separation *face) {
    const vec3s none = vec3_of(0, 0, 0);
    if (face->kind == SEPARATION_FACE_A) return (face_pair){a, b, face->axis_a, face->normal, none, true};
    return (face_pair){b, a, face->axis_b, glms_vec3_negate(face->normal), none, false};
}

static int face_points(const face_pair *pair, scalar slop, clip_point *out) {
    return box_clip(pair->reference, pair->axis, pair->normal, pair->lean, pair->incident, 2 * slop, out);
}

static manifold_point face_point(const face_pair *pair, const clip_point *point) {
    const uint32_t code_a = pair->of_a ? point->reference : point->incident,
                   code_b = pair->of_a ? point->incident : point->reference;
    return (manifold_point){box_clip_position(pair->reference, pair->axis, pair->normal, pair->lean, point),
                            point->gap, feature_of(code_a, code_b)};
}

/* An impact spins a box about its only point, and then something else of it strikes within the step that was
 * no contact. What strikes is mostly a face nearly parallel to one of the other box, so the corners of the
 * one cut to the other join the point, with the point's normal n: gaps are measured along n, and corners that
 * do not meet the face along n are cut away. A box that slides by s along a face with normal f comes nearer
 * by s tan(n, f), as far as n tells, which would stop boxes that do not meet; hence the limit to the angle.
 * Corners overlap by no more than the point does, or the position correction would push further than out.
 * What lies within a fifth of the half width from the point adds nothing to it. */
static void add_face_points(manifold *found, const oriented_box *a, const oriented_box *b,
                            const box_separation *face, scalar reach) {
    const scalar cosine = glms_vec3_dot(found->normal, face->normal);
    if (!(cosine > 0.9f)) return;
    face_pair pair = face_pair_of(a, b, face);
    pair.lean = glms_vec3_sub(glms_vec3_scale(found->normal, (pair.of_a ? 1 : -1) / cosine), pair.normal);
    const manifold_point first = found->points[0];
    const vec3s from = glms_vec3_sub(first.position, pair.reference->centre);
    clip_point points[1 + CLIP_POINTS], chosen[MANIFOLD_POINTS];
    points[0] = (clip_point){.u = glms_vec3_dot(from, pair.reference->axes[(pair.axis + 1) % 3]),
                             .v = glms_vec3_dot(from, pair.reference->axes[(pair.axis + 2) % 3])};
    const int clipped = face_points(&pair, face->slop, points + 1);
    const scalar nearby = 200 * face->slop;
    int count = 1;
    for (int i = 1; i <= clipped; i++) {
        const scalar du = points[i].u - points[0].u, dv = points[i].v - points[0].v;
        if (points[i].gap <= reach && du * du + dv * dv > nearby * nearby &&
            face_point(&pair, &points[i]).feature != first.feature)
            points[count++] = points[i];
    }
    found->count = span_from(points, count, 0, chosen);
    for (int i = 1; i < found->count; i++) {
        found->points[i] = face_point(&pair, &chosen[i]);
        found->points[i].gap = scalar_max(chosen[i].gap, first.gap);
    }
}

/* Boxes apart whose nearest features are not those of the separating axis: a corner near a corner or beside
 * an edge. Projecting onto one and the other in turn converges to a nearest pair of points (Cheney and
 * Goldstein, Proximity maps for convex sets, 1959). Where it has not converged yet, the gap along the
 * direction found is still below the distance, so a point errs on the safe side; the separating axis serves
 * when it is the better of the two. */
static manifold nearest_features(const oriented_box *a, const oriented_box *b,
                                 const box_separation *separation, const box_separation *face, vec3s start,
                                 scalar reach) {
    enum { ROUNDS = 16 };
    scalar local_a[3], local_b[3];
    vec3s on_b = nearest_point(b, start, local_b), on_a = on_b;
    for (int round = 0; round < ROUNDS; round++) {
        on_a = nearest_point(a, on_b, local_a);
        on_b = nearest_point(b, on_a, local_b);
    }
    const vec3s between = glms_vec3_sub(on_b, on_a);
    const scalar distance = glms_vec3_norm(between);
    manifold found = {.count = 1, .normal = separation->normal};
    scalar gap = separation->distance;
    if (distance > separation->slop) {
        const vec3s direction = glms_vec3_scale(between, 1 / distance);
        const scalar along = gap_along(a, b, direction);
        if (along > gap) gap = along, found.normal = direction;
    }
    if (!(gap <= reach)) return (manifold){0};
    const uint32_t feature = feature_of(feature_at(a, local_a), feature_at(b, local_b));
    found.points[0] = (manifold_point){glms_vec3_scale(glms_vec3_add(on_a, on_b), 0.5f), gap, feature};
    add_face_points(&found, a, b, face, reach);
    return found;
}

/* Where two lines are nearest, as distances along each: p + s d and q + t e, with unit d, e that are not
 * parallel. */
static void nearest_on_lines(vec3s p, vec3s d, vec3s q, vec3s e, scalar *s, scalar *t) {
    const vec3s from = glms_vec3_sub(q, p);
    const scalar cosine = glms_vec3_dot(d, e), along_d = glms_vec3_dot(from, d),
                 along_e = glms_vec3_dot(from, e);
    const vec3s cross = glms_vec3_cross(d, e);
    const scalar square = glms_vec3_norm2(cross); /* 1 − cosine², without its cancellation */
    *s = (along_d - cosine * along_e) / square;
    *t = (cosine * along_d - along_e) / square;
}

/* The overlap of two boxes is least along an edge–edge axis only where the edges cross, and likewise for the
 * distance; only apart can the lines of the edges come nearest beyond their ends. */
static manifold edge_contact(const oriented_box *a, const oriented_box *b, const box_separation *separation,
                             const box_separation *face, scalar reach) {
    const int i = separation->axis_a, j = separation->axis_b;
    const int corner_a = box_support(a, separation->normal) & ~(1 << i);
    const int corner_b = box_support(b, glms_vec3_negate(separation->normal)) & ~(1 << j);
    const vec3s start_a = box_corner(a, corner_a), start_b = box_corner(b, corner_b);
    scalar s, t;
    nearest_on_lines(start_a, a->axes[i], start_b, b->axes[j], &s, &t);
    const scalar s_inside = scalar_clamp(s, 0, 2 * a->half[i]), t_inside = scalar_clamp(t, 0, 2 * b->half[j]);
    const vec3s on_a = glms_vec3_add(start_a, glms_vec3_scale(a->axes[i], s_inside));
    const vec3s on_b = glms_vec3_add(start_b, glms_vec3_scale(b->axes[j], t_inside));
    const scalar slop = separation->slop;
    if (separation->distance > 0 && (scalar_abs(s - s_inside) > slop || scalar_abs(t - t_inside) > slop))
        return nearest_features(a, b, separation, face, on_a, reach);
    manifold found = {.count = 1,
                      .normal = separation->normal,
                      .points = {{glms_vec3_scale(glms_vec3_add(on_a, on_b), 0.5f), separation->distance,
                                  feature_of(box_edge(i, corner_a), box_edge(j, corner_b))}}};
    add_face_points(&found, a, b, face, reach);
    return found;
}

/* How much a point deserves to be the first: it lies far out in a fixed direction, askew to the sides so that
 * no two corners of a rectangle tie, or it is deeper than others (a tilt of 1 in 20 outweighs any place in
 * the face). */
static scalar merit(const clip_point *point) { return 0.8f * point->u + 0.6f * point->v - 20 * point->gap; }

/* Keeps four points. Beginning with the deepest would do, but among points of nearly equal depth it changes
 * with every tremble, and the other three with it; so it comes first only where the four chosen by merit miss
 * its depth by more than the slop. */
static int choose_points(clip_point *points, int count, scalar slop) {
    if (count <= MANIFOLD_POINTS) return count;
    int first = 0, deepest = 0;
    for (int i = 1; i < count; i++) {
        if (merit(&points[i]) > merit(&points[first])) first = i;
        if (points[i].gap < points[deepest].gap) deepest = i;
    }
    clip_point chosen[MANIFOLD_POINTS];
    int kept = span_from(points, count, first, chosen);
    scalar smallest = INFINITY;
    for (int i = 0; i < kept; i++) smallest = scalar_min(smallest, chosen[i].gap);
    if (points[deepest].gap < smallest - slop) kept = span_from(points, count, deepest, chosen);
    for (int i = 0; i < kept; i++) points[i] = chosen[i];
    return kept;
}

/* While boxes overlap, the nearest corner lies below the reference face itself: the least way out of the
 * Minkowski difference ends inside of the face that it leads to. The same holds for boxes apart and face to
 * face; if instead the cut face comes no nearer than the separation, or nothing is left of it, the nearest
 * features are others. */
static manifold face_contact(const oriented_box *a, const oriented_box *b, const box_separation *separation,
                             scalar reach) {
    const face_pair pair = face_pair_of(a, b, separation);
    const scalar slop = separation->slop;
    clip_point points[CLIP_POINTS];
    const int clipped = face_points(&pair, slop, points);
    scalar nearest = INFINITY;
    int count = 0;
    for (int i = 0; i < clipped; i++) {
        nearest = scalar_min(nearest, points[i].gap);
        if (points[i].gap <= reach) points[count++] = points[i];
    }
    const bool elsewhere = separation->distance > 0 && nearest > 1.02f * separation->distance + slop;
    if (count == 0 || elsewhere) {
        const int corner = box_support(pair.incident, glms_vec3_negate(pair.normal));
        return nearest_features(a, b, separation, separation, box_corner(pair.incident, corner), reach);
    }
    manifold found = {.count = choose_points(points, count, slop), .normal = separation->normal};
    for (int i = 0; i < found.count; i++) found.points[i] = face_point(&pair, &points[i]);
    return found;
}

manifold box_box_along(const oriented_box *a, const oriented_box *b, const box_separation *separation,
                       const box_separation *face, scalar reach) {
    return separation->kind == SEPARATION_EDGES ? edge_contact(a, b, separation, face, reach)
                                                : face_contact(a, b, separation, reach);
}

manifold box_box(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b, scalar reach) {
    const vec3s between = glms_vec3_sub(pose_b.position, pose_a.position);
    const scalar far = glms_vec3_norm(half_of(shape_a)) + glms_vec3_norm(half_of(shape_b)) + reach;
    if (glms_vec3_norm2(between) > far * far) return (manifold){0};
    /* Coordinates from the centre of a keep their precision far from the world's origin. */
    const oriented_box a = oriented_box_of(shape_a, pose_a.rotation, vec3_of(0, 0, 0));
    const oriented_box b = oriented_box_of(shape_b, pose_b.rotation, between);
    box_separation separation, face;
    if (!box_separate(&a, &b, reach, &separation, &face)) return (manifold){0};
    manifold found = box_box_along(&a, &b, &separation, &face, reach);
    manifold_move(&found, pose_a.position);
    return found;
}
