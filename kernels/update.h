/* One update of one block, on which all methods are built. */
#ifndef SCREE_KERNELS_UPDATE_H
#define SCREE_KERNELS_UPDATE_H

#include "press.h"
#include "resistance.h"

SHARED scalar block_friction(constraint_block block, solve_parameters parameters) {
    return parameters.position_pass ? scalar_of(0) : block.friction;
}

/* Returns the velocity u in the block's law: J V, for a contact with bias + CFM/h r_N on the normal row and
 * its surface velocity on the others. */
SHARED vec3s block_velocity(constraint_block block, solve_parameters parameters, vec3s r, body_velocity a,
                            body_velocity b) {
    vec3s u = block_relative_velocity(block, a, b);
    if (block_is_resistance(block)) return u;
    u.x += parameters.position_pass ? block.correction : block.bias + block.compliance * r.x;
    return parameters.position_pass ? u : block_drifting(block, u);
}

/* Moves r towards the block's solution by ω, and back to the admissible set if ω > 1 left it. */
SHARED vec3s block_relaxed(solve_parameters parameters, vec3s r, vec3s solved, scalar friction) {
    if (parameters.relaxation == 1) return solved;
    const vec3s relaxed =
        glms_vec3_add(r, glms_vec3_scale(glms_vec3_sub(solved, r), scalar_of(parameters.relaxation)));
    return law_admissible(parameters.law, relaxed, friction);
}

/* Solves the block with everything else held constant: A_cc r' + (u − A_cc r) under the law. */
SHARED vec3s block_solve(constraint_block block, solve_parameters parameters, symmetric3 delassus,
                         schur2 prepared, vec3s r, vec3s u) {
    const scalar friction = block_friction(block, parameters);
    return block_relaxed(parameters, r, law_swept(parameters.law, delassus, prepared, r, u, friction),
                         friction);
}

/* Computes the parts of a contact's A_cc that a sweep reads repeatedly; none if A_cc is diag(a, t, t). */
SHARED schur2 contact_prepared(block_diagonal a, solve_parameters parameters, int isotropic) {
    return law_prepared(isotropic || parameters.position_pass ? LAW_RADIAL : parameters.law,
                        symmetric_of(a.diagonal, a.off_diagonal));
}

/* Same as block_solve, with A_cc and its inverses prepared. `isotropic`: A_cc is diag(a, t, t) in all lanes.
 */
SHARED vec3s block_solve_prepared(constraint_block block, block_diagonal a, schur2 prepared,
                                  solve_parameters parameters, int isotropic, vec3s r, vec3s u) {
    if (!isotropic)
        return block_solve(block, parameters, symmetric_of(a.diagonal, a.off_diagonal), prepared, r, u);
    const vec3s x =
        vec3_of(r.x - u.x * a.inverse_normal, r.y - u.y * a.inverse_tangent, r.z - u.z * a.inverse_tangent);
    return block_relaxed(
        parameters, r,
        law_solve_isotropic(parameters.law, x, block.friction, a.diagonal.y * a.inverse_normal),
        block.friction);
}

/* Number of sweeps over a group before the next group is visited: over its normal rows alone, then over all
 * rows. The corners of a face contact are strongly coupled, and another sweep is cheap while both bodies are
 * in registers. The numbers are fixed: stopping when nothing changes pays only if every lane of a wide sweep
 * has converged, which almost never happens. A single point with its resistance is swept once: four sweeps
 * double the time of a heap's run and leave the residual unchanged. */
typedef struct local_sweeps {
    int pressed, whole;
} local_sweeps;

/* Local sweeps for `points` contacts with nothing else between two bodies. Half of the sweeps press, which is
 * cheaper; in the position pass, which has normal rows only, all of them do. With a single whole sweep a wall
 * of bricks needs three times the iterations, because friction turns bricks as much as their weight does.
 * Pressing preserves the solution if the normal row is complementary by itself, r_N ≥ 0 ⟂ u_N ≥ 0: under the
 * exact law and the pyramid. Sliding contacts have u_N > 0 under the convex law, and u_N < 0 under the radial
 * one, which reduces a free solution. */
