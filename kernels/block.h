/* One block between two bodies: relative velocity, impulse, and diagonal block of A = J M⁻¹ Jᵀ.
 *
 * Row i of J for frame axis e_i, with a on the minus side: u_i = e_i·(v_b + ω_b × r_b) − e_i·(v_a + ω_a ×
 * r_a) for linear rows, u_i = s e_i·(ω_b − ω_a) for angular ones. */
#ifndef SCREE_KERNELS_BLOCK_H
#define SCREE_KERNELS_BLOCK_H

#include "layout.h"
#include "symmetric.h"

/* At widths above 1 all blocks are contacts. */
#if SCREE_WIDTH == 1
SHARED int block_is_contact(constraint_block block) { return block.kind == BLOCK_CONTACT; }
SHARED int block_is_resistance(constraint_block block) { return block.kind == BLOCK_RESISTANCE; }
SHARED int block_is_bounded(constraint_block block) { return block.kind == BLOCK_BOUNDED; }
SHARED int block_is_angular(constraint_block block) { return block.angular; }
#else
SHARED int block_is_contact(constraint_block block) {
    (void)block;
    return 1;
}
SHARED int block_is_angular(constraint_block block) {
    (void)block;
    return 0;
}
SHARED int block_is_resistance(constraint_block block) {
    (void)block;
    return 0;
}
#endif

SHARED vec3s block_tangent2(constraint_block block) { return glms_vec3_cross(block.normal, block.tangent); }

/* Convert a world vector to the block's frame (n, t₁, t₂), and back. */
SHARED vec3s block_to_frame(constraint_block block, vec3s v) {
    return vec3_of(glms_vec3_dot(block.normal, v), glms_vec3_dot(block.tangent, v),
                   glms_vec3_dot(block_tangent2(block), v));
}

SHARED vec3s block_to_world(constraint_block block, vec3s r) {
    return glms_vec3_add(
        glms_vec3_add(glms_vec3_scale(block.normal, r.x), glms_vec3_scale(block.tangent, r.y)),
        glms_vec3_scale(block_tangent2(block), r.z));
}

/* Returns the velocity of b's point less that of a's in world axes, or the relative angular velocity times s
 * for angular rows. */
SHARED vec3s block_approach(constraint_block block, body_velocity a, body_velocity b) {
    if (block_is_angular(block)) return glms_vec3_scale(glms_vec3_sub(b.angular, a.angular), block.length);
    const vec3s at_a = glms_vec3_add(a.linear, glms_vec3_cross(a.angular, block.arm_a));
    const vec3s at_b = glms_vec3_add(b.linear, glms_vec3_cross(b.angular, block.arm_b));
    return glms_vec3_sub(at_b, at_a);
}

/* Adds the surface velocity of a contact to u of its tangential rows: moving surfaces such as belts, the arcs
 * of turning surfaces, and slip that `relaxed` lets decay gradually. */
SHARED vec3s block_drifting(constraint_block block, vec3s u) {
    u.y += block.rolling, u.z += block.spinning;
    return u;
}

/* Returns J V of the block in its frame. */
SHARED vec3s block_relative_velocity(constraint_block block, body_velocity a, body_velocity b) {
    return block_to_frame(block, block_approach(block, a, b));
}

/* Returns V + M⁻¹ (p, L) for a linear impulse p and an angular impulse L about the centre of mass. */
SHARED body_velocity velocity_after(body_velocity velocity, body_mobility mobility, vec3s p, vec3s l) {
    const symmetric3 i = symmetric_of(mobility.diagonal, mobility.off_diagonal);
    velocity.linear = glms_vec3_add(velocity.linear, glms_vec3_mul(mobility.inverse_mass, p));
    velocity.angular = glms_vec3_add(velocity.angular, symmetric_times(i, l));
    return velocity;
}

/* Does the same in a sweep. A `round` body moves equally in all directions, so the first component of each
 * part of its mobility suffices. The result equals that of velocity_after bit for bit: the omitted terms are
 * added zeros, which change nothing but −0, and a gathered velocity is never −0. */
