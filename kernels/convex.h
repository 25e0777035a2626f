/* Contact points of two convex bodies, or of one and a half-space, from their support functions alone.
 *
 * Normal and gap. For a unit n from a to b the bodies are apart along n by
 *
 *     gap(n) = min over b of n·x − max over a of n·x,
 *
 * and their distance, or less their depth where they overlap, is the largest of it over all n. GJK finds it
 * while cores are apart, whatever the line of the centres says. Where they are not, b is moved out along the
 * best n known so far until they are ε apart, and GJK's direction m there is at least as good: gap(m) =
 * distance − t n·m ≥ ε − t = gap(n). What this ends at is a direction that moving out does not change, a
 * largest gap near by; it starts at the best of the axes of both bodies and of the normals of round sides.
 * Between smooth bodies with radii ρ an error of n shrinks by t/(ρ_a + ρ_b + ε) a round, flat faces and edges
 * are found at once.
 *
 * Points. The faces that look at each other are cut to each other as seen along n. Their corners are points
 * of the bodies, so that no gap between them is below gap(n). The nearest points themselves join where the
 * faces do not come as near.
 */
#ifndef SCREE_KERNELS_CONVEX_H
#define SCREE_KERNELS_CONVEX_H

#include "feature.h"
#include "gjk.h"
#include "manifold_points.h"

enum { CONVEX_ROUNDS = 12, PATCH_POINTS = 20 };

/* Along which direction, unit from a to b, and where the bodies are nearest; gap > reach: not looked at. */
typedef struct convex_separation {
    vec3s normal, on_a, on_b; /* points of the surfaces */
    scalar gap;
} convex_separation;

SHARED scalar convex_gap(convex a, convex b, vec3s n) {
    const vec3s between = glms_vec3_sub(convex_farthest(b, glms_vec3_negate(n)), convex_farthest(a, n));
    return glms_vec3_dot(n, between) - a.radius - b.radius;
}

/* The better of two directions; `found` has the best so far and its gap. */
SHARED convex_separation convex_tried(convex a, convex b, convex_separation found, vec3s n) {
    const scalar gap = convex_gap(a, b, n);
    if (gap > found.gap) found.gap = gap, found.normal = n;
    return found;
}

SHARED convex_separation convex_tried_axes(convex a, convex b, convex_separation found, convex axes) {
    const vec3s all[3] = {axes.x, axes.y, axes.z};
    for (int i = 0; i < 3; ++i) {
        found = convex_tried(a, b, found, all[i]);
        found = convex_tried(a, b, found, glms_vec3_negate(all[i]));
    }
    return found;
}

/* The directions of a cube's edges and corners in a body's axes, those of a hull's sides, and what edges of
 * two bodies have for normals: tried where cores overlap so deeply that the way out may be anywhere. */
SHARED convex_separation convex_tried_askew(convex a, convex b, convex_separation found, convex axes) {
    for (int i = 0; i < 27; ++i) {
        const int x = i % 3 - 1, y = i / 3 % 3 - 1, z = i / 9 - 1, square = x * x + y * y + z * z;
        if (square < 2) continue;
        const vec3s sum = glms_vec3_add(glms_vec3_add(glms_vec3_scale(axes.x, x), glms_vec3_scale(axes.y, y)),
                                        glms_vec3_scale(axes.z, z));
        found = convex_tried(a, b, found, glms_vec3_scale(sum, 1 / scalar_sqrt(square)));
    }
    return found;
}

SHARED convex_separation convex_tried_sides(convex a, convex b, convex_separation found, convex axes,
                                            scalar outward) {
    const int count = axes.kind == SHAPE_HULL ? axes.core.hull.side_count : 0;
    for (int i = 0; i < count; ++i) {
        const vec3s n = hull_normal_at(axes.core.hull, i);
        const vec3s out =
            glms_vec3_add(glms_vec3_add(glms_vec3_scale(axes.x, n.x), glms_vec3_scale(axes.y, n.y)),
                          glms_vec3_scale(axes.z, n.z));
        found = convex_tried(a, b, found, glms_vec3_scale(out, outward / glms_vec3_norm(out)));
    }
    return found;
}

