/* Friction laws of one block: u = A r + q with A symmetric positive definite, r and u in the frame (n, t₁,
 * t₂). Laws are numbered as in scree_law. Everything compiles at any width except the general block of the
 * convex law. */
#ifndef SCREE_KERNELS_LAW_H
#define SCREE_KERNELS_LAW_H

#include "symmetric.h"
#if SCREE_WIDTH == 1
#include "associated.h"
#endif
#include "kinds.h"

/* Returns the Euclidean projection on K = { ‖r_T‖ ≤ μ r_N }: 0 if x is in the polar cone, μ‖x_T‖ ≤ −x_N; x if
 * it is inside; else the point of the cone's surface y_N = (μ‖x_T‖ + x_N)/(1 + μ²), y_T = μ y_N x_T/‖x_T‖. */
SHARED vec3s cone_projection(vec3s x, scalar friction) {
    const scalar t = scalar_sqrt(x.y * x.y + x.z * x.z), zero = scalar_of(0);
    const scalar normal = (friction * t + x.x) / (1 + friction * friction);
    const scalar factor = choose(t > 0, friction * normal / choose(t > 0, t, scalar_of(1)), zero);
    const vec3s surface = vec3_of(normal, factor * x.y, factor * x.z);
    return vec3_choose(friction * t <= -x.x, glms_vec3_zero(), vec3_choose(t <= friction * x.x, x, surface));
}

/* Clamps to r_N ≥ 0, then to |r_T,i| ≤ μ r_N. */
SHARED vec3s pyramid_clamp(vec3s x, scalar friction) {
    const scalar normal = scalar_max(x.x, scalar_of(0)), bound = friction * normal;
    return vec3_of(normal, scalar_clamp(x.y, -bound, bound), scalar_clamp(x.z, -bound, bound));
}

/* Returns the factor that reduces a tangential impulse with this square to the bound μ r_N. */
SHARED scalar radial_factor(scalar square, scalar bound) {
    const scalar_mask inside = square <= bound * bound;
    return choose(inside, scalar_of(1), bound / scalar_sqrt(choose(inside, scalar_of(1), square)));
}

/* Clamps x_N at 0 and reduces ‖x_T‖ to μ x_N. */
SHARED vec3s radial_clamp(vec3s x, scalar friction) {
    const scalar normal = choose(x.x > 0, x.x, scalar_of(0));
    const scalar factor = radial_factor(x.y * x.y + x.z * x.z, friction * normal);
    return vec3_of(normal, factor * x.y, factor * x.z);
}

/* A block with its normal row eliminated: S = T − w wᵀ/a of A = (a, wᵀ; w, T), with the axis of the larger
 * diagonal entry first, and factored: S = (1, 0; l, 1) diag(pivot, rest) (1, l; 0, 1). A direction in which
 * nothing can move (the third axis of a planar scene) keeps a small mobility, large enough relative to
 * rounding for quotients to stay bounded. */
typedef struct schur2 {
    scalar inverse_normal;              /* 1/a */
    scalar_mask swapped;                /* z is the first axis */
    scalar slope;                       /* l */
    scalar inverse_pivot, inverse_rest; /* of S */
    scalar size;                        /* trace of S */
    scalar pivot, rest, trace;          /* of S divided by its trace */
} schur2;

/* Requires a > 0. */
SHARED schur2 schur2_of(symmetric3 m, scalar inverse_normal) {
    const scalar wy = m.off_diagonal.z, wz = m.off_diagonal.y, one = scalar_of(1);
    const scalar yy = m.diagonal.y - wy * wy * inverse_normal, zz = m.diagonal.z - wz * wz * inverse_normal;
    /* For a block of rank one, S is rounding of either sign; its size is bounded from below. Otherwise the
     * larger entry is at least half of the trace. */
    const scalar size = scalar_max(yy + zz, 8 * SCALAR_EPSILON * (m.diagonal.y + m.diagonal.z));
    schur2 s;
    s.inverse_normal = inverse_normal;
    const scalar inverse_size = one / choose(size > 0, size, one);
    s.size = size;
    s.swapped = zz > yy;
    s.pivot = scalar_max(scalar_max(yy, zz) * inverse_size, scalar_of(0.25f));
    const scalar off = (m.off_diagonal.x - wy * wz * inverse_normal) * inverse_size;
    s.slope = off / s.pivot;
    s.rest = scalar_max(scalar_min(yy, zz) * inverse_size - off * s.slope, 4 * SCALAR_EPSILON * s.pivot);
    s.trace = s.pivot + (s.rest + off * s.slope);
    s.inverse_pivot = inverse_size / s.pivot, s.inverse_rest = inverse_size / s.rest;
    return s;
}