SHARED local_sweeps manifold_sweeps(int points, solve_parameters parameters) {
    local_sweeps sweeps;
    sweeps.pressed = 0, sweeps.whole = points > 1 ? parameters.local_sweeps : 1;
    if (points < 2 || points > PRESS_POINTS) return sweeps;
    if (parameters.position_pass) {
        sweeps.pressed = sweeps.whole, sweeps.whole = 0;
    } else if (parameters.law != LAW_ASSOCIATED && parameters.law != LAW_RADIAL && !parameters.held_shift) {
        sweeps.pressed = sweeps.whole / 2, sweeps.whole -= sweeps.pressed;
    }
    return sweeps;
}

/* Local sweeps for `points` contacts with other blocks between the two bodies: each contact with its
 * resistance. */
SHARED local_sweeps resisted_sweeps(int points, solve_parameters parameters) {
    local_sweeps sweeps;
    sweeps.pressed = 0, sweeps.whole = points > 1 ? parameters.local_sweeps : 1;
    return sweeps;
}

/* Local sweeps for a group of any blocks, of which `contacts` are contacts; `last` is the group's last block.
 */
SHARED local_sweeps group_sweeps(int blocks, int contacts, constraint_block last,
                                 solve_parameters parameters) {
    if (blocks == contacts) return manifold_sweeps(blocks, parameters);
    return resisted_sweeps(block_is_resistance(last) ? blocks / 2 : blocks, parameters);
}

/* Returns a contact's impulse with r_N replaced by the pressed one. */
SHARED block_impulse impulse_pressed(block_impulse r, scalar normal, solve_parameters parameters) {
    if (parameters.position_pass) r.value = glms_vec3_zero(), r.shift = scalar_of(0);
    r.value.x = normal;
    return r;
}

/* Returns the index of the k-th block of a group in the order of the sweep. */
SHARED int group_block(block_group group, solve_parameters parameters, int k) {
    return parameters.backward ? group.first + group.count - 1 - k : group.first + k;
}

/* A block's new impulse and the resulting velocities of its bodies. */
typedef struct block_step {
    block_impulse impulse;
    body_velocity a, b;
} block_step;

/* Gauss–Seidel update in the position pass, where only the normal row acts: r_N ≥ 0 ⟂ u_N + A_NN Δr_N ≥ 0. */
SHARED block_step block_pushed(constraint_block block, block_diagonal delassus, solve_parameters parameters,
                               block_impulse r, body_velocity a, body_velocity b, body_mobility mobility_a,
                               body_mobility mobility_b, int round) {
    const scalar u = glms_vec3_dot(block.normal, block_approach(block, a, b)) + block.correction;
    const scalar solved =
        choose(delassus.inverse_normal > 0, scalar_max(r.value.x - u * delassus.inverse_normal, scalar_of(0)),
               scalar_of(0));
    const scalar relaxed =
        scalar_max(r.value.x + (solved - r.value.x) * scalar_of(parameters.relaxation), scalar_of(0));
    const vec3s p = glms_vec3_scale(block.normal, relaxed - r.value.x), minus = glms_vec3_negate(p);
    block_step step;
    step.impulse.value = vec3_of(relaxed, scalar_of(0), scalar_of(0));
    step.impulse.shift = scalar_of(0);
    step.a = velocity_pushed(a, mobility_a, round, minus, glms_vec3_cross(block.arm_a, minus));
    step.b = velocity_pushed(b, mobility_b, round, p, glms_vec3_cross(block.arm_b, p));
    return step;
}

/* Returns the bounds from the normal impulse of the contact; zero in the position pass, which does not undo
 * rotations. */
SHARED resistance_bound resistance_bound_of(constraint_block block, int position_pass, scalar normal) {
    const scalar pressed = position_pass ? scalar_of(0) : scalar_max(normal, scalar_of(0));
    resistance_bound bound;
    bound.spinning = block.spinning * pressed;
    bound.rolling = block.rolling * pressed;
    return bound;
}

/* Returns u of a resistance. */
SHARED vec3s resistance_velocity(constraint_block block, body_velocity a, body_velocity b) {
    return block_to_frame(block, glms_vec3_scale(glms_vec3_sub(b.angular, a.angular), block.length));
}