SHARED convex_separation convex_tried_crossings(convex a, convex b, convex_separation found) {
    const vec3s of_a[3] = {a.x, a.y, a.z}, of_b[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 9; ++i) {
        const vec3s cross = glms_vec3_cross(of_a[i / 3], of_b[i % 3]);
        const scalar length = glms_vec3_norm(cross);
        if (!(length > (scalar)1e-3)) continue;
        const vec3s n = glms_vec3_scale(cross, 1 / length);
        found = convex_tried(a, b, convex_tried(a, b, found, n), glms_vec3_negate(n));
    }
    return found;
}

/* Out of the side of `of`, which is b if `of_b`, towards the centre of the other. */
SHARED convex_separation convex_tried_side(convex a, convex b, convex_separation found, int of_b) {
    const convex of = of_b ? b : a;
    const vec3s between = glms_vec3_sub(b.centre, a.centre), to = of_b ? glms_vec3_negate(between) : between;
    const vec3s side = convex_sidewards(of, convex_inwards(of, to));
    const scalar length = glms_vec3_norm(side);
    if (!(length > 0)) return found;
    const vec3s n = glms_vec3_sub(convex_outwards(of, glms_vec3_scale(side, 1 / length)), of.centre);
    return convex_tried(a, b, found, of_b ? glms_vec3_negate(n) : n);
}

/* Of the smaller body's half width: cores nearer than this are moved out to ε, since a direction between
 * points that are nearly one is all rounding. */
#define CONVEX_NEAR ((scalar)1e-4)
#define CONVEX_OUT ((scalar)0.05)
#define CONVEX_DEEP ((scalar)0.05)
#define CONVEX_DOUBTFUL ((scalar)0.02) /* deeper: there may be a shorter way out elsewhere */
#define CONVEX_TOLERANCE ((scalar)1e-8)

/* As if the cores were apart. */
SHARED convex_separation convex_tried_apart(convex a, convex b, convex_separation found, scalar width) {
    const gjk_nearest near = gjk_distance(a, b, vec3_of(0, 0, 0), found.normal, CONVEX_TOLERANCE);
    return near.distance > CONVEX_NEAR * width ? convex_tried(a, b, found, near.direction) : found;
}

/* Moved out along the best direction again and again, until that leads to no better one. */
SHARED convex_separation convex_climbed(convex a, convex b, convex_separation found, scalar width) {
    const scalar radii = a.radius + b.radius;
    for (int turn = 0; turn < CONVEX_ROUNDS; ++turn) {
        const scalar apart = found.gap + radii,
                     out = apart > CONVEX_NEAR * width ? 0 : CONVEX_OUT * width - apart;
        const int first = out > 0 && turn == 0; /* need not be as good as what it leads to */
        const gjk_nearest near = gjk_distance(a, b, glms_vec3_scale(found.normal, out), found.normal,
                                              first ? (scalar)1e-3 : CONVEX_TOLERANCE);
        const scalar gap = convex_gap(a, b, near.direction);
        const int better = gap >= found.gap, far = gap > found.gap + (scalar)1e-7 * width;
        if (better) found.gap = gap, found.normal = near.direction;
        found.on_a = near.on_a, found.on_b = near.on_b;
        if (out == 0 || (!far && !first)) break;
    }
    return found;
}

/* What is climbed from axes and sides may end at a depth of half a body where two edges overlap by a hair.
 * Cores drawn together towards the bodies' centres, by ever more until they are apart, show the way out that
 * is near by: along the best n they overlap by less than the share of their own extents that is taken off, so
 * that a small overlap leaves room at once, along nearly the same n, whatever edges it is between. */
SHARED convex_separation convex_tried_drawn(convex a, convex b, convex_separation found, scalar width) {
    for (scalar off = (scalar)0.0009765625; off < 1; off *= 2) {
        convex less_a = a, less_b = b;
        less_a.core.size = glms_vec3_scale(a.core.size, 1 - off);
        less_b.core.size = glms_vec3_scale(b.core.size, 1 - off);
        const gjk_nearest near =
            gjk_distance(less_a, less_b, vec3_of(0, 0, 0), found.normal, CONVEX_TOLERANCE);
        if (near.distance > CONVEX_NEAR * width) found = convex_tried(a, b, found, near.direction);
    }
    return found;
}

