/* Momentum between iterations (Nesterov 1983) with gradient restart (O'Donoghue & Candès 2015): the next
 * iteration begins at y = r + β (r − r_old) with β = (t − 1)/t⁺ and t⁺ = (1 + √(1 + 4t²))/2. It restarts, t⁺
 * = 1 and β = 0, when an iteration opposes the previous one: Σ λ (y − r)·(r − r_old) > 0, λ a bound of A_cc.
 * A ceiling on t limits how many iterations the momentum remembers. */
#ifndef SCREE_KERNELS_NESTEROV_H
#define SCREE_KERNELS_NESTEROV_H

#include "bounded_rows.h"

/* Returns one block's contribution to the restart test. */
SHARED scalar block_uphill(block_diagonal delassus, block_impulse start, block_impulse r,
                           block_impulse before) {
    const scalar bound = delassus.diagonal.x + delassus.diagonal.y + delassus.diagonal.z;
    return bound * glms_vec3_dot(glms_vec3_sub(start.value, r.value), glms_vec3_sub(r.value, before.value));
}

SHARED nesterov_state nesterov_after(nesterov_state state, uniform uphill, uniform wanted) {
    const uniform ceiling = wanted > 0 ? wanted : state.ceiling;
    const uniform free = (1 + uniform_sqrt(1 + 4 * state.t * state.t)) / 2,
                  next = free < ceiling ? free : ceiling;
    state.extrapolation = ((state.t < ceiling ? state.t : ceiling) - 1) / next;
    state.t = next;
    if (uphill > 0) {
        state.t = 1, state.extrapolation = 0;
        state.restarts++;
    }
    return state;
}

/* Returns Coulomb's shift μ‖u_T‖ at the current iterate. Held constant until it is read again, it makes the
 * law convex. */
SHARED scalar block_shift(constraint_block block, solve_parameters parameters, body_velocity a,
                          body_velocity b) {
    if (parameters.law != LAW_COULOMB || parameters.position_pass || !block_is_contact(block))
        return scalar_of(0);
    const vec3s u = block_drifting(block, block_relative_velocity(block, a, b));
    return block.friction * scalar_sqrt(u.y * u.y + u.z * u.z);
}

/* Returns x + β (x − x_old), applied to each component of impulses and velocities: velocities are linear in
 * r, so both are extrapolated alike. */
SHARED scalar extrapolated(scalar x, scalar before, scalar extrapolation) {
    return x + (x - before) * extrapolation;
}

SHARED vec3s vec3_extrapolated(vec3s v, vec3s before, scalar extrapolation) {
    return vec3_of(extrapolated(v.x, before.x, extrapolation), extrapolated(v.y, before.y, extrapolation),
                   extrapolated(v.z, before.z, extrapolation));
}

/* Keeps the shift of r. */
SHARED block_impulse impulse_extrapolated(block_impulse r, block_impulse before, scalar extrapolation) {
    r.value = vec3_extrapolated(r.value, before.value, extrapolation);
    return r;
}

SHARED body_velocity velocity_extrapolated(body_velocity v, body_velocity before, scalar extrapolation) {
    v.linear = vec3_extrapolated(v.linear, before.linear, extrapolation);
    v.angular = vec3_extrapolated(v.angular, before.angular, extrapolation);
    return v;
}

/* Sweeps round the velocities in each update; gathered velocities are free of that error. The gather must
 * also correct the previous iterate: otherwise momentum would treat the rounding d as motion, which with β
 * near 1 grows to d/(1 − β) until the next gather, and again after it. */
SHARED body_velocity velocity_moved(body_velocity before, body_velocity swept, body_velocity gathered) {
    before.linear = glms_vec3_add(before.linear, glms_vec3_sub(gathered.linear, swept.linear));
    before.angular = glms_vec3_add(before.angular, glms_vec3_sub(gathered.angular, swept.angular));
    return before;
}

#endif