/* Applies a resistance's new impulse to its bodies. Torques do not move centres of mass. */
SHARED block_step resistance_applied(constraint_block block, block_impulse r, vec3s solved, body_velocity a,
                                     body_velocity b, body_mobility mobility_a, body_mobility mobility_b,
                                     int round) {
    const vec3s l = glms_vec3_scale(block_to_world(block, glms_vec3_sub(solved, r.value)), block.length);
    block_step step;
    step.impulse.value = solved;
    step.impulse.shift = r.shift;
    step.a = velocity_turned(a, mobility_a, round, glms_vec3_negate(l));
    step.b = velocity_turned(b, mobility_b, round, l);
    return step;
}

/* Updates a resistance with A_cc = diag(a, t, t) (spheres), by ω: its rows couple through their bounds only.
 */
SHARED vec3s resistance_update_isotropic(solve_parameters parameters, block_diagonal delassus, vec3s r,
                                         vec3s u, resistance_bound bound) {
    const scalar n = parameters.relaxation * delassus.inverse_normal,
                 t = parameters.relaxation * delassus.inverse_tangent;
    return resistance_clamp(vec3_of(r.x - u.x * n, r.y - u.y * t, r.z - u.z * t), bound);
}

/* Gauss–Seidel update of a resistance with A_cc = diag(a, t, t). */
SHARED block_step resistance_swept_isotropic(constraint_block block, block_diagonal delassus,
                                             solve_parameters parameters, block_impulse r, scalar normal,
                                             body_velocity a, body_velocity b, body_mobility mobility_a,
                                             body_mobility mobility_b, int round) {
    const vec3s solved =
        resistance_update_isotropic(parameters, delassus, r.value, resistance_velocity(block, a, b),
                                    resistance_bound_of(block, 0, normal));
    return resistance_applied(block, r, solved, a, b, mobility_a, mobility_b, round);
}

/* Moves r towards the solution by ω. */
SHARED vec3s resistance_relaxed(solve_parameters parameters, vec3s r, vec3s solved, resistance_bound bound) {
    if (parameters.relaxation == 1) return solved;
    return resistance_clamp(
        glms_vec3_add(r, glms_vec3_scale(glms_vec3_sub(solved, r), scalar_of(parameters.relaxation))), bound);
}

/* Solves a resistance with everything else held constant, by ω. */
SHARED vec3s resistance_update_prepared(solve_parameters parameters, symmetric3 delassus,
                                        resistance_discs discs, vec3s r, vec3s u, resistance_bound bound) {
    const vec3s q = glms_vec3_sub(u, symmetric_times(delassus, r));
    return resistance_relaxed(parameters, r, resistance_solve_prepared(delassus, discs, q, bound), bound);
}

#if SCREE_WIDTH == 1

SHARED vec3s resistance_update(solve_parameters parameters, symmetric3 delassus, vec3s r, vec3s u,
                               resistance_bound bound) {
    return resistance_update_prepared(parameters, delassus, resistance_prepared(delassus), r, u, bound);
}

/* Gauss–Seidel update of a resistance. */
RARE block_step resistance_swept(constraint_block block, block_diagonal delassus, solve_parameters parameters,
                                 block_impulse r, scalar normal, body_velocity a, body_velocity b,
                                 body_mobility mobility_a, body_mobility mobility_b) {
    block_step step;
    step.impulse = r, step.a = a, step.b = b;
    if (parameters.position_pass) return step;
    if (delassus.inverse_tangent > 0)
        return resistance_swept_isotropic(block, delassus, parameters, r, normal, a, b, mobility_a,
                                          mobility_b, 0);
    const vec3s solved =
        resistance_update(parameters, symmetric_of(delassus.diagonal, delassus.off_diagonal), r.value,
                          resistance_velocity(block, a, b), resistance_bound_of(block, 0, normal));
    return resistance_applied(block, r, solved, a, b, mobility_a, mobility_b, 0);
}

#endif

/* Returns u of a contact in a sweep. */
SHARED vec3s contact_velocity(constraint_block block, solve_parameters parameters, block_impulse r,
                              body_velocity a, body_velocity b) {
    vec3s u = block_velocity(block, parameters, r.value, a, b);
    if (parameters.held_shift) u.x += r.shift;
    return u;
}

