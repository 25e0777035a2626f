/* The friction laws of one block: u = A r + q with A symmetric positive definite, r and u in the frame (n,
 * t₁, t₂). Numbers of the laws as in scree_law. */
#ifndef SCREE_KERNELS_LAW_H
#define SCREE_KERNELS_LAW_H

#include "associated.h"

enum { LAW_COULOMB = 0, LAW_PYRAMID = 1, LAW_ASSOCIATED = 2, LAW_RADIAL = 3 };

/* The Euclidean projection on K = { ‖r_T‖ ≤ μ r_N }: 0 where x is in the polar cone, μ‖x_T‖ ≤ −x_N; x inside;
 * else the point of the cone's surface y_N = (μ‖x_T‖ + x_N)/(1 + μ²), y_T = μ y_N x_T/‖x_T‖. */
SHARED vec3s cone_projection(vec3s x, scalar friction) {
    const scalar t = scalar_sqrt(x.y * x.y + x.z * x.z);
    if (friction * t <= -x.x) return glms_vec3_zero();
    if (t <= friction * x.x) return x;
    const scalar normal = (friction * t + x.x) / (1 + friction * friction);
    const scalar factor = t > 0 ? friction * normal / t : 0;
    return vec3_of(normal, factor * x.y, factor * x.z);
}

/* r_N ≥ 0, |r_T,i| ≤ μ r_N: clamped in that order. */
SHARED vec3s pyramid_clamp(vec3s x, scalar friction) {
    const scalar normal = scalar_max(x.x, 0), bound = friction * normal;
    return vec3_of(normal, scalar_clamp(x.y, -bound, bound), scalar_clamp(x.z, -bound, bound));
}

/* x_N clamped at 0, and ‖x_T‖ cut back to μ x_N. */
SHARED vec3s radial_clamp(vec3s x, scalar friction) {
    if (!(x.x > 0)) return glms_vec3_zero();
    const scalar bound = friction * x.x, square = x.y * x.y + x.z * x.z;
    if (square <= bound * bound) return x;
    const scalar factor = bound / scalar_sqrt(square);
    return vec3_of(x.x, factor * x.y, factor * x.z);
}

/* The eigenvalues of a symmetric 2×2 matrix (a, b; b, c) and the unit eigenvector (x, y) of the first; the
 * second is (−y, x). */
typedef struct eigen2 {
    scalar first, second, x, y;
} eigen2;

/* With d = (a − c)/2 and e = √(d² + b²) the eigenvalues are (a + c)/2 ± e, the first one the larger; its
 * eigenvector is (b, e − d) or (e + d, b), whichever does not cancel. */
SHARED eigen2 eigen2_of(scalar a, scalar b, scalar c) {
    const scalar mean = (a + c) / 2, d = (a - c) / 2, e = scalar_sqrt(d * d + b * b);
    eigen2 result;
    result.first = mean + e;
    result.second = scalar_max(mean - e, 0);
    result.x = d > 0 ? e + d : b;
    result.y = d > 0 ? b : e - d;
    const scalar norm = scalar_sqrt(result.x * result.x + result.y * result.y);
    result.x = norm > 0 ? result.x / norm : 1;
    result.y = norm > 0 ? result.y / norm : 0;
    return result;
}

/* Exact Coulomb friction: K* ∋ u + (μ‖u_T‖, 0, 0) ⟂ r ∈ K. Three cases: apart (r = 0, which needs q_N ≥ 0),
 * sticking (u = 0), and sliding: u_N = 0, ‖r_T‖ = μ r_N, u_T = −λ r_T with λ > 0. Both of the last two have
 * u_N = 0 and u_T = −λ r_T, λ = 0 for sticking.
 *
 * Write A = (a, wᵀ; w, T). u_N = 0 gives r_N = −(q_N + w·r_T)/a; eliminating it, with the Schur complement S
 * = T − w wᵀ/a and s = q_T − w q_N/a,
 *
 *     (S + λ) r_T(λ) = −s,      ‖r_T(λ)‖ = μ r_N(λ):   one equation for λ.
 *
 * In S's eigenbasis r_T,i = −s_i/(σ_i + λ). Let f(λ) = ‖r_T‖ − μ r_N. If f(0) ≤ 0 the contact sticks.
 * Otherwise f is positive at 0 and, as ‖r_T‖ ≤ ‖s‖/λ and r_N ≥ (−q_N − ‖w‖‖r_T‖)/a, not positive at λ = ‖s‖
 * (a + μ‖w‖)/(−μ q_N): a bracket. Newton acts on 1/‖r_T‖ − 1/(μ r_N), which is linear in λ when w = 0 and σ₁
 * = σ₂ (spheres: one iteration); bisection where it leaves the bracket. Elimination without pivoting is
 * backward stable for positive definite A, so the statement holds to round-off of A itself. */