SHARED convex_separation convex_separate(convex a, convex b, scalar reach) {
    const vec3s between = glms_vec3_sub(b.centre, a.centre);
    const scalar distance = glms_vec3_norm(between), width = scalar_min(a.width, b.width),
                 radii = a.radius + b.radius;
    convex_separation found;
    found.normal =
        distance > SCALAR_EPSILON * width ? glms_vec3_scale(between, 1 / distance) : vec3_of(0, 0, 1);
    found.on_a = a.centre, found.on_b = b.centre;
    found.gap = convex_gap(a, b, found.normal);
    if (found.gap > reach) return found;
    if (!(found.gap + radii > CONVEX_NEAR * width)) found = convex_tried_apart(a, b, found, width);
    if (!(found.gap + radii > CONVEX_NEAR * width)) {
        found = convex_tried_side(a, b, found, 0);
        found = convex_tried_side(a, b, found, 1);
        found = convex_tried_axes(a, b, found, a);
        found = convex_tried_axes(a, b, found, b);
        if (found.gap + radii < -CONVEX_DEEP * width) {
            found = convex_tried_askew(a, b, found, a);
            found = convex_tried_askew(a, b, found, b);
            found = convex_tried_crossings(a, b, found);
            found = convex_tried_sides(a, b, found, a, 1);
            found = convex_tried_sides(a, b, found, b, -1);
        }
        if (found.gap > reach) return found;
    }
    found = convex_climbed(a, b, found, width);
    if (found.gap + radii < -CONVEX_DOUBTFUL * width) {
        const convex_separation drawn = convex_tried_drawn(a, b, found, width);
        if (drawn.gap > found.gap + CONVEX_NEAR * width) found = convex_climbed(a, b, drawn, width);
    }
    found.on_a = glms_vec3_add(found.on_a, glms_vec3_scale(found.normal, a.radius));
    found.on_b = glms_vec3_sub(found.on_b, glms_vec3_scale(found.normal, b.radius));
    return found;
}

/* -- Points of two faces -----------------------------------------------------------------------------------
 *
 * Seen along n: u and v across, height along it. */

typedef struct patch_point {
    scalar u, v;
    scalar middle, gap; /* height midway between the surfaces; distance of them along n */
    int side;           /* of a cut face: the edge that leaves the point */
    unsigned int feature;
} patch_point;

typedef struct patch {
    int count;
    patch_point points[PATCH_POINTS];
} patch;

/* A face seen along n: counter-clockwise corners, and the height of its plane at (u, v), base + u slope_u + v
 * slope_v. `level`: the cosine of the angle between n and the face's normal. */
typedef struct seen_face {
    int count;
    scalar u[FACE_POINTS], v[FACE_POINTS], height[FACE_POINTS];
    int corners[FACE_POINTS];
    scalar base, slope_u, slope_v, level, round;
} seen_face;

typedef struct view_axes {
    vec3s origin, n, u, v;
} view_axes;

/* Axes across n that turn with the body. */
SHARED view_axes view_axes_of(convex self, vec3s origin, vec3s n) {
    view_axes out;
    const scalar along = glms_vec3_dot(self.x, n);
    const vec3s lead = scalar_abs(along) < (scalar)0.75 ? self.x : self.y;
    const vec3s flat = glms_vec3_sub(lead, glms_vec3_scale(n, glms_vec3_dot(lead, n)));
    out.origin = origin, out.n = n;
    out.u = glms_vec3_scale(flat, 1 / glms_vec3_norm(flat));
    out.v = glms_vec3_cross(n, out.u);
    return out;
}

SHARED seen_face seen_reversed(seen_face f) {
    for (int i = 0, k = f.count - 1; i < k; ++i, --k) {
        const scalar u = f.u[i], v = f.v[i], height = f.height[i];
        const int corner = f.corners[i];
        f.u[i] = f.u[k], f.v[i] = f.v[k], f.height[i] = f.height[k], f.corners[i] = f.corners[k];
        f.u[k] = u, f.v[k] = v, f.height[k] = height, f.corners[k] = corner;
    }
    return f;
}

