/* Rolling and spinning friction: three rows of angular velocity that follow a contact and are bounded by its
 * normal impulse.
 *
 * With ω the relative angular velocity (b less a) in the contact's frame and τ the impulse of a torque (N m
 * s), τ_N opposes spinning ω_N and τ_T opposes rolling ω_T, up to the lengths l_s and l_r:
 *
 *     |τ_N| ≤ l_s r_N,  ‖τ_T‖ ≤ l_r r_N,      −ω in the normal cone of that set at τ:
 *
 * nothing turns while τ is inside its bound, and at the bound τ opposes the motion, which is the largest
 * dissipation (rolling: Tasora & Anitescu 2013, A complementarity-based rolling friction model for rigid
 * contacts; spinning: Leine & Glocker 2003, A set-valued force law for spatial Coulomb–Contensou friction).
 * The bound uses the current r_N and does not act back on it, as in Coulomb's law.
 *
 * Units: with a length s of the pair the rows are u = s ω (m/s) and r = τ/s (N s), so that angular and linear
 * rows can be summed. s does not change the statement; problem.c chooses it. The bounds become (l_s/s) r_N
 * and (l_r/s) r_N. */
#ifndef SCREE_KERNELS_RESISTANCE_H
#define SCREE_KERNELS_RESISTANCE_H

#include "law.h"

/* Bounds of r: |r_N| ≤ spinning, ‖r_T‖ ≤ rolling, both N s. */
typedef struct resistance_bound {
    scalar spinning, rolling;
} resistance_bound;

/* Returns the nearest admissible r. */
SHARED vec3s resistance_clamp(vec3s x, resistance_bound bound) {
    const scalar factor = radial_factor(x.y * x.y + x.z * x.z, bound.rolling);
    return vec3_of(scalar_clamp(x.x, -bound.spinning, bound.spinning), factor * x.y, factor * x.z);
}

/* Returns the minimum of ½ rᵀT r + sᵀr over ‖r‖ ≤ bound in the plane: r = −(T + λ)⁻¹ s with λ ≥ 0 and λ = 0
 * inside. This is Coulomb's block with an uncoupled normal row whose impulse is `bound`. */
SHARED vec3s disc_solve(symmetric3 disc, schur2 prepared, scalar sy, scalar sz, scalar bound) {
    const vec3s r =
        coulomb_solve_prepared(disc, prepared, vec3_of(-bound * disc.diagonal.x, sy, sz), scalar_of(1));
    return vec3_of(scalar_of(0), r.y, r.z);
}

/* Returns that block for T = (yy, yz; yz, zz). */
SHARED symmetric3 disc_of(scalar yy, scalar yz, scalar zz) {
    const scalar zero = scalar_of(0);
    return symmetric_of(vec3_of(yy + zz, yy, zz), vec3_of(yz, zero, zero));
}

/* Parts of A_cc's solution that do not depend on q: 1/a, and the preparation of Coulomb's law for both discs
 * below. */
typedef struct resistance_discs {
    scalar inverse;
    schur2 free, held;
} resistance_discs;

SHARED symmetric3 disc_free(symmetric3 m, scalar inverse) {
    const scalar wy = m.off_diagonal.z, wz = m.off_diagonal.y;
    return disc_of(m.diagonal.y - wy * wy * inverse, m.off_diagonal.x - wy * wz * inverse,
                   m.diagonal.z - wz * wz * inverse);
}

SHARED symmetric3 disc_held(symmetric3 m) { return disc_of(m.diagonal.y, m.off_diagonal.x, m.diagonal.z); }

SHARED resistance_discs resistance_prepared(symmetric3 m) {
    resistance_discs discs;
    discs.inverse = 1 / choose(m.diagonal.x > 0, m.diagonal.x, scalar_of(1));
    discs.free = coulomb_prepared(disc_free(m, discs.inverse));
    discs.held = coulomb_prepared(disc_held(m));
    return discs;
}

/* Returns the block's solution: the minimum of ½ rᵀA r + qᵀr over [−spinning, spinning] × disc(rolling).
 * Minimising over r_T first leaves a convex function of r_N alone, so its minimum on the interval is the free
 * minimum clamped. The free minimum has u_N = 0, r_N = −(q_N + w·r_T)/a, and with A = (a, wᵀ; w, T)
 *
 *     r_T: the disc's minimum for S = T − w wᵀ/a, s = q_T − w q_N/a.
 *
 * If it is outside, r_N is the bound, and r_T the disc's minimum for T, s = q_T + w r_N. */
SHARED vec3s resistance_solve_prepared(symmetric3 m, resistance_discs discs, vec3s q,
                                       resistance_bound bound) {
    const scalar a = m.diagonal.x, wy = m.off_diagonal.z, wz = m.off_diagonal.y;
    const scalar_mask turns = a > 0;
    const scalar inverse = discs.inverse;
    vec3s r = disc_solve(disc_free(m, inverse), discs.free, q.y - wy * q.x * inverse,
                         q.z - wz * q.x * inverse, bound.rolling);
    r.x = -(q.x + wy * r.y + wz * r.z) * inverse;
    const scalar_mask inside = turns & (scalar_abs(r.x) <= bound.spinning);
    if (!any_lane(inside == 0)) return r;
    const scalar at = choose(r.x > 0, bound.spinning, -bound.spinning);
    const scalar normal = choose(turns, at, scalar_of(0));
    vec3s held = disc_solve(disc_held(m), discs.held, q.y + wy * normal, q.z + wz * normal, bound.rolling);
    held.x = normal;
    return vec3_choose(inside, r, held);
}

SHARED vec3s resistance_solve(symmetric3 m, vec3s q, resistance_bound bound) {
    return resistance_solve_prepared(m, resistance_prepared(m), q, bound);
}

/* Returns F = r − P(r − ρ u), which is zero at solutions. */
SHARED vec3s resistance_natural_map(vec3s r, vec3s u, resistance_bound bound, scalar rho) {
    return glms_vec3_sub(r, resistance_clamp(glms_vec3_sub(r, glms_vec3_scale(u, rho)), bound));
}

#endif