SHARED eigen2 coulomb_modes_of(symmetric3 m) {
    const scalar a = m.diagonal.x, wy = m.off_diagonal.z, wz = m.off_diagonal.y;
    return eigen2_of(m.diagonal.y - wy * wy / a, m.off_diagonal.x - wy * wz / a, m.diagonal.z - wz * wz / a);
}

/* With S's eigenvalues and eigenvectors e, where μ > 0, a > 0 and q_N < 0. */
SHARED vec3s coulomb_slide(symmetric3 m, eigen2 e, vec3s q, scalar friction) {
    const scalar a = m.diagonal.x, wy = m.off_diagonal.z, wz = m.off_diagonal.y;
    const scalar sy = q.y - wy * q.x / a, sz = q.z - wz * q.x / a;
    const scalar s1 = e.x * sy + e.y * sz, s2 = e.x * sz - e.y * sy;
    const scalar w1 = e.x * wy + e.y * wz, w2 = e.x * wz - e.y * wy;
    const scalar s_size = scalar_sqrt(s1 * s1 + s2 * s2);
    if (!(s_size > 0) || !(e.first > 0)) return vec3_of(-q.x / a, 0, 0);
    /* Along a direction without mobility (a planar scene's third axis) σ is rounding, and so is s: their
     * quotient stays bounded. */
    const scalar least = SCALAR_EPSILON * e.first;
    scalar low = 0, high = s_size * (a + friction * scalar_sqrt(w1 * w1 + w2 * w2)) / (-friction * q.x);
    scalar lambda = 0, r1 = 0, r2 = 0, size = 0, normal = 0;
    for (int iteration = 0; iteration < 50; iteration++) {
        const scalar d1 = e.first + lambda, d2 = scalar_max(e.second, least) + lambda;
        r1 = -s1 / d1, r2 = -s2 / d2;
        size = scalar_sqrt(r1 * r1 + r2 * r2);
        normal = -(q.x + w1 * r1 + w2 * r2) / a;
        const scalar bound = friction * normal, f = size - bound;
        if (iteration == 0 && f <= 0) return vec3_of(normal, e.x * r1 - e.y * r2, e.y * r1 + e.x * r2);
        if (f > 0)
            low = lambda;
        else
            high = lambda;
        if (scalar_abs(f) <= 8 * SCALAR_EPSILON * size || !(high - low > SCALAR_EPSILON * high)) break;
        if (iteration == 0) {
            /* The root for w = 0 and σ₁ = σ₂ = their mean. */
            lambda = s_size * a / (-friction * q.x) - (e.first + e.second) / 2;
        } else if (bound > 0) {
            /* d‖r_T‖/dλ = −Σ r_i²/(σ_i + λ)/‖r_T‖,  dr_N/dλ = Σ w_i r_i/(σ_i + λ)/a. */
            const scalar slope = -(r1 * r1 / d1 + r2 * r2 / d2) / size;
            const scalar normal_slope = (w1 * r1 / d1 + w2 * r2 / d2) / a;
            const scalar g = 1 / size - 1 / bound;
            lambda = lambda - g / (-slope / (size * size) + friction * normal_slope / (bound * bound));
        } else {
            lambda = low;
        }
        if (!(lambda > low && lambda < high)) lambda = (low + high) / 2;
    }
    if (!(normal > 0)) return glms_vec3_zero();
    /* On the cone exactly, whatever rounding is left in λ. */
    const scalar factor = size > 0 ? friction * normal / size : 0;
    r1 *= factor, r2 *= factor;
    return vec3_of(normal, e.x * r1 - e.y * r2, e.y * r1 + e.x * r2);
}

SHARED vec3s coulomb_solve(symmetric3 m, vec3s q, scalar friction) {
    if (!(q.x < 0) || !(m.diagonal.x > 0)) return glms_vec3_zero();
    if (!(friction > 0)) return vec3_of(-q.x / m.diagonal.x, 0, 0);
    return coulomb_slide(m, coulomb_modes_of(m), q, friction);
}