/* The surface is `radius` beyond the core along n, or against it. The face's normal by Newell's sums. */
SHARED seen_face seen_from(convex_face face, view_axes axes, scalar radius) {
    seen_face f;
    f.count = face.count, f.round = face.round;
    for (int i = 0; i < FACE_POINTS; ++i) {
        const int at = i < face.count ? i : 0;
        const vec3s from = glms_vec3_sub(face.points[at], axes.origin);
        f.u[i] = glms_vec3_dot(from, axes.u), f.v[i] = glms_vec3_dot(from, axes.v);
        f.height[i] = glms_vec3_dot(from, axes.n) + radius;
        f.corners[i] = face.corners[at];
    }
    f.base = f.height[0], f.slope_u = f.slope_v = 0, f.level = 1;
    if (f.count == 2) {
        const scalar du = f.u[1] - f.u[0], dv = f.v[1] - f.v[0], dh = f.height[1] - f.height[0],
                     flat = du * du + dv * dv, all = flat + dh * dh;
        f.level = all > 0 ? scalar_sqrt(flat / all) : 0;
    }
    if (f.count < 3) return f;
    vec3s normal = vec3_of(0, 0, 0);
    for (int i = 0; i < f.count; ++i) {
        const int k = i + 1 < f.count ? i + 1 : 0;
        const vec3s one = vec3_of(f.u[i] - f.u[0], f.v[i] - f.v[0], f.height[i] - f.height[0]),
                    two = vec3_of(f.u[k] - f.u[0], f.v[k] - f.v[0], f.height[k] - f.height[0]);
        normal = glms_vec3_add(normal, glms_vec3_cross(one, two));
    }
    const scalar length = glms_vec3_norm(normal);
    f.level = length > 0 ? scalar_abs(normal.z) / length : 0;
    if (!(f.level > 0)) return f;
    f.slope_u = -normal.x / normal.z, f.slope_v = -normal.y / normal.z;
    f.base = f.height[0] - f.slope_u * f.u[0] - f.slope_v * f.v[0];
    return normal.z < 0 ? seen_reversed(f) : f;
}

SHARED scalar seen_height(seen_face f, scalar u, scalar v) { return f.base + u * f.slope_u + v * f.slope_v; }

SHARED unsigned int feature_of(int kind, unsigned int number) {
    return (unsigned int)kind << FEATURE_SHIFT | number;
}
SHARED unsigned int feature_of_corner_a(seen_face f, int corner) {
    return feature_of(FEATURE_CORNER_A, (unsigned int)f.corners[corner]);
}
SHARED unsigned int feature_of_corner_b(seen_face f, int corner) {
    return feature_of(FEATURE_CORNER_B, (unsigned int)f.corners[corner]);
}
SHARED unsigned int feature_of_crossing(seen_face a, int edge_a, seen_face b, int edge_b) {
    return feature_of(FEATURE_CROSSING,
                      (unsigned int)a.corners[edge_a] << 14 | (unsigned int)b.corners[edge_b]);
}

/* Sides of a cut face: those of a are numbered as its corners, and those of b from here on. */
enum { SIDE_OF_B = FACE_POINTS };

/* Of an edge's length: what is as near to it is on it, so that edges that lie along each other do not cross
 * here and there with every tremble. */
#define PATCH_BESIDE ((scalar)1e-3)

