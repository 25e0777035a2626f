/* What the position pass of `split` begins with, once the velocity pass has found V⁺.
 *
 * Positions move by h (V⁺ + P), so that a contact of gap c has c⁺ = c + h J (V⁺ + P) after the step. Gaps
 * shall not close beyond contact, and a share β of an overlap shall go:
 *
 *     c⁺ ≥ min(0, (1 − β) c)   ⇔   J P + J V⁺ + closing ≥ 0,   closing = c/h if c ≥ 0, (β/h) c if c < 0,
 *
 * with equality where P pushes. J V⁺ belongs to it: an open gap may be closed once, by V⁺ or by P; what parts
 * by itself needs no push; and where V⁺ is not solved to the end, positions do not pay for it.
 *
 * A bounce begins at the surface, within the step, and ends the step at a gap c_b that the assembly knows
 * (stabilisation.c): c⁺ ≥ c_b, closing = (c − c_b)/h.
 *
 * V⁺ is the velocity after the impact; moving by h V⁺ from the start of the step, a body would turn back
 * before it has reached the surface. So the normal impulses r_N of contacts that bounce are taken back from
 * the displacement first, P₀ = −M⁻¹ Σ Jᵀ r_N, and the pass pushes again as much as it takes: P = P₀ + M⁻¹ Jᵀ
 * p, p ≥ 0. */
#ifndef SCREE_KERNELS_DISPLACEMENT_H
#define SCREE_KERNELS_DISPLACEMENT_H

#include "bounded_rows.h"

#if SCREE_WIDTH == 1
/* Whether the contact bounces: under `split` no other has a negative bias. */
SHARED int block_rebounds(constraint_block block) { return block_is_contact(block) && block.bias < 0; }

/* The sum of a body's impulses less that of a block, if it rebounds. */
SHARED body_impulse body_rebound_plus(body_impulse sum, constraint_block block, block_impulse r, int side) {
    if (!block_rebounds(block)) return sum;
    r.value = vec3_of(-r.value.x, 0, 0);
    return body_impulse_plus(sum, block, r, side);
}
#endif

/* The correction of a contact, closing + J (V⁺ + P₀), with the displacement velocities of the two bodies. */
SHARED scalar block_correction(constraint_block block, body_velocity a, body_velocity b) {
    return block.closing + glms_vec3_dot(block.normal, block_approach(block, a, b));
}

#if SCREE_WIDTH == 1
/* The same for bounded rows: those of joints shall be where they belong, limits not beyond. */
SHARED bounded_rows bounded_corrected(constraint_block block, bounded_rows rows, body_velocity a,
                                      body_velocity b) {
    rows.correction = glms_vec3_add(rows.closing, block_relative_velocity(block, a, b));
    return rows;
}
#endif

SHARED body_velocity velocity_sum(body_velocity a, body_velocity b) {
    a.linear = glms_vec3_add(a.linear, b.linear);
    a.angular = glms_vec3_add(a.angular, b.angular);
    return a;
}

#endif
