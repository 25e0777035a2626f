/* Entry points of the sweep over groups that are one contact of balls each, or of a ball and what nothing moves. Each
 * method's sweep over them is a program of its own, since what is known when it is compiled needs neither registers nor
 * branches on a device: SWEEP_LAW (law_kind), SWEEP_HELD (held_shift) and SWEEP_POSITIONS (position_pass). */
#include "update.h"

/* The bits are those of sweep_group (sweep.cl): the bodies are round, so that their inertia has one number, A_cc is
 * diag(a, t, t), and the contact has no drift. */
static inline void sweep_ball(const block_group group, global const constraint_block *blocks,
                              global const block_diagonal *diagonals, global block_impulse *impulses,
                              global body_velocity *velocities, global const body_mobility *mobility,
                              solve_parameters parameters) {
    parameters.law = SWEEP_LAW, parameters.held_shift = SWEEP_HELD, parameters.position_pass = SWEEP_POSITIONS;
#if !SWEEP_RELAXED
    parameters.relaxation = 1;
#endif
    constraint_block block = blocks[group.first];
    block.kind = BLOCK_CONTACT, block.angular = 0;
    block.rolling = 0, block.spinning = 0;
    const block_diagonal delassus = diagonals[group.first];
    const body_mobility mobility_a = mobility[group.body_a], mobility_b = mobility[group.body_b];
    block_step step = contact_swept(block, delassus, contact_prepared(delassus, parameters, 1), parameters, 1,
                                    impulses[group.first], velocities[group.body_a], velocities[group.body_b],
                                    mobility_a, mobility_b, 1);
    step.a.reserved = 0, step.a.reserved_angular = 0, step.b.reserved = 0, step.b.reserved_angular = 0;
    impulses[group.first] = step.impulse;
    if (mobility_a.inverse_mass.x > 0) velocities[group.body_a] = step.a;
    if (mobility_b.inverse_mass.x > 0) velocities[group.body_b] = step.b;
}

/* One work-item per group of a colour. */
kernel void sweep_balls(global const block_group *groups, global const constraint_block *blocks,
                        global const block_diagonal *diagonals, global block_impulse *impulses,
                        global body_velocity *velocities, global const body_mobility *mobility,
                        const solve_parameters parameters, const int first, const int count) {
    const int g = (int)get_global_id(0);
    if (g >= count) return;
    sweep_ball(groups[first + g], blocks, diagonals, impulses, velocities, mobility, parameters);
}

/* One work-group per bundle, from `first` on: its ranks one after the other (sweep_plan.h). */
kernel void sweep_ball_bundles(global const block_group *groups, global const constraint_block *blocks,
                               global const block_diagonal *diagonals, global block_impulse *impulses,
                               global body_velocity *velocities, global const body_mobility *mobility,
                               const solve_parameters parameters, global const int *order,
                               global const int *rank_first, global const int *bundle_first, const int first) {
    const int bundle = first + (int)get_group_id(0);
    /* Ends are read again and again: they would take registers. */
    for (int rank = bundle_first[bundle]; rank < bundle_first[bundle + 1]; rank++) {
        for (int k = rank_first[rank] + (int)get_local_id(0); k < rank_first[rank + 1]; k += WORK_GROUP)
            sweep_ball(groups[order[k]], blocks, diagonals, impulses, velocities, mobility, parameters);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