/* Two numbers in the order of the axes of schur2. */
typedef struct pair2 {
    scalar first, second;
} pair2;

SHARED pair2 schur2_pair(schur2 s, scalar y, scalar z) {
    pair2 out;
    out.first = choose(s.swapped, z, y), out.second = choose(s.swapped, y, z);
    return out;
}

SHARED scalar pair2_dot(pair2 a, pair2 b) { return a.first * b.first + a.second * b.second; }
SHARED pair2 pair2_scale(pair2 a, scalar x) {
    a.first = a.first * x, a.second = a.second * x;
    return a;
}

/* Returns (adj S) s of the scaled S. With d = s₂ − l s₁ it is (rest s₁ − off d, pivot d). The rounding of d
 * rotates it along the least mobile axis of S, so (adj S) s/det S reproduces the velocities s to rounding;
 * products of S's entries would not. */
SHARED pair2 schur2_adjugate_times(schur2 s, pair2 of) {
    const scalar d = of.second - s.slope * of.first, v = s.pivot * d;
    pair2 out;
    out.first = s.rest * of.first - s.slope * v, out.second = v;
    return out;
}

/* Returns A⁻¹ u by the factors of S. */
SHARED vec3s schur2_solved(symmetric3 m, schur2 s, vec3s u) {
    const scalar wy = m.off_diagonal.z, wz = m.off_diagonal.y, pushed = u.x * s.inverse_normal;
    const pair2 of = schur2_pair(s, u.y - wy * pushed, u.z - wz * pushed);
    const scalar second = (of.second - s.slope * of.first) * s.inverse_rest,
                 first = of.first * s.inverse_pivot - s.slope * second;
    const scalar y = choose(s.swapped, second, first), z = choose(s.swapped, first, second);
    return vec3_of((u.x - (wy * y + wz * z)) * s.inverse_normal, y, z);
}

/* Exact Coulomb friction: K* ∋ u + (μ‖u_T‖, 0, 0) ⟂ r ∈ K. Three cases: separation (r = 0, requires q_N ≥ 0),
 * sticking (u = 0), and sliding (u_N = 0, ‖r_T‖ = μ r_N, u_T = −λ r_T with λ > 0). The last two have u_N = 0
 * and u_T = −λ r_T in common, with λ = 0 for sticking.
 *
 * Write A = (a, wᵀ; w, T). u_N = 0 gives r_N = −(q_N + w·r_T)/a. Eliminating r_N, with the Schur complement S
 * = T − w wᵀ/a and s = q_T − w q_N/a, leaves one equation for λ:
 *
 *     (S + λ) r_T(λ) = −s,      ‖r_T(λ)‖ = μ r_N(λ).
 *
 * With v(λ) = (adj S + λ) s and D(λ) = det(S + λ) = λ² + λ trace S + det S, r_T = −v/D. With c = −μ q_N/a > 0
 * and k = μ w/a, the equation times D is
 *
 *     G(λ) = D (μ r_N − ‖r_T‖) = c D + k·v − ‖v‖ = 0.
 *
 * The contact sticks if G(0) ≥ 0, which says that −A⁻¹ q is in K. Otherwise, for any unit vector e, ‖v‖ ≥
 * e·v, so the quadratic G_e(λ) = c D + (k − e)·v opens upwards and is nowhere below G. If G_e(0) ≤ 0, G_e has
 * a root λ ≥ 0, and as G ≤ G_e = 0 there, it is not beyond G's root. Take next e = v/‖v‖ at that λ. There G_e
 * = G ≤ 0, so the next root is at λ or to its right. The roots thus increase monotonically to G's root
 * without a bracket. The convergence is quadratic because G_e touches G in value and slope (e is the gradient
 * of ‖v‖). One step is exact if v keeps its direction: for isotropic S, and for s along an axis of S, for any
 * w.
 *
 * The iterated variable is the direction e. It starts from v(0), for which G_e(0) = G(0) < 0, or from −r_T of
 * an earlier impulse if that has G_e(0) ≤ 0. A sweep makes one step from there: at the law's solution e is
 * exact, and e converges quadratically together with the other contacts. In piles of cubes one step from an
 * earlier impulse has an error below 1e-5 in nine contacts of ten and below 1e-3 in the others but one of
 * 100; two steps from v(0) are as good and take more operations.
 *
 * Roots are stored as quotients p/d: with middle = (c trace S + (k − e)·s)/2 and g = G_e(0) the larger root
 * is (root − middle)/c or, without cancellation if middle > 0, −g/(middle + root), root = √(middle² − c g).
 * v/‖v‖ at p/d is the direction of d v + p s. With r_T = −μ r_N e the row u_N = 0 gives r_N = −q_N/(a − μ
 * w·e), which is on the cone exactly and has u_N = 0 exactly, whatever the error of e. If the denominator
 * cancels (large μ‖w‖), that row determines r_N poorly, and ‖r_T‖/μ = ‖v‖/(μ D) is used instead.
 *
 * S is scaled to size 1, and s and c to ‖v(0)‖: products of four impulses would leave the range of a float
 * for grains of 0.1 mm. */