/* What is on the left of the edge of b that begins at `edge`, or on it (Sutherland and Hodgman, 1974). */
SHARED patch patch_cut(patch in, seen_face b, int edge) {
    const int end = edge + 1 < b.count ? edge + 1 : 0;
    const scalar du = b.u[end] - b.u[edge], dv = b.v[end] - b.v[edge],
                 least = -PATCH_BESIDE * (du * du + dv * dv);
    patch out;
    out.count = 0;
    for (int i = 0; i < in.count && out.count + 2 <= PATCH_POINTS; ++i) {
        const patch_point here = in.points[i], next = in.points[i + 1 < in.count ? i + 1 : 0];
        const scalar left = du * (here.v - b.v[edge]) - dv * (here.u - b.u[edge]),
                     next_left = du * (next.v - b.v[edge]) - dv * (next.u - b.u[edge]);
        if (left >= least) out.points[out.count++] = here;
        if ((left >= least) == (next_left >= least)) continue;
        const scalar part = scalar_clamp(left / (left - next_left), 0, 1);
        patch_point cross = here;
        cross.u = here.u + part * (next.u - here.u), cross.v = here.v + part * (next.v - here.v);
        if (left >= least) cross.side = SIDE_OF_B + edge;
        out.points[out.count++] = cross;
    }
    return out;
}

SHARED patch_point patch_measured(patch_point p, scalar below, scalar above) {
    p.gap = above - below, p.middle = (above + below) / 2;
    return p;
}

/* Of the length of an edge. What ends as near to its end is named for the end, so that a body whose edge ends
 * on another edge does not change its names with every tremble; a piece of a line that is shorter is none. */
#define PATCH_END ((scalar)0.01)

/* The corner of a face at which a point is; −1: none. */
SHARED int seen_corner(seen_face f, scalar u, scalar v) {
    int found = -1;
    for (int i = 0; i < f.count; ++i) {
        const int next = i + 1 < f.count ? i + 1 : 0, last = i > 0 ? i - 1 : f.count - 1;
        const scalar du = u - f.u[i], dv = v - f.v[i], to_u = f.u[next] - f.u[i], to_v = f.v[next] - f.v[i],
                     from_u = f.u[last] - f.u[i], from_v = f.v[last] - f.v[i],
                     shortest = scalar_min(to_u * to_u + to_v * to_v, from_u * from_u + from_v * from_v);
        if (du * du + dv * dv <= PATCH_END * PATCH_END * shortest) found = i;
    }
    return found;
}

/* Of what meets at a point of the cut face: its sides before and after it. By the corner where it is, of a if
 * of both, or else by the edges that cross. */
SHARED unsigned int patch_name(seen_face a, seen_face b, scalar u, scalar v, int before, int after) {
    const int at_a = seen_corner(a, u, v), at_b = at_a < 0 ? seen_corner(b, u, v) : -1;
    if (at_a >= 0) return feature_of_corner_a(a, at_a);
    if (before < SIDE_OF_B && after < SIDE_OF_B) return feature_of_corner_a(a, after);
    if (at_b >= 0) return feature_of_corner_b(b, at_b);
    if (before >= SIDE_OF_B && after >= SIDE_OF_B) return feature_of_corner_b(b, after - SIDE_OF_B);
    return before < SIDE_OF_B ? feature_of_crossing(a, before, b, after - SIDE_OF_B)
                              : feature_of_crossing(a, after, b, before - SIDE_OF_B);
}

/* What has a name already is as good as the same point: the deeper one stays. */
SHARED patch patch_with(patch in, patch_point p) {
    for (int i = 0; i < in.count; ++i)
        if (in.points[i].feature == p.feature) {
            if (p.gap < in.points[i].gap) in.points[i] = p;
            return in;
        }
    in.points[in.count++] = p;
    return in;
}

/* Two flat faces. */
SHARED patch patch_of_faces(seen_face a, seen_face b) {
    patch cut;
    cut.count = a.count;
    for (int i = 0; i < a.count; ++i)
        cut.points[i].u = a.u[i], cut.points[i].v = a.v[i], cut.points[i].side = i;
    for (int edge = 0; edge < b.count; ++edge) cut = patch_cut(cut, b, edge);
    patch out;
    out.count = 0;
    for (int i = 0; i < cut.count; ++i) {
        const int before = cut.points[i > 0 ? i - 1 : cut.count - 1].side, after = cut.points[i].side;
        patch_point p = cut.points[i];
        p.feature = patch_name(a, b, p.u, p.v, before, after);
        out = patch_with(out, patch_measured(p, seen_height(a, p.u, p.v), seen_height(b, p.u, p.v)));
    }
    return out;
}

