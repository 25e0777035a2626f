/* Distance of two separated convex bodies (Gilbert, Johnson and Keerthi, 1988). Simplices of points of the
 * difference of their cores, B + shift − A, approach the origin. The nearest point of a simplex is found by
 * comparing its edges and faces, which does not rely on the sign of any determinant. */
#ifndef SCREE_KERNELS_GJK_H
#define SCREE_KERNELS_GJK_H

#include "support.h"

enum { GJK_ROUNDS = 48 };

/* Corners of the simplex, and their weights in the point nearest to the origin. */
typedef struct gjk_simplex {
    int count;
    vec3s on_a[4], on_b[4], apart[4];
    scalar share[4];
    scalar square; /* squared distance of the nearest point, m² */
} gjk_simplex;

/* Nearest points of two cores that are `distance` apart along the unit `direction` from a to b; on_b is
 * without the shift. */
typedef struct gjk_nearest {
    vec3s on_a, on_b, direction;
    scalar distance;
} gjk_nearest;

typedef struct gjk_shares {
    scalar share[4];
    scalar square;
} gjk_shares;

SHARED gjk_shares gjk_nearer(gjk_shares one, gjk_shares other) {
    return other.square < one.square ? other : one;
}

SHARED gjk_shares gjk_shares_from(scalar first, scalar second, scalar third, scalar newest, scalar square) {
    gjk_shares out;
    out.share[0] = first, out.share[1] = second, out.share[2] = third, out.share[3] = newest;
    out.square = square;
    return out;
}

/* Weight of the end p in the point of the edge n p nearest to the origin, and the squared distance. */
typedef struct gjk_edge {
    scalar share, square;
} gjk_edge;

SHARED gjk_edge gjk_edge_of(vec3s n, vec3s p) {
    const vec3s along = glms_vec3_sub(p, n);
    const scalar square = glms_vec3_norm2(along), to = -glms_vec3_dot(n, along);
    gjk_edge out;
    out.share = to > 0 && square > 0 ? scalar_min(to / square, 1) : 0;
    out.square = glms_vec3_norm2(glms_vec3_add(n, glms_vec3_scale(along, out.share)));
    return out;
}

/* Weights and squared distance for the interior of a triangle n p q; infinitely far if the origin does not
 * project into it. The weights are the areas opposite to the corners, seen along its normal. */
typedef struct gjk_triangle {
    scalar share_p, share_q, square;
} gjk_triangle;

SHARED gjk_triangle gjk_triangle_of(vec3s n, vec3s p, vec3s q) {
    const vec3s normal = glms_vec3_cross(glms_vec3_sub(p, n), glms_vec3_sub(q, n));
    const scalar of_n = glms_vec3_dot(normal, glms_vec3_cross(p, q)),
                 of_p = glms_vec3_dot(normal, glms_vec3_cross(q, n)),
                 of_q = glms_vec3_dot(normal, glms_vec3_cross(n, p)), sum = of_n + of_p + of_q;
    gjk_triangle out;
    out.share_p = out.share_q = 0, out.square = (scalar)1e30;
    if (!(of_n > 0 && of_p > 0 && of_q > 0)) return out;
    out.share_p = of_p / sum, out.share_q = of_q / sum;
    const vec3s along = glms_vec3_add(glms_vec3_scale(glms_vec3_sub(p, n), out.share_p),
                                      glms_vec3_scale(glms_vec3_sub(q, n), out.share_q));
    out.square = glms_vec3_norm2(glms_vec3_add(n, along));
    return out;
}

/* Returns the nearest point of a simplex that does not contain the origin. It lies on a feature of the newest
 * corner, since without that corner no point was as near: the corner, its edges, and its triangles. */