enum { COULOMB_STEPS = 24 }; /* at most 14 were needed in 4 · 10⁶ random blocks of condition numbers to 10⁶ */

/* Computes the part of the block's solution that does not depend on q. */
SHARED schur2 coulomb_prepared(symmetric3 m) {
    const scalar one = scalar_of(1);
    return schur2_of(m, one / choose(m.diagonal.x > 0, m.diagonal.x, one));
}

/* A block solved as if it stuck; `slides` marks those that do not. */
typedef struct stuck_block {
    vec3s r;
    scalar_mask pressed, slides;
} stuck_block;

/* Requires u = A r + q. */
SHARED stuck_block coulomb_stuck(symmetric3 m, schur2 s, vec3s r, vec3s u, scalar friction) {
    const scalar q = u.x - (m.diagonal.x * r.x + m.off_diagonal.z * r.y + m.off_diagonal.y * r.z);
    stuck_block of;
    of.r = glms_vec3_sub(r, schur2_solved(m, s, u));
    const scalar bound = friction * of.r.x;
    of.pressed = (q < 0) & (m.diagonal.x > 0);
    of.slides = of.pressed & ((of.r.y * of.r.y + of.r.z * of.r.z > bound * bound) | (of.r.x < 0));
    return of;
}

/* State of the iteration for e. v, s and c are in units of `unit` = ‖v(0)‖, a velocity because only S is
 * scaled. */
typedef struct slip_search {
    scalar unit, c, determinant;
    scalar free;    /* c det S + k·v = G_e(0) + e·v */
    scalar aligned; /* e·v */
    pair2 w, k, s, v, e;
    scalar p, d, length; /* of the last step; length: ‖d v + p s‖ */
} slip_search;

/* Starts from v(0). */
SHARED slip_search slip_begin(symmetric3 m, schur2 s, vec3s q, scalar friction) {
    const scalar one = scalar_of(1), pushed = q.x * s.inverse_normal;
    const scalar wy = m.off_diagonal.z, wz = m.off_diagonal.y;
    slip_search of;
    of.w = schur2_pair(s, wy, wz), of.k = pair2_scale(of.w, friction * s.inverse_normal);
    of.s = schur2_pair(s, q.y - wy * pushed, q.z - wz * pushed);
    of.v = schur2_adjugate_times(s, of.s);
    const scalar size = scalar_sqrt(pair2_dot(of.v, of.v));
    of.unit = choose(size > 0, size, one);
    const scalar inverse = one / of.unit;
    of.s = pair2_scale(of.s, inverse), of.e = of.v = pair2_scale(of.v, inverse);
    of.c = -friction * pushed * (inverse * s.size), of.determinant = s.pivot * s.rest;
    of.free = of.c * of.determinant + pair2_dot(of.k, of.v);
    of.aligned = of.length = of.d = one, of.p = scalar_of(0);
    return of;
}