/* A candidate solution of the pyramid and by how much it misses the law's inequalities, as a velocity. */
typedef struct pyramid_case {
    vec3s r;
    scalar violation;
} pyramid_case;

/* The pyramid's block with u_N = 0 and each tangential row either free (side 0: u_i = 0) or at a bound (side
 * ±1: r_i = ±μ r_N). */
SHARED pyramid_case pyramid_case_of(symmetric3 m, vec3s q, scalar friction, int side_y, int side_z) {
    const scalar a = m.diagonal.x, by = side_y * friction, bz = side_z * friction;
    const scalar wy = m.off_diagonal.z, wz = m.off_diagonal.y, b = m.off_diagonal.x;
    const scalar dy = m.diagonal.y, dz = m.diagonal.z;
    pyramid_case result;
    scalar n = 0, y = 0, z = 0;
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
    result.violation = scalar_max(-n * a, 0);
    result.violation = scalar_max(result.violation, side_y ? side_y * u.y : (scalar_abs(y) - bound) * dy);
    result.violation = scalar_max(result.violation, side_z ? side_z * u.z : (scalar_abs(z) - bound) * dz);
    return result;
}

/* The pyramid by enumeration: apart, or the best of the nine cases of its tangential rows, free ones first.
 */
SHARED vec3s pyramid_solve(symmetric3 m, vec3s q, scalar friction) {
    if (!(q.x < 0) || !(m.diagonal.x > 0)) return glms_vec3_zero();
    if (!(friction > 0)) return vec3_of(-q.x / m.diagonal.x, 0, 0);
    pyramid_case best = pyramid_case_of(m, q, friction, 0, 0);
    for (int i = 1; i < 9; i++) {
        /* NaN (a singular case) fails the comparison and is replaced. */
        if (best.violation <= 0) break;
        const pyramid_case next = pyramid_case_of(m, q, friction, (i + 1) % 3 - 1, (i / 3 + 1) % 3 - 1);
        if (!(best.violation <= next.violation)) best = next;
    }
    return pyramid_clamp(best.r, friction);
}

/* x = −A⁻¹ q: the normal row eliminated, then the larger of the Schur complement's two pivots. Directions
 * that nothing can move get 0. */
SHARED vec3s free_solve(symmetric3 m, vec3s q) {
    const scalar a = m.diagonal.x, wy = m.off_diagonal.z, wz = m.off_diagonal.y;
    if (!(a > 0)) return glms_vec3_zero();
    const scalar yy = m.diagonal.y - wy * wy / a, zz = m.diagonal.z - wz * wz / a,
                 yz = m.off_diagonal.x - wy * wz / a;
    const scalar sy = q.y - wy * q.x / a, sz = q.z - wz * q.x / a;
    const int swap = zz > yy;
    const scalar pivot = swap ? zz : yy, first = swap ? sz : sy, second = swap ? sy : sz;
    scalar x1 = 0, x2 = 0;
    if (pivot > 0) {
        const scalar factor = yz / pivot, rest = (swap ? yy : zz) - factor * yz;
        if (rest > SCALAR_EPSILON * pivot) x2 = -(second - factor * first) / rest;
        x1 = -(first + yz * x2) / pivot;
    }
    const scalar y = swap ? x2 : x1, z = swap ? x1 : x2;
    return vec3_of(-(q.x + wy * y + wz * z) / a, y, z);
}

/* The block with a little mobility in a tangent that nothing can move, for the sliding case: that tangent's
 * impulse does nothing either way. */
SHARED symmetric3 associated_floored(symmetric3 m) {
    const scalar least = (scalar)0.3 * scalar_sqrt(SCALAR_EPSILON) * symmetric_trace(m);
    m.diagonal.y = scalar_max(m.diagonal.y, least);
    m.diagonal.z = scalar_max(m.diagonal.z, least);
    return m;
}

SHARED int inside_cone(vec3s r, scalar friction) {
    return r.y * r.y + r.z * r.z <= friction * friction * r.x * r.x && r.x > 0;
}

/* A solution, if the case is one of those that are found without more ado. */
typedef struct law_case {
    vec3s r;
    int found;
} law_case;

/* The convex law's cases but sliding: apart where q is in K*, sticking where −A⁻¹ q is in K. */
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