SHARED gjk_shares gjk_shares_of(gjk_simplex s) {
    const vec3s n = s.apart[s.count - 1], p = s.apart[0], q = s.apart[1], r = s.apart[2];
    const gjk_edge to_p = gjk_edge_of(n, p);
    gjk_shares best = gjk_shares_from(to_p.share, 0, 0, 1 - to_p.share, to_p.square);
    if (s.count > 2) {
        const gjk_edge to_q = gjk_edge_of(n, q);
        const gjk_triangle pq = gjk_triangle_of(n, p, q);
        best = gjk_nearer(best, gjk_shares_from(0, to_q.share, 0, 1 - to_q.share, to_q.square));
        best = gjk_nearer(best,
                          gjk_shares_from(pq.share_p, pq.share_q, 0, 1 - pq.share_p - pq.share_q, pq.square));
    }
    if (s.count > 3) {
        const gjk_edge to_r = gjk_edge_of(n, r);
        const gjk_triangle qr = gjk_triangle_of(n, q, r), rp = gjk_triangle_of(n, r, p);
        best = gjk_nearer(best, gjk_shares_from(0, 0, to_r.share, 1 - to_r.share, to_r.square));
        best = gjk_nearer(best,
                          gjk_shares_from(0, qr.share_p, qr.share_q, 1 - qr.share_p - qr.share_q, qr.square));
        best = gjk_nearer(best,
                          gjk_shares_from(rp.share_q, 0, rp.share_p, 1 - rp.share_p - rp.share_q, rp.square));
    }
    if (s.count < 4) best.share[s.count - 1] = best.share[3];
    return best;
}

/* Returns the simplex without the corners of weight zero. */
SHARED gjk_simplex gjk_reduced(gjk_simplex s, gjk_shares shares) {
    int kept = 0;
    for (int i = 0; i < s.count; ++i) {
        if (!(shares.share[i] > 0)) continue;
        s.on_a[kept] = s.on_a[i], s.on_b[kept] = s.on_b[i], s.apart[kept] = s.apart[i];
        s.share[kept++] = shares.share[i];
    }
    s.count = kept, s.square = shares.square;
    return s;
}

SHARED gjk_simplex gjk_added(gjk_simplex s, convex a, convex b, vec3s shift, vec3s direction) {
    const vec3s on_a = convex_farthest(a, direction), on_b = convex_farthest(b, glms_vec3_negate(direction));
    s.on_a[s.count] = on_a, s.on_b[s.count] = on_b;
    s.apart[s.count] = glms_vec3_add(glms_vec3_sub(on_b, on_a), shift);
    s.count += 1;
    return s;
}

SHARED vec3s gjk_current(gjk_simplex s) {
    vec3s sum = glms_vec3_scale(s.apart[0], s.share[0]);
    for (int i = 1; i < s.count; ++i) sum = glms_vec3_add(sum, glms_vec3_scale(s.apart[i], s.share[i]));
    return sum;
}

/* With v the nearest point so far and w the new corner, ‖v‖ exceeds the distance by at most v·(v − w)/‖v‖.
 * The iteration ends when that is within the tolerance of ‖v‖, or when rounding prevents v from coming
 * nearer. */
CALLED gjk_nearest gjk_distance(convex a, convex b, vec3s shift, vec3s start, scalar tolerance) {
    gjk_simplex s;
    s.count = 0;
    for (int i = 0; i < 4; ++i) s.apart[i] = shift;
    s = gjk_added(s, a, b, shift, start);
    s.share[0] = 1, s.square = glms_vec3_norm2(s.apart[0]);
    vec3s v = s.apart[0];
    for (int round = 0; round < GJK_ROUNDS && s.square > 0; ++round) {
        const gjk_simplex next = gjk_added(s, a, b, shift, v);
        if (!(s.square - glms_vec3_dot(v, next.apart[next.count - 1]) > tolerance * s.square)) break;
        const gjk_shares shares = gjk_shares_of(next);
        if (!(shares.square < s.square)) break;
        s = gjk_reduced(next, shares);
        if (s.count == 4) break; /* the origin is inside: the bodies overlap */
        v = gjk_current(s);
    }
    gjk_nearest out;
    out.on_a = glms_vec3_scale(s.on_a[0], s.share[0]), out.on_b = glms_vec3_scale(s.on_b[0], s.share[0]);
    for (int i = 1; i < s.count; ++i) {
        out.on_a = glms_vec3_add(out.on_a, glms_vec3_scale(s.on_a[i], s.share[i]));
        out.on_b = glms_vec3_add(out.on_b, glms_vec3_scale(s.on_b[i], s.share[i]));
    }
    out.distance = scalar_sqrt(s.square);
    out.direction = s.square > 0 ? glms_vec3_scale(v, 1 / out.distance) : start;
    return out;
}

#endif