/* A line, of b if `of_b`, over a flat face. */
SHARED patch patch_of_line(seen_face line, seen_face face, int of_b) {
    scalar from = 0, to = 1;
    int first = -1, last = -1; /* the edges that cut it */
    const scalar along_u = line.u[1] - line.u[0], along_v = line.v[1] - line.v[0];
    patch out;
    out.count = 0;
    for (int edge = 0; edge < face.count; ++edge) {
        const int end = edge + 1 < face.count ? edge + 1 : 0;
        const scalar du = face.u[end] - face.u[edge], dv = face.v[end] - face.v[edge],
                     left = du * (line.v[0] - face.v[edge]) - dv * (line.u[0] - face.u[edge]),
                     rate = du * along_v - dv * along_u;
        if (rate == 0 && left < 0) return out;
        if (rate > 0 && -left > from * rate) from = -left / rate, first = edge;
        if (rate < 0 && left < to * -rate) to = left / -rate, last = edge;
    }
    if (!(to - from > PATCH_END)) return out;
    if (from < PATCH_END) first = -1;
    if (to > 1 - PATCH_END) last = -1;
    for (int i = 0; i < 2; ++i) {
        const scalar t = i ? to : from;
        const int edge = i ? last : first;
        patch_point p;
        p.u = line.u[0] + t * along_u, p.v = line.v[0] + t * along_v, p.side = 0;
        const scalar height = line.height[0] + t * (line.height[1] - line.height[0]),
                     other = seen_height(face, p.u, p.v);
        if (edge < 0)
            p.feature = of_b ? feature_of_corner_b(line, i) : feature_of_corner_a(line, i);
        else
            p.feature =
                of_b ? feature_of_crossing(face, edge, line, i) : feature_of_crossing(line, i, face, edge);
        out.points[out.count++] = of_b ? patch_measured(p, other, height) : patch_measured(p, height, other);
    }
    return out;
}

/* Two lines that are nearly parallel, over the length that they share. Where they are y apart across, round
 * surfaces are farther by about y²/(2 (R_a + R_b)). */
SHARED patch patch_of_lines(seen_face a, seen_face b) {
    patch out;
    out.count = 0;
    const scalar a_u = a.u[1] - a.u[0], a_v = a.v[1] - a.v[0], b_u = b.u[1] - b.u[0], b_v = b.v[1] - b.v[0];
    const scalar square_a = a_u * a_u + a_v * a_v, square_b = b_u * b_u + b_v * b_v,
                 cross = a_u * b_v - a_v * b_u;
    if (!(cross * cross < (scalar)0.0025 * square_a * square_b)) return out;
    const scalar at_0 = ((b.u[0] - a.u[0]) * a_u + (b.v[0] - a.v[0]) * a_v) / square_a,
                 at_1 = ((b.u[1] - a.u[0]) * a_u + (b.v[1] - a.v[0]) * a_v) / square_a;
    const int swapped = at_1 < at_0;
    const scalar low = swapped ? at_1 : at_0, high = swapped ? at_0 : at_1;
    const scalar ends[2] = {scalar_max(low, 0), scalar_min(high, 1)};
    if (!(ends[1] - ends[0] > PATCH_END)) return out;
    for (int i = 0; i < 2; ++i) {
        const scalar s = ends[i], t = scalar_clamp((s - at_0) / (at_1 - at_0), 0, 1);
        const scalar on_a_u = a.u[0] + s * a_u, on_a_v = a.v[0] + s * a_v, on_b_u = b.u[0] + t * b_u,
                     on_b_v = b.v[0] + t * b_v;
        const scalar aside_u = on_b_u - on_a_u, aside_v = on_b_v - on_a_v, rounds = a.round + b.round,
                     aside = aside_u * aside_u + aside_v * aside_v;
        if (!(rounds > 0) && aside > 0) return out;
        patch_point p;
        p.u = (on_a_u + on_b_u) / 2, p.v = (on_a_v + on_b_v) / 2, p.side = 0;
        const int of_a =
            i ? !(high < 1 - PATCH_END) : !(low > PATCH_END); /* the end of a's line, else of b's */
        p.feature = of_a ? feature_of_corner_a(a, i) : feature_of_corner_b(b, swapped ? 1 - i : i);
        p = patch_measured(p, a.height[0] + s * (a.height[1] - a.height[0]),
                           b.height[0] + t * (b.height[1] - b.height[0]));
        if (rounds > 0) p.gap += aside / (2 * rounds);
        out.points[out.count++] = p;
    }
    return out;
}

