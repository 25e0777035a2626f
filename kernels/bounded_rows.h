/* Bounded rows between two bodies: the rows of joints, their limits, motors, friction and springs. Three rows
 * along the axes of the block's frame, linear or angular,
 *
 *     u = J V + bias + compliance r,   low ≤ r ≤ high,   u = 0 inside, u ≥ 0 at low, u ≤ 0 at high,
 *
 * with independent bounds, solved together as one block (bounded.h). If low = high the impulse is prescribed
 * and u counts as 0: an axis that a joint leaves free. */
#ifndef SCREE_KERNELS_BOUNDED_ROWS_H
#define SCREE_KERNELS_BOUNDED_ROWS_H

#include "residual.h"

#if SCREE_WIDTH == 1
#include "bounded.h"

SHARED bounded_box bounded_box_of(bounded_rows rows, solve_parameters parameters) {
    bounded_box box;
    box.low = parameters.position_pass ? rows.push_low : rows.low;
    box.high = parameters.position_pass ? rows.push_high : rows.high;
    return box;
}

/* Returns the velocity u of the bounds' complementarity conditions. */
SHARED vec3s bounded_velocity(constraint_block block, bounded_rows rows, solve_parameters parameters, vec3s r,
                              body_velocity a, body_velocity b) {
    const bounded_box box = bounded_box_of(rows, parameters);
    const vec3s added = parameters.position_pass
                            ? rows.correction
                            : glms_vec3_add(rows.bias, glms_vec3_mul(rows.compliance, r));
    const vec3s u = glms_vec3_add(block_relative_velocity(block, a, b), added);
    return vec3_of(box.low.x < box.high.x ? u.x : 0, box.low.y < box.high.y ? u.y : 0,
                   box.low.z < box.high.z ? u.z : 0);
}

/* Returns A_cc with the compliance of the rows. */
SHARED symmetric3 bounded_delassus(symmetric3 delassus, bounded_rows rows) {
    delassus.diagonal = glms_vec3_add(delassus.diagonal, rows.compliance);
    return delassus;
}

SHARED block_diagonal bounded_prepared(constraint_block block, bounded_rows rows, body_mobility a,
                                       body_mobility b) {
    return block_diagonal_of(bounded_delassus(block_delassus(block, a, b, 1, 1), rows));
}

/* Solves the block with everything else held constant, by ω. It solves for the change of r from the velocity
 * u within the bounds less r, so large impulses in equilibrium do not round it. */
SHARED vec3s bounded_update(solve_parameters parameters, symmetric3 delassus, bounded_box box, vec3s r,
                            vec3s u) {
    bounded_box left;
    left.low = glms_vec3_sub(box.low, r), left.high = glms_vec3_sub(box.high, r);
    const vec3s change = bounded_solve(delassus, u, left);
    return bounded_clamp(glms_vec3_add(r, glms_vec3_scale(change, parameters.relaxation)), box);
}

/* Gauss–Seidel update of bounded rows. */
RARE block_step bounded_swept(constraint_block block, bounded_rows rows, block_diagonal delassus,
                              solve_parameters parameters, block_impulse r, body_velocity a, body_velocity b,
                              body_mobility mobility_a, body_mobility mobility_b) {
    block_step step;
    step.impulse = r;
    step.impulse.value = bounded_update(parameters, symmetric_of(delassus.diagonal, delassus.off_diagonal),
                                        bounded_box_of(rows, parameters), r.value,
                                        bounded_velocity(block, rows, parameters, r.value, a, b));
    block_impulse change = step.impulse;
    change.value = glms_vec3_sub(step.impulse.value, r.value);
    body_impulse none;
    none.linear = none.angular = glms_vec3_zero();
    const body_impulse on_a = body_impulse_plus(none, block, change, 0),
                       on_b = body_impulse_plus(none, block, change, 1);
    step.a = velocity_after(a, mobility_a, on_a.linear, on_a.angular);
    step.b = velocity_after(b, mobility_b, on_b.linear, on_b.angular);
    return step;
}

/* Mass-split Jacobi update. */
RARE block_impulse bounded_updated(constraint_block block, bounded_rows rows, solve_parameters parameters,
                                   block_impulse r, body_velocity a, body_velocity b,
                                   body_mobility mobility_a, body_mobility mobility_b, body_split split_a,
                                   body_split split_b) {
    const symmetric3 delassus =
        block_delassus(block, mobility_a, mobility_b, parameters.split == 2 ? split_a.remainder : split_a.all,
                       parameters.split == 2 ? split_b.remainder : split_b.all);
    r.value = bounded_update(parameters, bounded_delassus(delassus, rows), bounded_box_of(rows, parameters),
                             r.value, bounded_velocity(block, rows, parameters, r.value, a, b));
    return r;
}

/* Returns the error of bounded rows at the impulse r and the velocities of their bodies. */
SHARED block_error bounded_error(constraint_block block, bounded_rows rows, block_diagonal delassus,
                                 solve_parameters parameters, vec3s r, body_velocity a, body_velocity b) {
    const scalar rho = residual_step(delassus);
    const vec3s u = bounded_velocity(block, rows, parameters, r, a, b);
    return block_error_of(parameters.law, bounded_natural_map(r, u, bounded_box_of(rows, parameters), rho),
                          rho, 0,
                          block_is_angular(block) ? angular_speeds(block, a, b) : linear_speeds(block, a, b));
}

/* Same contract as block_residual_of. */
RARE block_residual bounded_residual_of(constraint_block block, bounded_rows rows, block_diagonal delassus,
                                        solve_parameters parameters, block_impulse r, block_impulse kept,
                                        body_velocity a, body_velocity b, body_velocity free_a,
                                        body_velocity free_b) {
    return block_residual_with(
        bounded_error(block, rows, delassus, parameters, r.value, a, b),
        bounded_error(block, rows, delassus, parameters, glms_vec3_zero(), free_a, free_b), r.value,
        kept.value);
}

#endif

#endif
