/* Residual of one block (solver.h): its error at the impulses r, and its error at zero impulses, which is the
 * scale. The latter is what the block would break its law by if nothing acted: an open contact, a limit that
 * nothing is near and a contact that slides without a load break none, so however fast their bodies move,
 * they do not make the errors of other blocks look small. */
#ifndef SCREE_KERNELS_RESIDUAL_H
#define SCREE_KERNELS_RESIDUAL_H

#include "update.h"

/* Returns ‖F‖², or the square of the impulse that stops a closing gap if that is larger: with large friction,
 * the cone's surface reduces ρ u_N to ρ |u_N|/μ in F. The radial rule alone lets gaps close where it reduces
 * the impulse. */
SHARED scalar residual_map(int law, vec3s map, scalar rho, scalar normal_velocity) {
    const scalar closing = rho * scalar_min(normal_velocity, scalar_of(0)), square = glms_vec3_norm2(map);
    if (law == LAW_RADIAL) return square;
    return choose(closing * closing > square, closing * closing, square); /* NaN stays */
}

/* Returns the same as a squared velocity, without the squares of impulses, which underflow first. Where
 * nothing can move, no impulse helps and there is no map; the closing velocity of the gap is the violation.
 */
SHARED scalar residual_violation(int law, vec3s map, scalar rho, scalar normal_velocity) {
    const scalar_mask moves = rho > 0;
    const vec3s velocity = glms_vec3_scale(map, 1 / choose(moves, rho, scalar_of(1)));
    const scalar closing = scalar_min(normal_velocity, scalar_of(0));
    return choose(moves, residual_map(law, velocity, scalar_of(1), normal_velocity), closing * closing);
}

/* Round-off of a velocity that gathers and differences others, relative to these. A solved pile of balls that
 * moves at 100 to 1000 m/s keeps violations of 2e-7 to 7e-7 of √(v_a² + v_b²), whatever the number of
 * iterations. */
#define RESOLUTION 1e-6f

/* Error of a block at given impulses: ‖F‖², and the same as a squared velocity; both are 0 if rounding hides
 * the latter. The error of a fast slider would else hold rounding of μ‖u_T‖ that no iteration removes. */
typedef struct block_error {
    scalar map, violation;
} block_error;

/* `speeds`: the sum of the squared speeds whose rounding enters u. */
SHARED block_error block_error_of(int law, vec3s map, scalar rho, scalar normal_velocity, scalar speeds) {
    block_error out;
    out.map = residual_map(law, map, rho, normal_velocity);
    out.violation = residual_violation(law, map, rho, normal_velocity);
    const scalar_mask hidden = out.violation <= RESOLUTION * RESOLUTION * speeds; /* NaN stays */
    out.map = choose(hidden, scalar_of(0), out.map);
    out.violation = choose(hidden, scalar_of(0), out.violation);
    return out;
}

/* Returns a block's contribution to the residual from its errors at r and at zero impulses (`idle`).
 * `change` is measured against the impulse `kept`. */
SHARED block_residual block_residual_with(block_error at_r, block_error idle, vec3s r, vec3s kept) {
    block_residual sum;
    sum.map = at_r.map;
    sum.impulse = glms_vec3_norm2(r);
    sum.drive = idle.map;
    sum.change = glms_vec3_norm2(glms_vec3_sub(r, kept));
    sum.violation = at_r.violation;
    sum.free = idle.violation;
    sum.reserved = sum.reserved_residual = scalar_of(0);
    return sum;
}

SHARED scalar residual_step(block_diagonal delassus) {
    const scalar trace = delassus.diagonal.x + delassus.diagonal.y + delassus.diagonal.z;
    const scalar_mask moves = trace > 0;
    return choose(moves, 3 / choose(moves, trace, scalar_of(1)), scalar_of(0));
}

/* Returns the natural map if only the normal row acts, which is every law without friction: r_N ≥ 0 ⟂ u_N. */
SHARED vec3s push_map(scalar r, scalar u, scalar rho) {
    const scalar x = r - u * rho;
    return vec3_of(r - choose(x <= 0, scalar_of(0), x), scalar_of(0), scalar_of(0));
}

/* Return the sum of the squared speeds whose rounding enters u of linear and of angular rows. */
SHARED scalar linear_speeds(constraint_block block, body_velocity a, body_velocity b) {
    const scalar turning = glms_vec3_norm2(a.angular) * glms_vec3_norm2(block.arm_a) +
                           glms_vec3_norm2(b.angular) * glms_vec3_norm2(block.arm_b);
    return glms_vec3_norm2(a.linear) + glms_vec3_norm2(b.linear) + turning;
}

SHARED scalar angular_speeds(constraint_block block, body_velocity a, body_velocity b) {
    return block.length * block.length * (glms_vec3_norm2(a.angular) + glms_vec3_norm2(b.angular));
}

/* Returns the error of a contact at the impulse r and the velocities of its bodies. */
SHARED block_error contact_error(constraint_block block, block_diagonal delassus, solve_parameters parameters,
                                 vec3s r, body_velocity a, body_velocity b) {
    const scalar rho = residual_step(delassus);
    const vec3s u = block_velocity(block, parameters, r, a, b);
    const vec3s map =
        parameters.position_pass
            ? push_map(r.x, u.x, rho)
            : law_natural_map(parameters.law, symmetric_of(delassus.diagonal, delassus.off_diagonal), r, u,
                              block_friction(block, parameters), rho);
    return block_error_of(parameters.law, map, rho, u.x, linear_speeds(block, a, b));
}

SHARED block_residual contact_residual_of(constraint_block block, block_diagonal delassus,
                                          solve_parameters parameters, block_impulse r, block_impulse kept,
                                          body_velocity a, body_velocity b, body_velocity free_a,
                                          body_velocity free_b) {
    return block_residual_with(contact_error(block, delassus, parameters, r.value, a, b),
                               contact_error(block, delassus, parameters, glms_vec3_zero(), free_a, free_b),
                               r.value, kept.value);
}

/* `normal` as in block_swept. Without impulses the bounds are zero, and so is the error. */
SHARED block_residual resistance_residual_of(constraint_block block, block_diagonal delassus,
                                             solve_parameters parameters, block_impulse r, block_impulse kept,
                                             scalar normal, body_velocity a, body_velocity b) {
    const scalar rho = residual_step(delassus), zero = scalar_of(0);
    const vec3s map =
        resistance_natural_map(r.value, resistance_velocity(block, a, b),
                               resistance_bound_of(block, parameters.position_pass, normal), rho);
    block_error idle;
    idle.map = idle.violation = zero;
    return block_residual_with(block_error_of(parameters.law, map, rho, zero, angular_speeds(block, a, b)),
                               idle, r.value, kept.value);
}

#if SCREE_WIDTH == 1
SHARED block_residual block_residual_of(constraint_block block, block_diagonal delassus,
                                        solve_parameters parameters, block_impulse r, block_impulse kept,
                                        scalar normal, body_velocity a, body_velocity b, body_velocity free_a,
                                        body_velocity free_b) {
    if (block_is_resistance(block))
        return resistance_residual_of(block, delassus, parameters, r, kept, normal, a, b);
    return contact_residual_of(block, delassus, parameters, r, kept, a, b, free_a, free_b);
}
#endif

#endif
