/* Set-up of the position pass of `split`, after the velocity pass has found V⁺.
 *
 * Positions move by h (V⁺ + P), so a contact with gap c has the gap c⁺ = c + h J (V⁺ + P) after the step.
 * Gaps must not close beyond contact, and a fraction β of an overlap is to be removed:
 *
 *     c⁺ ≥ min(0, (1 − β) c)   ⇔   J P + J V⁺ + closing ≥ 0,   closing = c/h if c ≥ 0, (β/h) c if c < 0,
 *
 * with equality where P pushes. The term J V⁺ is necessary: an open gap may be closed only once, by V⁺ or by
 * P; bodies that separate need no push; and an incompletely solved V⁺ causes no position error.
 *
 * A bouncing contact rebounds from the surface within the step and ends the step at a gap c_b, which the
 * assembly determines (normal_row.h): c⁺ ≥ c_b, closing = (c − c_b)/h.
 *
 * V⁺ is the velocity after the impact. Moved by h V⁺ from the start of the step, a body would turn back
 * before it reaches the surface. The normal impulses r_N of bouncing contacts are therefore first subtracted
 * from the displacement, P₀ = −M⁻¹ Σ Jᵀ r_N, and the pass pushes as far as necessary: P = P₀ + M⁻¹ Jᵀ p, p ≥
 * 0. */
#ifndef SCREE_KERNELS_DISPLACEMENT_H
#define SCREE_KERNELS_DISPLACEMENT_H

#include "bounded_rows.h"

#if SCREE_WIDTH == 1
/* Returns whether the contact bounces: a bounce is rigid, and its compliance −0. A negative bias may also be
 * the bend of a surface (host/rows/contact_bend.h). */
SHARED int block_rebounds(constraint_block block) {
    return block_is_contact(block) && signbit(block.compliance);
}

/* Subtracts the normal impulse of a block from the sum of a body's impulses if the block bounces. */
SHARED body_impulse body_rebound_plus(body_impulse sum, constraint_block block, block_impulse r, int side) {
    if (!block_rebounds(block)) return sum;
    r.value = vec3_of(-r.value.x, 0, 0);
    return body_impulse_plus(sum, block, r, side);
}
#endif

/* Returns the correction of a contact, closing + J (V⁺ + P₀), from the displacement velocities of its bodies.
 */
SHARED scalar block_correction(constraint_block block, body_velocity a, body_velocity b) {
    return block.closing + glms_vec3_dot(block.normal, block_approach(block, a, b));
}

#if SCREE_WIDTH == 1
/* Returns bounded rows with their correction, closing + J (V⁺ + P₀): joints return to their position, limits
 * are not exceeded. */
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