/* How far faces may lean from n, as a cosine: farther along a leaning face n tells of bodies that pass. */
#define PATCH_LEVEL ((scalar)0.9)

SHARED patch patch_between(seen_face a, seen_face b) {
    patch none;
    none.count = 0;
    if (a.count == 1 || b.count == 1) return none;
    if (a.count == 2 && b.count == 2)
        return a.level > PATCH_LEVEL && b.level > PATCH_LEVEL ? patch_of_lines(a, b) : none;
    if (a.count == 2) return b.level > PATCH_LEVEL ? patch_of_line(a, b, 0) : none;
    if (b.count == 2) return a.level > PATCH_LEVEL ? patch_of_line(b, a, 1) : none;
    if (!(scalar_max(a.level, b.level) > PATCH_LEVEL) || !(scalar_min(a.level, b.level) > 0.1f)) return none;
    return patch_of_faces(a, b);
}

/* -- Four of them ------------------------------------------------------------------------------------------
 */

/* Twice the area of a triangle, positive where it is counter-clockwise. */
SHARED scalar patch_triangle(patch_point p, patch_point q, patch_point r) {
    return (q.u - p.u) * (r.v - p.v) - (q.v - p.v) * (r.u - p.u);
}

/* `first`, the one farthest from it, and those that span the most to either side of the two; a later point
 * wins only by more than rounding. */
SHARED patch patch_spanned(patch in, int first) {
    int second = first, left = -1, right = -1;
    scalar farthest = 0, left_area = 0, right_area = 0;
    patch out;
    out.count = 0;
    for (int i = 0; i < in.count; ++i) {
        const scalar du = in.points[i].u - in.points[first].u, dv = in.points[i].v - in.points[first].v;
        if (du * du + dv * dv > (scalar)1.01 * farthest) farthest = du * du + dv * dv, second = i;
    }
    for (int i = 0; i < in.count; ++i) {
        const scalar area = patch_triangle(in.points[first], in.points[second], in.points[i]);
        if (i == first || i == second) continue;
        if (area > (scalar)1.01 * left_area) left_area = area, left = i;
        if (-area > (scalar)1.01 * right_area) right_area = -area, right = i;
    }
    out.points[out.count++] = in.points[first];
    if (second != first) out.points[out.count++] = in.points[second];
    if (left >= 0) out.points[out.count++] = in.points[left];
    if (right >= 0) out.points[out.count++] = in.points[right];
    return out;
}

/* A place in the face that does not change with every tremble, unless something is deeper (a tilt of 1 in 20
 * outweighs any place). */
SHARED scalar patch_merit(patch_point p) { return (scalar)0.8 * p.u + (scalar)0.6 * p.v - 20 * p.gap; }

SHARED scalar patch_least(patch in) {
    scalar least = in.count ? in.points[0].gap : 0;
    for (int i = 1; i < in.count; ++i) least = scalar_min(least, in.points[i].gap);
    return least;
}

/* Four of more, one of them as deep as any but for `slop`: a body that leans stands on what is deepest. */
SHARED patch patch_four(patch in, int first, scalar slop) {
    const patch four = patch_spanned(in, first);
    int lowest = 0;
    for (int i = 1; i < in.count; ++i)
        if (in.points[i].gap < in.points[lowest].gap) lowest = i;
    return patch_least(four) > in.points[lowest].gap + slop ? patch_spanned(in, lowest) : four;
}