SHARED body_velocity velocity_pushed(body_velocity velocity, body_mobility mobility, int round, vec3s p,
                                     vec3s l) {
    if (!round) return velocity_after(velocity, mobility, p, l);
    velocity.linear = glms_vec3_add(velocity.linear, glms_vec3_scale(p, mobility.inverse_mass.x));
    velocity.angular = glms_vec3_add(velocity.angular, glms_vec3_scale(l, mobility.diagonal.x));
    return velocity;
}

SHARED ball_mobility ball_mobility_of(body_mobility a, body_mobility b) {
    ball_mobility out;
    out.push_a = a.inverse_mass.x, out.turn_a = a.diagonal.x;
    out.push_b = b.inverse_mass.x, out.turn_b = b.diagonal.x;
    return out;
}

/* Returns V + M⁻¹ (0, L): a torque alone. */
SHARED body_velocity velocity_turned(body_velocity velocity, body_mobility mobility, int round, vec3s l) {
    if (!round) return velocity_after(velocity, mobility, glms_vec3_zero(), l);
    velocity.angular = glms_vec3_add(velocity.angular, glms_vec3_scale(l, mobility.diagonal.x));
    return velocity;
}

/* Returns whether the mobility is the same in all directions, as for spheres and cubes without locks. */
SHARED scalar_mask body_round(body_mobility m) {
    return (m.inverse_mass.x == m.inverse_mass.y) & (m.inverse_mass.x == m.inverse_mass.z) &
           (m.diagonal.x == m.diagonal.y) & (m.diagonal.x == m.diagonal.z) & (m.off_diagonal.x == 0) &
           (m.off_diagonal.y == 0) & (m.off_diagonal.z == 0);
}

/* Returns whether impulses move a body. A sweep writes only to such bodies: several of its groups may share a
 * body that does not move. */
SHARED scalar_mask body_moves(body_mobility mobility) {
    return mobility.inverse_mass.x + mobility.inverse_mass.y + mobility.inverse_mass.z + mobility.diagonal.x +
               mobility.diagonal.y + mobility.diagonal.z >
           0;
}

SHARED scalar largest_of(vec3s v) { return scalar_max(scalar_max(v.x, v.y), v.z); }
SHARED scalar smallest_of(vec3s v) { return scalar_min(scalar_min(v.x, v.y), v.z); }

/* Returns whether a movable body has locks, which act along and about the world's axes. */
SHARED scalar_mask body_tied(body_mobility m) {
    const scalar push = smallest_of(m.inverse_mass), turn = smallest_of(m.diagonal);
    const scalar_mask moves = body_moves(m);
    return moves & ((push == 0) | (turn == 0));
}

/* Returns e, or 0 if the body's locks allow no rotation about e except by the rounding of axes. */
SHARED vec3s block_turning_axis(vec3s e, body_mobility body) {
    const scalar_mask tied = body_tied(body);
    if (!any_lane(tied)) return e;
    const scalar turned =
                     glms_vec3_dot(e, symmetric_times(symmetric_of(body.diagonal, body.off_diagonal), e)),
                 least = 1e-10f * largest_of(body.diagonal);
    return vec3_choose((turned > least) | (tied == 0), e, glms_vec3_zero());
}

/* Returns the contribution of one body to e_i·A e_j of angular rows: s² e_i·I⁻¹ e_j. */
SHARED symmetric3 angular_mobility(constraint_block block, body_mobility body) {
    const vec3s n = block_turning_axis(block.normal, body), t = block_turning_axis(block.tangent, body),
                s = block_turning_axis(block_tangent2(block), body);
    const symmetric3 i = symmetric_of(body.diagonal, body.off_diagonal);
    const vec3s in = symmetric_times(i, n), it = symmetric_times(i, t), is = symmetric_times(i, s);
    const scalar square = block.length * block.length;
    return symmetric_of(
        glms_vec3_scale(vec3_of(glms_vec3_dot(n, in), glms_vec3_dot(t, it), glms_vec3_dot(s, is)), square),
        glms_vec3_scale(vec3_of(glms_vec3_dot(t, is), glms_vec3_dot(n, is), glms_vec3_dot(n, it)), square));
}