/* Starts from −r_T where that is not beyond the root. Smaller impulses have no exact square. */
SHARED slip_search slip_resumed(slip_search of, schur2 s, vec3s r) {
    const pair2 before = schur2_pair(s, r.y, r.z);
    const scalar square = pair2_dot(before, before);
    const scalar_mask some = square > 1e-30f;
    const pair2 e = pair2_scale(before, -1 / scalar_sqrt(choose(some, square, scalar_of(1))));
    const scalar aligned = pair2_dot(e, of.v);
    const scalar_mask starts = some & (aligned >= of.free);
    of.e.first = choose(starts, e.first, of.e.first), of.e.second = choose(starts, e.second, of.e.second);
    of.aligned = choose(starts, aligned, of.aligned);
    return of;
}

/* Makes one step of the iteration. */
SHARED slip_search slip_turned(slip_search of, schur2 s) {
    const scalar zero = scalar_of(0), one = scalar_of(1);
    const scalar f1 = of.k.first - of.e.first, f2 = of.k.second - of.e.second;
    const scalar middle = (of.c * s.trace + (f1 * of.s.first + f2 * of.s.second)) / 2;
    const scalar g = of.free - of.aligned;
    const scalar root = scalar_sqrt(scalar_max(middle * middle - of.c * g, zero));
    const scalar_mask right = middle > 0;
    of.p = scalar_max(choose(right, -g, root - middle), zero);
    of.d = choose(right, middle + root, of.c);
    pair2 n;
    n.first = of.d * of.v.first + of.p * of.s.first, n.second = of.d * of.v.second + of.p * of.s.second;
    of.length = scalar_sqrt(pair2_dot(n, n));
    of.e = pair2_scale(n, one / choose(of.length > 0, of.length, one));
    of.aligned = pair2_dot(of.e, of.v);
    return of;
}

/* Returns the impulse of the final e. */
SHARED vec3s slip_solved(slip_search of, symmetric3 m, schur2 s, scalar q, scalar friction,
                         scalar_mask slides) {
    const scalar along = m.diagonal.x - friction * pair2_dot(of.w, of.e);
    const scalar_mask poor = slides & (along <= m.diagonal.x * 0.01f);
    scalar normal = -q / choose(poor, scalar_of(1), along);
    if (any_lane(poor)) {
        const scalar divisor = of.p * of.p + of.d * (s.trace * of.p + of.determinant * of.d);
        normal = choose(poor,
                        of.unit * (of.d * of.length) /
                            (s.size * divisor * choose(friction > 0, friction, scalar_of(1))),
                        normal);
    }
    const pair2 t = pair2_scale(of.e, -friction * normal);
    return vec3_of(normal, choose(s.swapped, t.second, t.first), choose(s.swapped, t.first, t.second));
}

/* Returns the impulse where G(0) < 0, else that of a stuck block: near the cone's surface rounding may put
 * −A⁻¹ q on the other side. */
SHARED stuck_block stuck_unless(stuck_block of, slip_search search, vec3s slid) {
    of.r = vec3_choose(of.slides & (search.free < 1), slid, of.r);
    return of;
}

SHARED vec3s stuck_impulse(stuck_block of) { return vec3_choose(of.pressed, of.r, glms_vec3_zero()); }

/* Lets blocks slide by one step from r. */
SHARED stuck_block coulomb_slid(stuck_block of, symmetric3 m, schur2 s, vec3s r, vec3s u, scalar friction) {
    const vec3s q = glms_vec3_sub(u, symmetric_times(m, r));
    const slip_search search = slip_turned(slip_resumed(slip_begin(m, s, q, friction), s, r), s);
    return stuck_unless(of, search, slip_solved(search, m, s, q.x, friction, of.slides));
}

/* Returns the block's new impulse in a sweep, from its impulse r and its velocity u. */
SHARED vec3s coulomb_swept(symmetric3 m, schur2 s, vec3s r, vec3s u, scalar friction) {
    stuck_block of = coulomb_stuck(m, s, r, u, friction);
    if (any_lane(of.slides)) of = coulomb_slid(of, m, s, r, u, friction);
    return stuck_impulse(of);
}

