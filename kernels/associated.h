/* The convex law of one block, K* ∋ A r + q ⟂ r ∈ K: the minimum of ½ rᵀA r + qᵀr over the cone K = { ‖r_T‖ ≤
 * μ r_N }. */
#ifndef SCREE_KERNELS_ASSOCIATED_H
#define SCREE_KERNELS_ASSOCIATED_H

#include "symmetric.h"

/* Eigenvalues and orthonormal eigenvectors of a symmetric 3×3 matrix. */
typedef struct eigen3 {
    scalar value[3];
    vec3s vector[3];
} eigen3;

/* One Jacobi rotation in the plane (p, q) of a matrix given by entries pp, qq, pq: t = tan φ is the smaller
 * root of t² + 2 θ t − 1 = 0, θ = (qq − pp)/(2 pq) (Golub & Van Loan, 8.5). */
typedef struct plane_rotation {
    scalar c, s, t;
} plane_rotation;

SHARED plane_rotation plane_rotation_of(scalar pp, scalar qq, scalar pq) {
    plane_rotation r;
    r.c = 1, r.s = 0, r.t = 0;
    if (pq == 0) return r;
    const scalar theta = (qq - pp) / (2 * pq), size = scalar_abs(theta) + scalar_sqrt(theta * theta + 1);
    r.t = theta < 0 ? -1 / size : 1 / size;
    r.c = 1 / scalar_sqrt(r.t * r.t + 1);
    r.s = r.t * r.c;
    return r;
}

/* Cyclic Jacobi: the axes are renamed so that each plane in turn becomes (x, y). Four sweeps reach single
 * precision, six double. */
SHARED eigen3 eigen3_of(symmetric3 m) {
    eigen3 e;
    vec3s x = vec3_of(1, 0, 0), y = vec3_of(0, 1, 0), z = vec3_of(0, 0, 1);
    for (int sweep = 0; sweep < 6; sweep++) {
        for (int plane = 0; plane < 3; plane++) {
            const plane_rotation r = plane_rotation_of(m.diagonal.x, m.diagonal.y, m.off_diagonal.z);
            const scalar xx = m.diagonal.x - r.t * m.off_diagonal.z,
                         yy = m.diagonal.y + r.t * m.off_diagonal.z;
            const scalar xz = r.c * m.off_diagonal.y - r.s * m.off_diagonal.x,
                         yz = r.s * m.off_diagonal.y + r.c * m.off_diagonal.x;
            const vec3s turned = glms_vec3_sub(glms_vec3_scale(x, r.c), glms_vec3_scale(y, r.s));
            /* From here on x, y, z are renamed to z, x, y. The off-diagonal entry xy is now 0. */
            m.diagonal = vec3_of(yy, m.diagonal.z, xx);
            m.off_diagonal = vec3_of(xz, 0, yz);
            x = glms_vec3_add(glms_vec3_scale(x, r.s), glms_vec3_scale(y, r.c));
            y = z, z = turned;
        }
        if (m.off_diagonal.x == 0 && m.off_diagonal.y == 0 && m.off_diagonal.z == 0) break;
    }
    e.value[0] = m.diagonal.x, e.value[1] = m.diagonal.y, e.value[2] = m.diagonal.z;
    e.vector[0] = x, e.vector[1] = y, e.vector[2] = z;
    return e;
}

/* Returns the root λ ≥ 0 of 1/‖y₀‖ = 1/‖y₁,₂‖ (see associated_slide), or −1 if there is none. The sign of p₀
 * selects the side of the pole 1/g. */