/* Returns the axis e of a row, or 0 if the body's locks keep it from following. A contact straight in front
 * of a roller in its bearings, or behind a body of a planar scene, moves it only by the rounding of arms and
 * normals, about a thousandth of the motion in other directions. A_ee would be the square of that, and an
 * impulse computed with its inverse would spin such a body. */
SHARED vec3s block_axis(vec3s e, vec3s arm, body_mobility body) {
    const scalar_mask tied = body_tied(body);
    if (!any_lane(tied)) return e;
    const vec3s lever = glms_vec3_cross(arm, e);
    const scalar pushed = glms_vec3_dot(e, glms_vec3_mul(body.inverse_mass, e)),
                 turned = glms_vec3_dot(
                     lever, symmetric_times(symmetric_of(body.diagonal, body.off_diagonal), lever)),
                 least_pushed = 1e-6f * largest_of(body.inverse_mass),
                 least_turned = 1e-6f * glms_vec3_norm2(arm) * largest_of(body.diagonal);
    return vec3_choose((pushed > least_pushed) | (turned > least_turned) | (tied == 0), e, glms_vec3_zero());
}

/* Returns the contribution of one body to e_i·A e_j of linear rows: e_i·m⁻¹ e_j + (r × e_i)·I⁻¹ (r × e_j),
 * for the frame (n, t₁, t₂). */
SHARED symmetric3 block_mobility(constraint_block block, vec3s arm, body_mobility body) {
    if (block_is_angular(block)) return angular_mobility(block, body);
    const vec3s n = block_axis(block.normal, arm, body), t = block_axis(block.tangent, arm, body),
                s = block_axis(block_tangent2(block), arm, body);
    const symmetric3 i = symmetric_of(body.diagonal, body.off_diagonal);
    const vec3s rn = glms_vec3_cross(arm, n), rt = glms_vec3_cross(arm, t), rs = glms_vec3_cross(arm, s);
    const vec3s in = symmetric_times(i, rn), it = symmetric_times(i, rt), is = symmetric_times(i, rs);
    const vec3s mn = glms_vec3_mul(body.inverse_mass, n), mt = glms_vec3_mul(body.inverse_mass, t),
                ms = glms_vec3_mul(body.inverse_mass, s);
    return symmetric_of(
        vec3_of(glms_vec3_dot(n, mn) + glms_vec3_dot(rn, in), glms_vec3_dot(t, mt) + glms_vec3_dot(rt, it),
                glms_vec3_dot(s, ms) + glms_vec3_dot(rs, is)),
        vec3_of(glms_vec3_dot(t, ms) + glms_vec3_dot(rt, is), glms_vec3_dot(n, ms) + glms_vec3_dot(rn, is),
                glms_vec3_dot(n, mt) + glms_vec3_dot(rn, it)));
}

/* Returns A_cc with each body's mobility multiplied by its split count (1 for the plain block). Includes the
 * compliance of a contact; bounded rows add theirs in bounded_rows.h. Splitting a body's mass among n blocks
 * multiplies its mobility by n in each, which gives A ⪯ blockdiag(split A_cc). */
SHARED symmetric3 block_delassus(constraint_block block, body_mobility a, body_mobility b, scalar share_a,
                                 scalar share_b) {
    const symmetric3 of_a = block_mobility(block, block.arm_a, a),
                     of_b = block_mobility(block, block.arm_b, b);
    symmetric3 sum = symmetric_of(
        glms_vec3_add(glms_vec3_scale(of_a.diagonal, share_a), glms_vec3_scale(of_b.diagonal, share_b)),
        glms_vec3_add(glms_vec3_scale(of_a.off_diagonal, share_a),
                      glms_vec3_scale(of_b.off_diagonal, share_b)));
    if (block_is_contact(block)) sum.diagonal.x += block.compliance;
    return sum;
}