/* Applies a contact's new impulse to its bodies. */
SHARED block_step contact_applied(constraint_block block, block_impulse r, vec3s solved, body_velocity a,
                                  body_velocity b, body_mobility mobility_a, body_mobility mobility_b,
                                  int round) {
    const vec3s p = block_to_world(block, glms_vec3_sub(solved, r.value));
    const vec3s minus = glms_vec3_negate(p);
    block_step step;
    step.impulse.value = solved;
    step.impulse.shift = r.shift;
    step.a = velocity_pushed(a, mobility_a, round, minus, glms_vec3_cross(block.arm_a, minus));
    step.b = velocity_pushed(b, mobility_b, round, p, glms_vec3_cross(block.arm_b, p));
    return step;
}

/* Gauss–Seidel update of a contact: solves it at the bodies' current velocities and applies the change to
 * them. `prepared` comes from contact_prepared; `round`: both bodies' mobilities are the same in all
 * directions, in all lanes. */
SHARED block_step contact_swept(constraint_block block, block_diagonal delassus, schur2 prepared,
                                solve_parameters parameters, int isotropic, block_impulse r, body_velocity a,
                                body_velocity b, body_mobility mobility_a, body_mobility mobility_b,
                                int round) {
    if (parameters.position_pass)
        return block_pushed(block, delassus, parameters, r, a, b, mobility_a, mobility_b, round);
    const vec3s u = contact_velocity(block, parameters, r, a, b);
    const vec3s solved = block_solve_prepared(block, delassus, prepared, parameters, isotropic, r.value, u);
    return contact_applied(block, r, solved, a, b, mobility_a, mobility_b, round);
}

#if SCREE_WIDTH == 1
/* Gauss–Seidel update of a contact or a resistance; `normal` is r_N of the block before, which bounds a
 * resistance. */
SHARED block_step block_swept(constraint_block block, block_diagonal delassus, solve_parameters parameters,
                              block_impulse r, scalar normal, body_velocity a, body_velocity b,
                              body_mobility mobility_a, body_mobility mobility_b) {
    if (block_is_resistance(block))
        return resistance_swept(block, delassus, parameters, r, normal, a, b, mobility_a, mobility_b);
    const int isotropic = delassus.inverse_tangent > 0;
    return contact_swept(block, delassus, contact_prepared(delassus, parameters, isotropic), parameters,
                         isotropic, r, a, b, mobility_a, mobility_b, 0);
}

/* Jacobi update: solves the block with each body's mass split among its blocks (parameters.split). Velocities
 * are unchanged. `normal` as in block_swept. */
SHARED block_impulse block_updated(constraint_block block, solve_parameters parameters, block_impulse r,
                                   scalar normal, body_velocity a, body_velocity b, body_mobility mobility_a,
                                   body_mobility mobility_b, body_split split_a, body_split split_b) {
    const symmetric3 delassus =
        block_delassus(block, mobility_a, mobility_b, parameters.split == 2 ? split_a.remainder : split_a.all,
                       parameters.split == 2 ? split_b.remainder : split_b.all);
    if (block_is_resistance(block)) {
        r.value = resistance_update(parameters, delassus, r.value, block_relative_velocity(block, a, b),
                                    resistance_bound_of(block, parameters.position_pass, normal));
        return r;
    }
    vec3s u = block_velocity(block, parameters, r.value, a, b);
    if (parameters.held_shift) u.x += r.shift;
    r.value = block_solve(block, parameters, delassus, law_prepared(parameters.law, delassus), r.value, u);
    return r;
}

#endif

/* Returns V* of the pass: zero in the position pass. */
SHARED body_velocity velocity_of_pass(body_velocity free_velocity, solve_parameters parameters) {
    if (parameters.position_pass) {
        free_velocity.linear = glms_vec3_zero();
        free_velocity.angular = glms_vec3_zero();
    }
    return free_velocity;
}

/* Returns V* + M⁻¹ Σ Jᵀ r of one body, from the sum over its blocks. */
SHARED body_velocity velocity_gathered(body_velocity free_velocity, body_mobility mobility, body_impulse sum,
                                       solve_parameters parameters) {
    return velocity_after(velocity_of_pass(free_velocity, parameters), mobility, sum.linear, sum.angular);
}

#endif