/* Makes a step in the blocks that have not converged, and unmarks those that do. The convergence is
 * quadratic: the remaining error is about the square of the change. */
SHARED slip_search slip_improved(slip_search of, schur2 s, scalar_mask *todo) {
    const slip_search next = slip_turned(of, s);
    const scalar change1 = next.e.first - of.e.first, change2 = next.e.second - of.e.second;
    of.p = choose(*todo, next.p, of.p), of.d = choose(*todo, next.d, of.d);
    of.length = choose(*todo, next.length, of.length), of.aligned = choose(*todo, next.aligned, of.aligned);
    of.e.first = choose(*todo, next.e.first, of.e.first);
    of.e.second = choose(*todo, next.e.second, of.e.second);
    *todo = *todo & (change1 * change1 + change2 * change2 > SCALAR_EPSILON * 1e-3f);
    return of;
}

/* Solves the block to rounding. */
SHARED vec3s coulomb_solve_prepared(symmetric3 m, schur2 s, vec3s q, scalar friction) {
    const stuck_block stuck = coulomb_stuck(m, s, glms_vec3_zero(), q, friction);
    if (!any_lane(stuck.slides)) return stuck_impulse(stuck);
    scalar_mask todo = stuck.slides;
    slip_search of = slip_begin(m, s, q, friction);
    for (int step = 0; step < COULOMB_STEPS && any_lane(todo); step++) of = slip_improved(of, s, &todo);
    return stuck_impulse(stuck_unless(stuck, of, slip_solved(of, m, s, q.x, friction, stuck.slides)));
}

SHARED vec3s coulomb_solve(symmetric3 m, vec3s q, scalar friction) {
    return coulomb_solve_prepared(m, coulomb_prepared(m), q, friction);
}

/* A candidate solution of the pyramid, and its largest violation of the law's inequalities as a velocity. */
typedef struct pyramid_case {
    vec3s r;
    scalar violation;
} pyramid_case;

/* Solves the pyramid's block with u_N = 0 and each tangential row either free (side 0: u_i = 0) or at a bound
 * (side ±1: r_i = ±μ r_N). */
SHARED pyramid_case pyramid_case_of(symmetric3 m, vec3s q, scalar friction, int side_y, int side_z) {
    const scalar a = m.diagonal.x, by = friction * (float)side_y, bz = friction * (float)side_z;
    const scalar wy = m.off_diagonal.z, wz = m.off_diagonal.y, b = m.off_diagonal.x;
    const scalar dy = m.diagonal.y, dz = m.diagonal.z;
    pyramid_case result;
    scalar n, y, z;
    if (side_y && side_z) {
        n = -q.x / (a + by * wy + bz * wz);
        y = by * n, z = bz * n;
    } else if (side_y) {
        /* Rows N and T₂ for (r_N, r_z), r_y = by r_N. */
        const scalar nn = a + by * wy, zn = wz + by * b, det = nn * dz - wz * zn;
        n = (-q.x * dz + q.z * wz) / det, z = (-q.z * nn + q.x * zn) / det;
        y = by * n;
    } else if (side_z) {
        const scalar nn = a + bz * wz, yn = wy + bz * b, det = nn * dy - wy * yn;
        n = (-q.x * dy + q.y * wy) / det, y = (-q.y * nn + q.x * yn) / det;
        z = bz * n;
    } else {
        /* All rows: eliminate N, then the 2×2 Schur complement. */
        const scalar yy = dy - wy * wy / a, zz = dz - wz * wz / a, yz = b - wy * wz / a;
        const scalar sy = q.y - wy * q.x / a, sz = q.z - wz * q.x / a, det = yy * zz - yz * yz;
        y = (-sy * zz + sz * yz) / det, z = (-sz * yy + sy * yz) / det;
        n = -(q.x + wy * y + wz * z) / a;
    }
    result.r = vec3_of(n, y, z);
    const vec3s u = glms_vec3_add(symmetric_times(m, result.r), q);
    const scalar bound = friction * n;
    result.violation = scalar_max(-n * a, scalar_of(0));
    result.violation =
        scalar_max(result.violation, side_y ? u.y * (float)side_y : (scalar_abs(y) - bound) * dy);
    result.violation =
        scalar_max(result.violation, side_z ? u.z * (float)side_z : (scalar_abs(z) - bound) * dz);
    return result;
}

