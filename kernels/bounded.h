/* Three rows with independent bounds: low ≤ r ≤ high; u = 0 inside, u ≥ 0 at low, u ≤ 0 at high. Used for
 * joints, limits and motors. The solution is the minimum of ½ rᵀA r + qᵀr over the box. */
#ifndef SCREE_KERNELS_BOUNDED_H
#define SCREE_KERNELS_BOUNDED_H

#include "law.h"

typedef struct bounded_box {
    vec3s low, high; /* N s; values beyond ±1e30 mean no bound */
} bounded_box;

SHARED vec3s bounded_clamp(vec3s r, bounded_box box) {
    return vec3_of(scalar_clamp(r.x, box.low.x, box.high.x), scalar_clamp(r.y, box.low.y, box.high.y),
                   scalar_clamp(r.z, box.low.z, box.high.z));
}

/* Returns x = −A⁻¹ q for a semidefinite A whose first diagonal entry is the largest. Directions in which
 * nothing can move and redundant rows get 0: their remainder after elimination is rounding, relative to their
 * own entry or, if e·A e is 0 except for the rounding of e, relative to the trace. */
SHARED vec3s pivoted_solve(symmetric3 m, vec3s q) {
    const scalar a = m.diagonal.x, wy = m.off_diagonal.z, wz = m.off_diagonal.y;
    const scalar own = 16 * SCALAR_EPSILON, floor = (scalar)0.01 * SCALAR_EPSILON * a;
    if (!(a > 0)) return glms_vec3_zero();
    const scalar yy = m.diagonal.y - wy * wy / a, zz = m.diagonal.z - wz * wz / a,
                 yz = m.off_diagonal.x - wy * wz / a, sy = q.y - wy * q.x / a, sz = q.z - wz * q.x / a;
    const scalar_mask swap = zz > yy;
    const scalar pivot = choose(swap, zz, yy), first = choose(swap, sz, sy), second = choose(swap, sy, sz);
    const scalar least = scalar_max(own * choose(swap, m.diagonal.z, m.diagonal.y), floor),
                 least_rest = scalar_max(own * choose(swap, m.diagonal.y, m.diagonal.z), floor);
    scalar x1 = 0, x2 = 0;
    if (pivot > least) {
        const scalar factor = yz / pivot, rest = choose(swap, yy, zz) - factor * yz;
        if (rest > least_rest) x2 = -(second - factor * first) / rest;
        x1 = -(first + yz * x2) / pivot;
    }
    const scalar y = choose(swap, x2, x1), z = choose(swap, x1, x2);
    return vec3_of(-(q.x + wy * y + wz * z) / a, y, z);
}

/* Does the same for any order of the diagonal entries. */
SHARED vec3s semidefinite_solve(symmetric3 m, vec3s q) {
    const vec3s d = m.diagonal, o = m.off_diagonal;
    if (d.x >= d.y && d.x >= d.z) return pivoted_solve(m, q);
    if (d.y >= d.z) {
        const vec3s x = pivoted_solve(symmetric_of(vec3_of(d.y, d.x, d.z), vec3_of(o.y, o.x, o.z)),
                                      vec3_of(q.y, q.x, q.z));
        return vec3_of(x.y, x.x, x.z);
    }
    const vec3s x =
        pivoted_solve(symmetric_of(vec3_of(d.z, d.y, d.x), vec3_of(o.z, o.y, o.x)), vec3_of(q.z, q.y, q.x));
    return vec3_of(x.z, x.y, x.x);
}

/* A candidate solution, and its largest violation of the inequalities as a velocity. */
typedef struct bounded_case {
    vec3s r;
    scalar violation;
} bounded_case;

/* Returns the violation of row i on its side (−1: at low, 0: free, 1: at high). A row with a prescribed
 * impulse has none. */
SHARED scalar bounded_violation(int side, scalar r, scalar u, scalar low, scalar high, scalar mobility) {
    if (low == high) return 0;
    if (side < 0) return -u;
    if (side > 0) return u;
    const scalar excess = scalar_max(low - r, r - high);
    return excess > 0 ? excess * mobility : excess;
}

/* Solves with each row on the given side. Rows at a bound are replaced by (trace) r = (trace) bound. */
SHARED bounded_case bounded_case_of(symmetric3 m, vec3s q, bounded_box box, int x, int y, int z) {
    const scalar size = symmetric_trace(m);
    const vec3s fixed = vec3_of(x < 0   ? box.low.x
                                : x > 0 ? box.high.x
                                        : 0,
                                y < 0   ? box.low.y
                                : y > 0 ? box.high.y
                                        : 0,
                                z < 0   ? box.low.z
                                : z > 0 ? box.high.z
                                        : 0);
    const vec3s pushed = glms_vec3_add(q, symmetric_times(m, fixed));
    const symmetric3 rest = symmetric_of(
        vec3_of(x ? size : m.diagonal.x, y ? size : m.diagonal.y, z ? size : m.diagonal.z),
        vec3_of(y || z ? 0 : m.off_diagonal.x, x || z ? 0 : m.off_diagonal.y, x || y ? 0 : m.off_diagonal.z));
    bounded_case result;
    result.r =
        semidefinite_solve(rest, vec3_of(x ? -size * fixed.x : pushed.x, y ? -size * fixed.y : pushed.y,
                                         z ? -size * fixed.z : pushed.z));
    /* Set bounds exactly. */
    if (x) result.r.x = fixed.x;
    if (y) result.r.y = fixed.y;
    if (z) result.r.z = fixed.z;
    const vec3s u = glms_vec3_add(symmetric_times(m, result.r), q);
    result.violation = bounded_violation(x, result.r.x, u.x, box.low.x, box.high.x, m.diagonal.x);
    result.violation = scalar_max(result.violation,
                                  bounded_violation(y, result.r.y, u.y, box.low.y, box.high.y, m.diagonal.y));
    result.violation = scalar_max(result.violation,
                                  bounded_violation(z, result.r.z, u.z, box.low.z, box.high.z, m.diagonal.z));
    return result;
}

/* Returns whether a row can be on a side: a bound must exist, and a row with equal bounds is never free. */
SHARED int bounded_possible(int side, scalar low, scalar high) {
    if (low == high) return side > 0;
    return side == 0 || scalar_abs(side < 0 ? low : high) < (scalar)1e30;
}

/* Solves by enumeration of the 27 cases, starting with all rows free that can be. */
SHARED vec3s bounded_solve(symmetric3 m, vec3s q, bounded_box box) {
    bounded_case best =
        bounded_case_of(m, q, box, box.low.x == box.high.x, box.low.y == box.high.y, box.low.z == box.high.z);
    for (int i = 0; i < 27; i++) {
        /* NaN (a singular case) fails the comparison and is replaced. */
        if (best.violation <= 0) break;
        const int x = (i + 1) % 3 - 1, y = (i / 3 + 1) % 3 - 1, z = (i / 9 + 1) % 3 - 1;
        if (!bounded_possible(x, box.low.x, box.high.x) || !bounded_possible(y, box.low.y, box.high.y) ||
            !bounded_possible(z, box.low.z, box.high.z))
            continue;
        const bounded_case next = bounded_case_of(m, q, box, x, y, z);
        if (!(best.violation <= next.violation)) best = next;
    }
    return bounded_clamp(best.r, box);
}

/* Returns F = r − P(r − ρ u), which is zero at solutions. */
SHARED vec3s bounded_natural_map(vec3s r, vec3s u, bounded_box box, scalar rho) {
    return glms_vec3_sub(r, bounded_clamp(glms_vec3_sub(r, glms_vec3_scale(u, rho)), box));
}

#endif
