/* Entry points of the sweep over groups that are one contact each, of two balls or of a ball and an immovable
 * body. Each method's sweep is a separate program, because compile-time constants need neither registers nor
 * branches on a device (bench/registers, sm_90: at most 72 and no stack, where sweep.cl has 143 and 624
 * bytes): SWEEP_LAW (law_kind), SWEEP_HELD (held_shift) and SWEEP_POSITIONS (position_pass). */
#include "chunks.h"

typedef struct ball_bodies {
    body_velocity a, b;
} ball_bodies;

SHARED body_mobility mobility_of_ball(const scalar push, const scalar turn) {
    body_mobility m;
    m.inverse_mass = vec3_of(push, 0, 0), m.diagonal = vec3_of(turn, 0, 0);
    m.off_diagonal = glms_vec3_zero();
    return m;
}

/* Sweeps one group from an impulse and the velocities of its bodies, and returns the new impulse. The bits
 * equal those of sweep_group (sweep.cl): the bodies are round, so their inertia is one number, A_cc is
 * diag(a, t, t), and the contact has no surface velocity. */
SHARED block_impulse sweep_ball(const block_group group, global const constraint_block *blocks,
                                const block_diagonal delassus, global block_impulse *impulses,
                                global body_velocity *velocities, global const ball_mobility *mobility,
                                solve_parameters parameters, const block_impulse impulse, const ball_bodies bodies) {
    parameters.law = SWEEP_LAW, parameters.held_shift = SWEEP_HELD, parameters.position_pass = SWEEP_POSITIONS;
#if !SWEEP_RELAXED
    parameters.relaxation = 1;
#endif
    constraint_block block = blocks[group.first];
    block.kind = BLOCK_CONTACT, block.angular = 0;
    block.rolling = 0, block.spinning = 0;
    const ball_mobility both = mobility[group.first];
    block_step step = contact_swept(block, delassus, contact_prepared(delassus, parameters, 1), parameters, 1, impulse,
                                    bodies.a, bodies.b, mobility_of_ball(both.push_a, both.turn_a),
                                    mobility_of_ball(both.push_b, both.turn_b), 1);
    step.a.reserved = 0, step.a.reserved_angular = 0, step.b.reserved = 0, step.b.reserved_angular = 0;
    impulses[group.first] = step.impulse;
    if (both.push_a > 0) velocities[group.body_a] = step.a;
    if (both.push_b > 0) velocities[group.body_b] = step.b;
    return step.impulse;
}

SHARED ball_bodies bodies_of(const block_group group, global const body_velocity *velocities) {
    ball_bodies bodies;
    bodies.a = velocities[group.body_a], bodies.b = velocities[group.body_b];
    return bodies;
}

/* One work-item per group of a colour. */
kernel void sweep_balls(global const block_group *groups, global const constraint_block *blocks,
                        global const block_diagonal *diagonals, global block_impulse *impulses,
                        global body_velocity *velocities, global const ball_mobility *mobility,
                        const solve_parameters parameters, const int first, const int count) {
    const int g = (int)get_global_id(0);
    if (g >= count) return;
    const block_group group = groups[first + g];
    sweep_ball(group, blocks, diagonals[group.first], impulses, velocities, mobility, parameters,
               impulses[group.first], bodies_of(group, velocities));
}