/* Solves the pyramid by enumeration: separation, or the best of the nine cases of its tangential rows,
 * starting with both free. */
SELDOM vec3s pyramid_solve(symmetric3 m, vec3s q, scalar friction) {
    const scalar zero = scalar_of(0);
    const scalar_mask pressed = (q.x < 0) & (m.diagonal.x > 0), rough = pressed & (friction > 0);
    pyramid_case best = pyramid_case_of(m, q, friction, 0, 0);
    scalar_mask done = best.violation <= 0;
    for (int i = 1; i < 9 && any_lane(rough & (done == 0)); i++) {
        const pyramid_case next = pyramid_case_of(m, q, friction, (i + 1) % 3 - 1, (i / 3 + 1) % 3 - 1);
        /* NaN (a singular case) fails the comparison and is replaced. */
        const scalar_mask stays = done | (best.violation <= next.violation);
        best.r = vec3_choose(stays, best.r, next.r);
        best.violation = choose(stays, best.violation, next.violation);
        done = best.violation <= 0;
    }
    const vec3s smooth = vec3_of(-q.x / choose(pressed, m.diagonal.x, scalar_of(1)), zero, zero);
    return vec3_choose(rough, pyramid_clamp(best.r, friction),
                       vec3_choose(pressed, smooth, glms_vec3_zero()));
}

/* Returns x = −A⁻¹ q: eliminates the normal row, then the larger pivot of the Schur complement. Directions in
 * which nothing can move get 0. */
SHARED vec3s free_solve(symmetric3 m, vec3s q) {
    const scalar a = m.diagonal.x, wy = m.off_diagonal.z, wz = m.off_diagonal.y;
    const scalar zero = scalar_of(0), one = scalar_of(1);
    const scalar_mask moves = a > 0;
    const scalar inverse = one / choose(moves, a, one);
    const scalar yy = m.diagonal.y - wy * wy * inverse, zz = m.diagonal.z - wz * wz * inverse,
                 yz = m.off_diagonal.x - wy * wz * inverse;
    const scalar sy = q.y - wy * q.x * inverse, sz = q.z - wz * q.x * inverse;
    const scalar_mask swap = zz > yy;
    const scalar pivot = choose(swap, zz, yy), first = choose(swap, sz, sy), second = choose(swap, sy, sz);
    const scalar_mask turns = pivot > 0;
    const scalar inverse_pivot = one / choose(turns, pivot, one), factor = yz * inverse_pivot;
    const scalar rest = choose(swap, yy, zz) - factor * yz;
    const scalar_mask both = rest > SCALAR_EPSILON * pivot;
    const scalar x2 = choose(turns & both, -(second - factor * first) / choose(both, rest, one), zero);
    const scalar x1 = choose(turns, -(first + yz * x2) * inverse_pivot, zero);
    const scalar y = choose(swap, x2, x1), z = choose(swap, x1, x2);
    return vec3_choose(moves, vec3_of(-(q.x + wy * y + wz * z) * inverse, y, z), glms_vec3_zero());
}

#if SCREE_WIDTH == 1
/* Returns the block with a small mobility in a tangent in which nothing can move, for the sliding case. The
 * impulse along that tangent has no effect. */
SHARED symmetric3 associated_floored(symmetric3 m) {
    const scalar least = (scalar)0.3 * scalar_sqrt(SCALAR_EPSILON) * symmetric_trace(m);
    m.diagonal.y = scalar_max(m.diagonal.y, least);
    m.diagonal.z = scalar_max(m.diagonal.z, least);
    return m;
}

/* Solution of a case that needs no iteration; `found` is 0 for the others. */
typedef struct law_case {
    vec3s r;
    int found;
} law_case;

/* Solves the convex law's cases other than sliding: separation if q is in K*, sticking if −A⁻¹ q is in K. */
SHARED law_case associated_case(symmetric3 m, vec3s q, scalar friction) {
    law_case result;
    result.r = glms_vec3_zero(), result.found = 1;
    if (!(m.diagonal.x > 0)) return result;
    if (!(friction > 0)) {
        result.r = vec3_of(scalar_max(-q.x / m.diagonal.x, 0), 0, 0);
        return result;
    }
    if (q.x >= friction * scalar_sqrt(q.y * q.y + q.z * q.z)) return result;
    result.r = free_solve(m, q);
    result.found =
        result.r.y * result.r.y + result.r.z * result.r.z <= friction * friction * result.r.x * result.r.x &&
        result.r.x > 0;
    return result;
}

