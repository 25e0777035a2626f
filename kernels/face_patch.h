/* Faces of two convex bodies seen along their normal n, with u and v across and the height along n, and the
 * contact points of two of them: faces with corners clipped to each other, a line on a face, a line on a
 * line. */
#ifndef SCREE_KERNELS_FACE_PATCH_H
#define SCREE_KERNELS_FACE_PATCH_H

#include "feature.h"
#include "support.h"

enum { PATCH_POINTS = 26 }; /* a face clipped by a disc has 25, and the nearest points may join */

typedef struct patch_point {
    scalar u, v;
    scalar middle, gap; /* height midway between the surfaces; their distance along n */
    int side;           /* of a clipped face: the edge that starts at the point */
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

/* Returns axes across n that turn with the body. */
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

/* Sets the level of a line. */
SHARED seen_face seen_levelled(seen_face line) {
    const scalar du = line.u[1] - line.u[0], dv = line.v[1] - line.v[0], dh = line.height[1] - line.height[0],
                 flat = du * du + dv * dv, all = flat + dh * dh;
    line.level = all > 0 ? scalar_sqrt(flat / all) : 0;
    return line;
}

/* Returns a face seen along the axes. The surface is at `radius` from the core, along n or against it
 * (negative). The face's normal is computed by Newell's sums. */
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
    if (f.count == 2) f = seen_levelled(f);
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

/* Returns the edge of a face that is foremost along n (ahead = 1), or against it (−1). */
SHARED seen_face seen_edge(seen_face f, scalar ahead) {
    seen_face out = f;
    scalar most = -INFINITY;
    out.count = 2;
    for (int i = 0; i < f.count; ++i) {
        const int k = i + 1 < f.count ? i + 1 : 0;
        const scalar nearer = scalar_min(ahead * f.height[i], ahead * f.height[k]);
        if (!(nearer > most)) continue;
        most = nearer;
        out.u[0] = f.u[i], out.v[0] = f.v[i], out.height[0] = f.height[i], out.corners[0] = f.corners[i];
        out.u[1] = f.u[k], out.v[1] = f.v[k], out.height[1] = f.height[k], out.corners[1] = f.corners[k];
    }
    return seen_levelled(out);
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

/* Labels of a clipped face's sides: those of a are a's corner numbers, those of b follow from here. */
enum { SIDE_OF_B = FACE_POINTS };

/* Fraction of an edge's length: nearer points count as on the edge, so that coincident edges do not cross
 * here and there with every small motion. */
#define PATCH_BESIDE ((scalar)1e-3)

/* Keeps the part on the left of the edge of b that begins at `edge`, or on it (Sutherland and Hodgman, 1974).
 */
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

/* Fraction of an edge's length. An end nearer to a corner is identified with that corner, so that a body
 * whose edge ends on another edge keeps its features under small motions. Shorter pieces of a line are
 * dropped. */
#define PATCH_END ((scalar)0.01)

/* Returns the corner of a face at a point, or −1. */
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

/* Returns the feature of a point of the clipped face from the sides before and after it: the corner at the
 * point, preferably of a, else the edges that cross. */
SHARED unsigned int patch_name(seen_face a, seen_face b, scalar u, scalar v, int before, int after) {
    const int at_a = seen_corner(a, u, v), at_b = at_a < 0 ? seen_corner(b, u, v) : -1;
    if (at_a >= 0) return feature_of_corner_a(a, at_a);
    if (before < SIDE_OF_B && after < SIDE_OF_B) return feature_of_corner_a(a, after);
    if (at_b >= 0) return feature_of_corner_b(b, at_b);
    if (before >= SIDE_OF_B && after >= SIDE_OF_B) return feature_of_corner_b(b, after - SIDE_OF_B);
    return before < SIDE_OF_B ? feature_of_crossing(a, before, b, after - SIDE_OF_B)
                              : feature_of_crossing(a, after, b, before - SIDE_OF_B);
}

/* Adds a point. Points with the same feature are merged; the deeper one stays. */
SHARED patch patch_with(patch in, patch_point p) {
    for (int i = 0; i < in.count; ++i)
        if (in.points[i].feature == p.feature) {
            if (p.gap < in.points[i].gap) in.points[i] = p;
            return in;
        }
    in.points[in.count++] = p;
    return in;
}

/* Returns the points of two flat faces. */
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

/* Returns the points of the part from … to of a line (of b if `of_b`) on a flat face; `first` and `last` are
 * the edges that cut it. */
SHARED patch patch_of_line_part(seen_face line, seen_face face, int of_b, scalar from, scalar to, int first,
                                int last) {
    patch out;
    out.count = 0;
    if (!(to - from > PATCH_END)) return out;
    if (from < PATCH_END) first = -1;
    if (to > 1 - PATCH_END) last = -1;
    for (int i = 0; i < 2; ++i) {
        const scalar t = i ? to : from;
        const int edge = i ? last : first;
        patch_point p;
        p.u = line.u[0] + t * (line.u[1] - line.u[0]), p.v = line.v[0] + t * (line.v[1] - line.v[0]),
        p.side = 0;
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

/* Returns the points of a line (of b if `of_b`) on a flat face. */
SHARED patch patch_of_line(seen_face line, seen_face face, int of_b) {
    scalar from = 0, to = 1;
    int first = -1, last = -1; /* edges that cut the line */
    const scalar along_u = line.u[1] - line.u[0], along_v = line.v[1] - line.v[0];
    for (int edge = 0; edge < face.count; ++edge) {
        const int end = edge + 1 < face.count ? edge + 1 : 0;
        const scalar du = face.u[end] - face.u[edge], dv = face.v[end] - face.v[edge],
                     left = du * (line.v[0] - face.v[edge]) - dv * (line.u[0] - face.u[edge]),
                     rate = du * along_v - dv * along_u;
        if (rate == 0 && left < 0) to = -1;
        if (rate > 0 && -left > from * rate) from = -left / rate, first = edge;
        if (rate < 0 && left < to * -rate) to = left / -rate, last = edge;
    }
    return patch_of_line_part(line, face, of_b, from, to, first, last);
}

/* Returns the points of two nearly parallel lines over their common length. Where they are y apart across n,
 * round surfaces are farther apart by about y²/(2 (R_a + R_b)), and edges do not meet. */
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
        if (!(rounds > 0) && aside > PATCH_BESIDE * PATCH_BESIDE * scalar_min(square_a, square_b)) continue;
        patch_point p;
        p.u = (on_a_u + on_b_u) / 2, p.v = (on_a_v + on_b_v) / 2, p.side = 0;
        const int of_a =
            i ? !(high < 1 - PATCH_END) : !(low > PATCH_END); /* an end of a's line, else of b's */
        p.feature = of_a ? feature_of_corner_a(a, i) : feature_of_corner_b(b, swapped ? 1 - i : i);
        p = patch_measured(p, a.height[0] + s * (a.height[1] - a.height[0]),
                           b.height[0] + t * (b.height[1] - b.height[0]));
        if (rounds > 0) p.gap += aside / (2 * rounds);
        out.points[out.count++] = p;
    }
    return out;
}

#endif