/* One work-group per bundle, starting at bundle `first`; its ranks run one after another (sweep_plan.h). */
kernel void sweep_ball_bundles(global const block_group *groups, global const constraint_block *blocks,
                               global const block_diagonal *diagonals, global block_impulse *impulses,
                               global body_velocity *velocities, global const ball_mobility *mobility,
                               const solve_parameters parameters, global const int *order,
                               global const int *rank_first, global const int *bundle_first, const int first) {
    const int bundle = first + (int)get_group_id(0);
    /* The ends are read from memory repeatedly: keeping them would take registers. */
    for (int rank = bundle_first[bundle]; rank < bundle_first[bundle + 1]; rank++) {
        for (int k = rank_first[rank] + (int)get_local_id(0); k < rank_first[rank + 1]; k += WORK_GROUP) {
            const block_group group = groups[order[k] >> ORDER_SHIFT];
            sweep_ball(group, blocks, diagonals[group.first], impulses, velocities, mobility, parameters,
                       impulses[group.first], bodies_of(group, velocities));
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

#if !SWEEP_HELD && !SWEEP_POSITIONS
/* Momentum of nesterov_step (nesterov.cl). The first launch of a sweep (`chunks` > 0) computes the state for
 * all launches; each block applies it when it is swept, and leaves its term of the next restart test. */
SHARED nesterov_state momentum_after(global nesterov_state *states, global const scalar *sums,
                                            const scalar ceiling, const int from, const int chunks, local scalar *items) {
    const scalar total = chunks_total(sums, chunks, items); /* in every launch: it has barriers */
    const nesterov_state found = states[chunks == 0 ? 1 - from : from];
    const nesterov_state state = chunks == 0 ? found : nesterov_after(found, total, ceiling);
    if (chunks > 0 && get_global_id(0) == 0) states[1 - from] = state;
    return state;
}

SHARED body_velocity velocity_ahead(const body_velocity v, global body_velocity *before, const scalar extrapolation) {
    const body_velocity y = velocity_extrapolated(v, *before, extrapolation);
    *before = v;
    return y;
}

/* Sweeps one group from y. */
SHARED void sweep_ball_ahead(const block_group group, global const constraint_block *blocks,
                             global const block_diagonal *diagonals, global block_impulse *impulses,
                             global body_velocity *velocities, global const ball_mobility *mobility,
                             const solve_parameters parameters, global scalar *terms, global block_impulse *before,
                             const scalar extrapolation, const ball_bodies bodies) {
    const block_diagonal delassus = diagonals[group.first];
    const block_impulse r = impulses[group.first],
                        y = impulse_extrapolated(r, before[group.first], extrapolation);
    before[group.first] = r;
    terms[group.first] = block_uphill(
        delassus, y, sweep_ball(group, blocks, delassus, impulses, velocities, mobility, parameters, y, bodies), r);
}

/* Same as sweep_balls, for sweeps whose bodies are at y already (nesterov_bodies). */
kernel void sweep_balls_ahead(global const block_group *groups, global const constraint_block *blocks,
                              global const block_diagonal *diagonals, global block_impulse *impulses,
                              global body_velocity *velocities, global const ball_mobility *mobility,
                              const solve_parameters parameters, const int first, const int count,
                              global const nesterov_state *state, global scalar *terms,
                              global block_impulse *before, const int at) {
    const int g = (int)get_global_id(0);
    if (g >= count) return;
    const block_group group = groups[first + g];
    sweep_ball_ahead(group, blocks, diagonals, impulses, velocities, mobility, parameters, terms, before,
                     state[at].extrapolation, bodies_of(group, velocities));
}

/* Same as sweep_ball_bundles, for sweeps that begin at y. Each body gets there at its first group, as `flags` of the
 * order tell; 0: all bodies are there already. */
kernel void sweep_ball_bundles_ahead(global const block_group *groups, global const constraint_block *blocks,
                                     global const block_diagonal *diagonals, global block_impulse *impulses,
                                     global body_velocity *velocities, global const ball_mobility *mobility,
                                     const solve_parameters parameters, global const int *order,
                                     global const int *rank_first, global const int *bundle_first, const int first,
                                     global nesterov_state *states, global const scalar *sums,
                                     global scalar *terms, global block_impulse *before,
                                     global body_velocity *velocities_before, const int from, const int chunks,
                                     const int flags) {
    local scalar items[WORK_GROUP];
    const int bundle = first + (int)get_group_id(0);
    const scalar extrapolation = momentum_after(states, sums, parameters.ceiling, from, chunks, items).extrapolation;
    for (int rank = bundle_first[bundle]; rank < bundle_first[bundle + 1]; rank++) {
        for (int k = rank_first[rank] + (int)get_local_id(0); k < rank_first[rank + 1]; k += WORK_GROUP) {
            const int entry = order[k];
            const block_group group = groups[entry >> ORDER_SHIFT];
            ball_bodies bodies = bodies_of(group, velocities);
            if (entry & flags & ORDER_FIRST_A)
                bodies.a = velocity_ahead(bodies.a, &velocities_before[group.body_a], extrapolation);
            if (entry & flags & ORDER_FIRST_B)
                bodies.b = velocity_ahead(bodies.b, &velocities_before[group.body_b], extrapolation);
            sweep_ball_ahead(group, blocks, diagonals, impulses, velocities, mobility, parameters, terms, before,
                             extrapolation, bodies);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
#endif