/* Solves the convex law K* ∋ A r + q ⟂ r ∈ K: separation, sticking, or on the cone's surface. */
SHARED vec3s associated_solve(symmetric3 m, vec3s q, scalar friction) {
    const law_case simple = associated_case(m, q, friction);
    if (simple.found) return simple.r;
    const symmetric3 floored = associated_floored(m);
    return associated_slide(floored, cone_modes_of(floored, friction), q, friction);
}

#else
/* The convex law is only solved one block at a time. NaN exposes a wide sweep that uses it by mistake. */
SHARED vec3s associated_solve(symmetric3 m, vec3s q, scalar friction) {
    (void)m, (void)q, (void)friction;
    return vec3_of(scalar_of(NAN), scalar_of(NAN), scalar_of(NAN));
}
#endif

/* Solves the convex law for A = diag(a, t, t), k = t/a, from x = −A⁻¹ q: the projection on K in the metric A.
 * In the coordinates (√a x_N, √t x_T) this is the Euclidean projection on a cone of friction μ √k. */
SHARED vec3s associated_solve_isotropic(vec3s x, scalar friction, scalar k) {
    const scalar t = scalar_sqrt(x.y * x.y + x.z * x.z), zero = scalar_of(0);
    const scalar normal = (friction * k * t + x.x) / (1 + friction * friction * k);
    const scalar factor = choose(t > 0, friction * normal / choose(t > 0, t, scalar_of(1)), zero);
    const vec3s surface = vec3_of(normal, factor * x.y, factor * x.z);
    return vec3_choose(friction * k * t <= -x.x, glms_vec3_zero(),
                       vec3_choose(t <= friction * x.x, x, surface));
}

/* Solves the radial rule. Without friction it is the frictionless law, with zero tangential impulses. */
SELDOM vec3s radial_solve(symmetric3 m, vec3s q, scalar friction) {
    const scalar zero = scalar_of(0);
    const scalar_mask moves = m.diagonal.x > 0;
    const scalar smooth = scalar_max(-q.x / choose(moves, m.diagonal.x, scalar_of(1)), zero);
    const vec3s r =
        vec3_choose(friction > 0, radial_clamp(free_solve(m, q), friction), vec3_of(smooth, zero, zero));
    return vec3_choose(moves, r, glms_vec3_zero());
}

/* NAME_solve_isotropic: closed-form solution for A = diag(a, t, t), k = t/a, from x = −A⁻¹ q. u_N = 0 gives
 * r_N = x_N. Under Coulomb's law the opposed slip reduces r_T along x_T, which is also the radial rule. The
 * pyramid's rows couple through the bound only. */
SHARED vec3s coulomb_solve_isotropic(vec3s x, scalar friction, scalar k) {
    (void)k;
    return radial_clamp(x, friction);
}

SHARED vec3s radial_solve_isotropic(vec3s x, scalar friction, scalar k) {
    (void)k;
    return radial_clamp(x, friction);
}

SHARED vec3s pyramid_solve_isotropic(vec3s x, scalar friction, scalar k) {
    (void)k;
    return pyramid_clamp(x, friction);
}

/* NAME_admissible: r projected or clamped to the law's admissible set. */
SHARED vec3s coulomb_admissible(vec3s r, scalar friction) { return cone_projection(r, friction); }
SHARED vec3s associated_admissible(vec3s r, scalar friction) { return cone_projection(r, friction); }
SHARED vec3s pyramid_admissible(vec3s r, scalar friction) { return pyramid_clamp(r, friction); }
SHARED vec3s radial_admissible(vec3s r, scalar friction) { return radial_clamp(r, friction); }

/* NAME_natural_map: F = r − P(r − ρ û), which is zero at the law's solutions. For Coulomb û = u + (μ‖u_T‖, 0,
 * 0), and P projects on the cone. */