/* The convex law K* ∋ A r + q ⟂ r ∈ K: apart, sticking, or on the cone's surface. */
SHARED vec3s associated_solve(symmetric3 m, vec3s q, scalar friction) {
    const law_case simple = associated_case(m, q, friction);
    if (simple.found) return simple.r;
    const symmetric3 floored = associated_floored(m);
    return associated_slide(floored, cone_modes_of(floored, friction), q, friction);
}

/* The same where A = diag(a, t, t), k = t/a, from x = −A⁻¹ q: the projection on K in the metric A. In the
 * coordinates (√a x_N, √t x_T) that is the Euclidean one on a cone of friction μ √k. */
SHARED vec3s associated_solve_isotropic(vec3s x, scalar friction, scalar k) {
    const scalar t = scalar_sqrt(x.y * x.y + x.z * x.z);
    if (friction * k * t <= -x.x) return glms_vec3_zero();
    if (t <= friction * x.x) return x;
    const scalar normal = (friction * k * t + x.x) / (1 + friction * friction * k);
    const scalar factor = t > 0 ? friction * normal / t : 0;
    return vec3_of(normal, factor * x.y, factor * x.z);
}

/* The radial rule. Without friction it is the frictionless law, whose tangential impulses are zero. */
SHARED vec3s radial_solve(symmetric3 m, vec3s q, scalar friction) {
    if (!(m.diagonal.x > 0)) return glms_vec3_zero();
    if (!(friction > 0)) return vec3_of(scalar_max(-q.x / m.diagonal.x, 0), 0, 0);
    return radial_clamp(free_solve(m, q), friction);
}

/* The solution where A = diag(a, t, t), k = t/a, from x = −A⁻¹ q, in closed form. Coulomb: u_N = 0 gives r_N
 * = x_N, and opposed slip cuts r_T back along x_T, which is the radial rule too. The pyramid's rows do not
 * couple but through the bound. */
SHARED vec3s law_solve_isotropic(int law, vec3s x, scalar friction, scalar k) {
    if (law == LAW_PYRAMID) return pyramid_clamp(x, friction);
    if (law == LAW_ASSOCIATED) return associated_solve_isotropic(x, friction, k);
    return radial_clamp(x, friction);
}

/* The block's solution under a law. */
SHARED vec3s law_solve(int law, symmetric3 m, vec3s q, scalar friction) {
    if (law == LAW_PYRAMID) return pyramid_solve(m, q, friction);
    if (law == LAW_ASSOCIATED) return associated_solve(m, q, friction);
    if (law == LAW_RADIAL) return radial_solve(m, q, friction);
    return coulomb_solve(m, q, friction);
}

/* The nearest admissible impulse. */
SHARED vec3s law_admissible(int law, vec3s r, scalar friction) {
    if (law == LAW_PYRAMID) return pyramid_clamp(r, friction);
    if (law == LAW_RADIAL) return radial_clamp(r, friction);
    return cone_projection(r, friction);
}

/* The natural map F = r − P(r − ρ û), whose zeros are the law's solutions: û = u + (μ‖u_T‖, 0, 0) and the
 * cone for Coulomb; û = u and the cone for the convex law; for the pyramid û = u and the box |x_T,i| ≤ μ r_N.
 * The radial rule is no projection in a fixed metric: its map is F = r − Π(r − A⁻¹ u), zero where it stays.
 */
SHARED vec3s law_natural_map(int law, symmetric3 m, vec3s r, vec3s u, scalar friction, scalar rho) {
    const vec3s x = glms_vec3_sub(r, glms_vec3_scale(u, rho));
    if (law == LAW_PYRAMID) {
        const scalar bound = friction * scalar_max(r.x, 0);
        return glms_vec3_sub(r, vec3_of(scalar_max(x.x, 0), scalar_clamp(x.y, -bound, bound),
                                        scalar_clamp(x.z, -bound, bound)));
    }
    if (law == LAW_ASSOCIATED) return glms_vec3_sub(r, cone_projection(x, friction));
    if (law == LAW_RADIAL && friction > 0)
        return glms_vec3_sub(r, radial_clamp(glms_vec3_add(r, free_solve(m, u)), friction));
    const scalar shift = friction * scalar_sqrt(u.y * u.y + u.z * u.z);
    return glms_vec3_sub(r, cone_projection(vec3_of(x.x - rho * shift, x.y, x.z), friction));
}

#endif