/* The points within reach, the nearest points before them where they do not come as near; four of them. */
SHARED patch patch_chosen(patch in, patch_point nearest, scalar reach, scalar width) {
    const scalar slop = (scalar)1e-3 * width, beside = (scalar)0.2 * width;
    const int joins = !in.count || patch_least(in) > nearest.gap + slop;
    patch out;
    out.count = 0;
    if (joins) out.points[out.count++] = nearest;
    for (int i = 0; i < in.count && out.count < PATCH_POINTS; ++i) {
        const scalar du = in.points[i].u - nearest.u, dv = in.points[i].v - nearest.v;
        if (!(in.points[i].gap <= reach) || (joins && du * du + dv * dv < beside * beside)) continue;
        out.points[out.count] = in.points[i];
        out.points[out.count].gap = scalar_max(in.points[i].gap, nearest.gap);
        ++out.count;
    }
    if (out.count <= MANIFOLD_POINTS) return out;
    int first = 0;
    for (int i = 1; i < out.count && !joins; ++i)
        if (patch_merit(out.points[i]) > patch_merit(out.points[first])) first = i;
    return patch_four(out, first, slop / 10);
}

SHARED manifold_points convex_manifold_of(patch points, view_axes axes) {
    manifold_points out;
    out.count = points.count, out.normal = axes.n;
    for (int i = 0; i < points.count; ++i) {
        const patch_point p = points.points[i];
        const vec3s across = glms_vec3_add(glms_vec3_scale(axes.u, p.u), glms_vec3_scale(axes.v, p.v));
        out.points[i].position =
            glms_vec3_add(axes.origin, glms_vec3_add(across, glms_vec3_scale(axes.n, p.middle)));
        out.points[i].gap = p.gap, out.points[i].feature = p.feature;
    }
    return out;
}

SHARED patch_point patch_nearest(view_axes axes, vec3s middle, scalar gap) {
    const vec3s from = glms_vec3_sub(middle, axes.origin);
    patch_point p;
    p.u = glms_vec3_dot(from, axes.u), p.v = glms_vec3_dot(from, axes.v);
    p.middle = glms_vec3_dot(from, axes.n), p.gap = gap, p.side = 0,
    p.feature = feature_of(FEATURE_NEAREST, 0);
    return p;
}

/* The contact points of two convex bodies with gap ≤ reach. */
SHARED manifold_points convex_contact(convex a, convex b, scalar reach) {
    manifold_points none;
    none.count = 0, none.normal = vec3_of(0, 0, 1);
    const convex_separation s = convex_separate(a, b, reach);
    if (!(s.gap <= reach)) return none;
    const view_axes axes = view_axes_of(a, a.centre, s.normal);
    const seen_face face_a = seen_from(convex_face_of(a, s.normal), axes, a.radius),
                    face_b = seen_from(convex_face_of(b, glms_vec3_negate(s.normal)), axes, -b.radius);
    const patch_point nearest =
        patch_nearest(axes, glms_vec3_scale(glms_vec3_add(s.on_a, s.on_b), (scalar)0.5), s.gap);
    return convex_manifold_of(
        patch_chosen(patch_between(face_a, face_b), nearest, reach, scalar_min(a.width, b.width)), axes);
}

/* Of a convex body with the half-space below the plane through `origin` with the unit normal `outward`. */
SHARED manifold_points convex_over_plane(convex a, vec3s origin, vec3s outward, scalar reach) {
    const vec3s n = glms_vec3_negate(outward);
    const view_axes axes = view_axes_of(a, origin, n);
    const vec3s lowest = glms_vec3_add(convex_farthest(a, n), glms_vec3_scale(n, a.radius));
    const scalar gap = glms_vec3_dot(outward, glms_vec3_sub(lowest, origin));
    manifold_points none;
    none.count = 0, none.normal = n;
    if (!(gap <= reach)) return none;
    const seen_face face = seen_from(convex_face_of(a, n), axes, a.radius);
    patch all;
    all.count = 0;
    for (int i = 0; i < face.count && face.count > 1; ++i) {
        patch_point p;
        p.u = face.u[i], p.v = face.v[i], p.side = 0, p.feature = feature_of_corner_a(face, i);
        all.points[all.count++] = patch_measured(p, face.height[i], 0);
    }
    const vec3s middle = glms_vec3_add(lowest, glms_vec3_scale(n, gap / 2));
    return convex_manifold_of(patch_chosen(all, patch_nearest(axes, middle, gap), reach, a.width), axes);
}

#endif