SHARED scalar associated_root(scalar g, scalar p0, scalar g1, scalar g2, scalar p1, scalar p2) {
    const scalar root_g = scalar_sqrt(g);
    scalar lambda = 0;
    if (p0 > 0) {
        /* The concave function lies below its asymptote m (λ + c); the line crosses that at the root or to
         * its right. */
        const scalar w1 = p1 * p1 / g1, w2 = p2 * p2 / g2, w = w1 + w2, m = 1 / scalar_sqrt(w);
        const scalar c = w > 0 ? (w1 / g1 + w2 / g2) / w : 0, slope = root_g / p0 - m;
        if (!(slope > 0)) return -1;
        lambda = (m * c + 1 / (root_g * p0)) / slope;
    }
    for (int iteration = 0; iteration < 30; iteration++) {
        const scalar d1 = 1 + lambda * g1, d2 = 1 + lambda * g2;
        const scalar y1 = p1 / d1, y2 = p2 / d2, square = g1 * y1 * y1 + g2 * y2 * y2,
                     size = scalar_sqrt(square);
        const scalar value =
            (p0 > 0 ? lambda * g - 1 : 1 - lambda * g) / (root_g * scalar_abs(p0)) - 1 / size;
        /* d(1/size)/dλ = Σ g_i² y_i²/d_i / size³. */
        const scalar slope = (p0 > 0 ? g : -g) / (root_g * scalar_abs(p0)) -
                             (g1 * g1 * y1 * y1 / d1 + g2 * g2 * y2 * y2 / d2) / (square * size);
        const scalar step = value / slope, next = lambda - step;
        lambda = next;
        if (!(scalar_abs(step) > 16 * SCALAR_EPSILON * scalar_abs(next))) break;
    }
    /* For a contact about to stick the root is 0, and rounding may make it negative. */
    return p0 > 0 ? lambda : scalar_max(lambda, 0);
}

/* Parts of the solutions on the surface of one block's cone that do not depend on q: g, g₁, g₂ and the
 * columns c_i of D⁻¹L⁻ᵀQ of the derivation below, with p_i = c_i·q and r = Σ y_i c_i. All zero if A is
 * singular beyond rounding. */
typedef struct cone_modes {
    vec3s rate;
    vec3s column0, column1, column2;
} cone_modes;

/* The solution on the cone's surface, with r ≠ 0.
 *
 * In x = D r, D = diag(μ, 1, 1), the cone is ‖x_T‖ ≤ x_N: xᵀJx ≤ 0 with J = diag(−1, 1, 1). There Ã x + q̃ =
 * −λ J x, λ > 0, xᵀJx = 0, with Ã = D⁻¹AD⁻¹ and q̃ = D⁻¹q. With Ã = L Lᵀ and the eigenvalues (−g, g₁, g₂) of
 * L⁻¹JL⁻ᵀ = Q Γ Qᵀ (one is negative: J's signature), x = L⁻ᵀ Q y and p = QᵀL⁻¹q̃,
 *
 *     y₀ = −p₀/(1 − λ g),   y_i = −p_i/(1 + λ g_i),   g y₀² = g₁ y₁² + g₂ y₂².
 *
 * Q's first column is given the sign that points into the upper cone, y₀ > 0: λ < 1/g if p₀ < 0, λ > 1/g if
 * p₀ > 0. On either side the equation between the reciprocals of the two roots, |1 − λ g|/(√g |p₀|) = 1/√(Σ
 * g_i y_i²), equates a line and a concave function. It has one root, to which Newton converges monotonically
 * from 0 or, respectively, from the point where the line meets the concave function's asymptote. */