SHARED vec3s coulomb_natural_map(symmetric3 m, vec3s r, vec3s u, scalar friction, scalar rho) {
    (void)m;
    const vec3s x = glms_vec3_sub(r, glms_vec3_scale(u, rho));
    const scalar shift = friction * scalar_sqrt(u.y * u.y + u.z * u.z);
    return glms_vec3_sub(r, cone_projection(vec3_of(x.x - rho * shift, x.y, x.z), friction));
}

/* For the convex law û = u, and P projects on the cone. */
SHARED vec3s associated_natural_map(symmetric3 m, vec3s r, vec3s u, scalar friction, scalar rho) {
    (void)m;
    return glms_vec3_sub(r, cone_projection(glms_vec3_sub(r, glms_vec3_scale(u, rho)), friction));
}

/* For the pyramid û = u, and P projects on the box |x_T,i| ≤ μ r_N. */
SHARED vec3s pyramid_natural_map(symmetric3 m, vec3s r, vec3s u, scalar friction, scalar rho) {
    (void)m;
    const vec3s x = glms_vec3_sub(r, glms_vec3_scale(u, rho));
    const scalar bound = friction * scalar_max(r.x, scalar_of(0));
    return glms_vec3_sub(r, vec3_of(scalar_max(x.x, scalar_of(0)), scalar_clamp(x.y, -bound, bound),
                                    scalar_clamp(x.z, -bound, bound)));
}

/* The radial rule is not a projection in a fixed metric. Its map is F = r − Π(r − A⁻¹ u), zero at fixed
 * points; without friction it is Coulomb's. */
SHARED vec3s radial_natural_map(symmetric3 m, vec3s r, vec3s u, scalar friction, scalar rho) {
    const vec3s returned = glms_vec3_sub(r, radial_clamp(glms_vec3_add(r, free_solve(m, u)), friction));
    return vec3_choose(friction > 0, returned, coulomb_natural_map(m, r, u, friction, rho));
}

/* Dispatch by the number of the law. */
SHARED vec3s law_solve_isotropic(int law, vec3s x, scalar friction, scalar k) {
#define ROW(KIND, name)                                                                                      \
    if (law == LAW_##KIND) return name##_solve_isotropic(x, friction, k);
    LAW_KINDS(ROW)
#undef ROW
    return glms_vec3_zero();
}

SHARED vec3s law_solve(int law, symmetric3 m, vec3s q, scalar friction) {
#define ROW(KIND, name)                                                                                      \
    if (law == LAW_##KIND) return name##_solve(m, q, friction);
    LAW_KINDS(ROW)
#undef ROW
    return glms_vec3_zero();
}

SHARED vec3s law_admissible(int law, vec3s r, scalar friction) {
#define ROW(KIND, name)                                                                                      \
    if (law == LAW_##KIND) return name##_admissible(r, friction);
    LAW_KINDS(ROW)
#undef ROW
    return glms_vec3_zero();
}

SHARED vec3s law_natural_map(int law, symmetric3 m, vec3s r, vec3s u, scalar friction, scalar rho) {
#define ROW(KIND, name)                                                                                      \
    if (law == LAW_##KIND) return name##_natural_map(m, r, u, friction, rho);
    LAW_KINDS(ROW)
#undef ROW
    return glms_vec3_zero();
}

/* Computes the part of a law's solution that is reused when a block is solved repeatedly; only Coulomb's law
 * has one. */
SHARED schur2 law_prepared(int law, symmetric3 m) {
    schur2 none;
    if (law == LAW_COULOMB) return coulomb_prepared(m);
    none.inverse_normal = none.slope = none.inverse_pivot = none.inverse_rest = scalar_of(0);
    none.size = none.pivot = none.rest = none.trace = scalar_of(0);
    none.swapped = scalar_of(0) > 0;
    return none;
}

/* Returns the block's new impulse in a sweep, from its impulse r and its velocity u = A r + q. */
SHARED vec3s law_swept(int law, symmetric3 m, schur2 prepared, vec3s r, vec3s u, scalar friction) {
    return law == LAW_COULOMB ? coulomb_swept(m, prepared, r, u, friction)
                              : law_solve(law, m, glms_vec3_sub(u, symmetric_times(m, r)), friction);
}

#endif