/* Returns whether A_cc is diag(a, t, t) up to the rounding of arms and axes. A sphere's arms are parallel to
 * the normal, so normal impulses do not turn it and both tangents are equivalent. */
SHARED scalar_mask delassus_isotropic(symmetric3 m) {
    const scalar tolerance = 16 * SCALAR_EPSILON * (m.diagonal.x + m.diagonal.y + m.diagonal.z);
    const scalar off = scalar_max(scalar_abs(m.off_diagonal.x), scalar_abs(m.off_diagonal.y));
    return scalar_max(scalar_max(off, scalar_abs(m.off_diagonal.z)),
                      scalar_abs(m.diagonal.y - m.diagonal.z)) <= tolerance;
}

/* Returns A_cc and its inverses. A block that no normal impulse moves is treated as a general one, with
 * inverse_tangent 0. */
SHARED block_diagonal block_diagonal_of(symmetric3 delassus) {
    const scalar tangent = (delassus.diagonal.y + delassus.diagonal.z) / 2;
    const scalar zero = scalar_of(0), one = scalar_of(1);
    const scalar_mask moves = delassus.diagonal.x > 0,
                      alike = moves & (tangent > 0) & delassus_isotropic(delassus);
    block_diagonal out;
    out.diagonal = delassus.diagonal;
    out.off_diagonal = delassus.off_diagonal;
    out.inverse_normal = choose(moves, 1 / choose(moves, delassus.diagonal.x, one), zero);
    out.inverse_tangent = choose(alike, 1 / choose(alike, tangent, one), zero);
    return out;
}

SHARED block_diagonal block_prepared(constraint_block block, body_mobility a, body_mobility b) {
    return block_diagonal_of(block_delassus(block, a, b, scalar_of(1), scalar_of(1)));
}

/* Prepares angular rows, whether or not the block is marked angular. */
SHARED block_diagonal angular_prepared(constraint_block block, body_mobility a, body_mobility b) {
    const symmetric3 of_a = angular_mobility(block, a), of_b = angular_mobility(block, b);
    return block_diagonal_of(symmetric_of(glms_vec3_add(of_a.diagonal, of_b.diagonal),
                                          glms_vec3_add(of_a.off_diagonal, of_b.off_diagonal)));
}

/* Sums of linear and angular impulse on a body. */
typedef struct body_impulse {
    vec3s linear, angular;
} body_impulse;

/* Add to `sum` the impulse p of linear rows, or the angular impulse s p of angular rows. */
SHARED body_impulse body_impulse_pushed(body_impulse sum, vec3s p, vec3s arm) {
    sum.linear = glms_vec3_add(sum.linear, p);
    sum.angular = glms_vec3_add(sum.angular, glms_vec3_cross(arm, p));
    return sum;
}

SHARED body_impulse body_impulse_turned(body_impulse sum, vec3s p, scalar length) {
    sum.angular = glms_vec3_add(sum.angular, glms_vec3_scale(p, length));
    return sum;
}

SHARED body_impulse body_impulse_sum(body_impulse a, body_impulse b) {
    a.linear = glms_vec3_add(a.linear, b.linear);
    a.angular = glms_vec3_add(a.angular, b.angular);
    return a;
}

/* Adds to `sum` the impulse r of a block on its body a (side 0: −r) or b (side 1: +r). */
SHARED body_impulse body_impulse_plus(body_impulse sum, constraint_block block, block_impulse r, int side) {
    const vec3s on_b = block_to_world(block, r.value);
    const vec3s p = side ? on_b : glms_vec3_negate(on_b);
    if (block_is_angular(block)) return body_impulse_turned(sum, p, block.length);
    return body_impulse_pushed(sum, p, side ? block.arm_b : block.arm_a);
}

#endif