SHARED cone_modes cone_modes_of(symmetric3 a, scalar friction) {
    /* Ã, its Cholesky factor and the entries of L⁻¹. Pivots below rounding are noise. */
    const scalar inverse = 1 / friction, least = 4 * SCALAR_EPSILON;
    const scalar a00 = a.diagonal.x * inverse * inverse, a10 = a.off_diagonal.z * inverse,
                 a20 = a.off_diagonal.y * inverse;
    const scalar l00 = scalar_sqrt(a00), l10 = a10 / l00, l20 = a20 / l00;
    const scalar l11 = scalar_sqrt(scalar_max(a.diagonal.y - l10 * l10, least * a.diagonal.y));
    const scalar l21 = (a.off_diagonal.x - l20 * l10) / l11;
    const scalar l22 = scalar_sqrt(scalar_max(a.diagonal.z - l20 * l20 - l21 * l21, least * a.diagonal.z));
    const scalar i00 = 1 / l00, i11 = 1 / l11, i22 = 1 / l22;
    const scalar i10 = -l10 * i00 * i11, i21 = -l21 * i11 * i22, i20 = -(l20 * i00 + l21 * i10) * i22;
    /* L⁻¹ J L⁻ᵀ. */
    const eigen3 e =
        eigen3_of(symmetric_of(vec3_of(-i00 * i00, i11 * i11 - i10 * i10, i22 * i22 + i21 * i21 - i20 * i20),
                               vec3_of(i11 * i21 - i10 * i20, -i00 * i20, -i00 * i10)));
    const int k =
        e.value[0] < e.value[1] ? (e.value[0] < e.value[2] ? 0 : 2) : (e.value[1] < e.value[2] ? 1 : 2);
    const vec3s v0 = k == 0 ? e.vector[0] : k == 1 ? e.vector[1] : e.vector[2];
    const vec3s v1 = k == 0 ? e.vector[1] : e.vector[0], v2 = k == 2 ? e.vector[1] : e.vector[2];
    /* x_N of L⁻ᵀ v is (L⁻ᵀ v)_0 = i00 v_x + i10 v_y + i20 v_z. */
    const scalar up = i00 * v0.x + i10 * v0.y + i20 * v0.z < 0 ? -1 : 1;
    cone_modes m;
    m.rate = vec3_of(k == 0   ? -e.value[0]
                     : k == 1 ? -e.value[1]
                              : -e.value[2],
                     k == 0 ? e.value[1] : e.value[0], k == 2 ? e.value[1] : e.value[2]);
    m.column0 = vec3_of(up * inverse * (i00 * v0.x + i10 * v0.y + i20 * v0.z), up * (i11 * v0.y + i21 * v0.z),
                        up * i22 * v0.z);
    m.column1 =
        vec3_of(inverse * (i00 * v1.x + i10 * v1.y + i20 * v1.z), i11 * v1.y + i21 * v1.z, i22 * v1.z);
    m.column2 =
        vec3_of(inverse * (i00 * v2.x + i10 * v2.y + i20 * v2.z), i11 * v2.y + i21 * v2.z, i22 * v2.z);
    return m;
}

SHARED vec3s associated_slide(symmetric3 a, cone_modes modes, vec3s q, scalar friction) {
    const scalar g = modes.rate.x, g1 = modes.rate.y, g2 = modes.rate.z;
    if (!(g > 0) || !(g1 > 0) || !(g2 > 0)) return glms_vec3_zero();
    scalar p0 = glms_vec3_dot(modes.column0, q);
    const scalar p1 = glms_vec3_dot(modes.column1, q), p2 = glms_vec3_dot(modes.column2, q);
    const scalar least = SCALAR_EPSILON * scalar_sqrt(p0 * p0 + p1 * p1 + p2 * p2);
    if (scalar_abs(p0) < least) p0 = -least;
    const scalar lambda = associated_root(g, p0, g1, g2, p1, p2);
    if (lambda < 0) return glms_vec3_zero();
    const scalar y1 = -p1 / (1 + lambda * g1), y2 = -p2 / (1 + lambda * g2);
    /* y₀ from the cone, since the quotient with the pole cancels near it. */
    const scalar y0 = scalar_sqrt((g1 * y1 * y1 + g2 * y2 * y2) / g);
    const vec3s r =
        glms_vec3_add(glms_vec3_add(glms_vec3_scale(modes.column0, y0), glms_vec3_scale(modes.column1, y1)),
                      glms_vec3_scale(modes.column2, y2));
    const scalar t = scalar_sqrt(r.y * r.y + r.z * r.z);
    if (!(t > 0)) return glms_vec3_zero();
    /* Along this generator (1, μ d) of the cone the best length has a closed form, which removes first-order
     * errors of λ. */
    const vec3s generator = vec3_of(1, friction * r.y / t, friction * r.z / t);
    const scalar mobility = scalar_max(glms_vec3_dot(generator, symmetric_times(a, generator)),
                                       SCALAR_EPSILON * symmetric_trace(a));
    const scalar size = -glms_vec3_dot(q, generator) / mobility;
    return glms_vec3_scale(generator, scalar_max(size, 0));
}

#endif
