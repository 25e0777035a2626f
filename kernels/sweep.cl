/* Entry points of sweeps over groups of any blocks. Those over single contacts of balls are in balls.cl. */
#include "joint_system.h"
#include "bounded_rows.h"

/* Presses a group of contacts: solves their normal impulses and applies them to the two bodies. */
SHARED void press_group(const block_group group, global const constraint_block *blocks,
                               global const block_diagonal *diagonals, global block_impulse *impulses,
                               const body_mobility mobility_a, const body_mobility mobility_b,
                               const solve_parameters parameters, const int sweeps, body_velocity *a,
                               body_velocity *b) {
    press rows;
    rows.count = group.count;
    for (int k = 0; k < group.count; k++) {
        const int i = group_block(group, parameters, k);
        rows.rows[k] = press_row_of(blocks[i], diagonals[i], parameters, impulses[i], *a, *b, mobility_a, mobility_b, 0);
    }
    const press_impulses pressed = press_swept(&rows, sweeps, parameters.relaxation);
    *a = press_applied(&rows, pressed, *a, -1), *b = press_applied(&rows, pressed, *b, 1);
    for (int k = 0; k < group.count; k++) {
        const int i = group_block(group, parameters, k);
        impulses[i] = impulse_pressed(impulses[i], pressed.values[k], parameters);
    }
}

SHARED void put_velocity(scalar *to, const body_velocity v) {
    to[0] = v.linear.x, to[1] = v.linear.y, to[2] = v.linear.z, to[3] = v.reserved;
    to[4] = v.angular.x, to[5] = v.angular.y, to[6] = v.angular.z, to[7] = v.reserved_angular;
}

SHARED body_velocity velocity_at(const scalar *from, body_velocity v) {
    v.linear = vec3_of(from[0], from[1], from[2]), v.angular = vec3_of(from[4], from[5], from[6]);
    return v;
}

/* Solves the rows of a joint, whose first block is given, and applies their impulses to its bodies. */
SHARED void sweep_system(global const joint_system *system, global const bounded_rows *rows,
                                global block_impulse *impulses, const solve_parameters parameters, body_velocity *a, body_velocity *b) {
    system_state state;
    put_velocity(state.velocities, *a), put_velocity(state.velocities + 8, *b);
    for (int i = 0; 4 * i < system->stride; i++) {
        const block_impulse r = impulses[i];
        state.impulses[4 * i] = r.value.x, state.impulses[4 * i + 1] = r.value.y;
        state.impulses[4 * i + 2] = r.value.z, state.impulses[4 * i + 3] = r.shift;
        const vec3s bias = parameters.position_pass ? rows[i].correction : rows[i].bias;
        state.bias[4 * i] = bias.x, state.bias[4 * i + 1] = bias.y, state.bias[4 * i + 2] = bias.z;
        state.bias[4 * i + 3] = 0;
    }
    system_swept(system, parameters.relaxation, &state);
    for (int i = 0; 4 * i < system->stride; i++)
        impulses[i].value =
            vec3_of(state.impulses[4 * i], state.impulses[4 * i + 1], state.impulses[4 * i + 2]);
    *a = velocity_at(state.velocities, *a), *b = velocity_at(state.velocities + 8, *b);
}

/* Returns the number of sweeps over a group; a single block is swept once. */
SHARED local_sweeps sweeps_of(const block_group group, global const constraint_block *blocks,
                                     global const int *row_systems, const solve_parameters parameters) {
    local_sweeps once;
    once.pressed = 0, once.whole = 1;
    if (group.count == 1) return once;
    int contacts = 0, continued = 0;
    for (int i = group.first; i < group.first + group.count; i++) {
        contacts += block_is_contact(blocks[i]);
        continued += block_is_bounded(blocks[i]) && row_systems[blocks[i].rows] == SYSTEM_CONTINUED;
    }
    return group_sweeps(group.count - continued, contacts, blocks[group.first + group.count - 1], parameters);
}

/* Sweeps the blocks of a group one after another, with the two bodies' velocities in registers. Only movable
 * bodies are written, since groups of a colour may share one that does not move. */
SHARED void sweep_group(const block_group group, global const constraint_block *blocks,
                               global const bounded_rows *rows, global const int *row_systems,
                  global const joint_system *systems, global const block_diagonal *diagonals,
                               global block_impulse *impulses,
                               global body_velocity *velocities, global const body_mobility *mobility,
                               const solve_parameters parameters) {
    if (group.count == 0) return;
    const body_mobility mobility_a = mobility[group.body_a], mobility_b = mobility[group.body_b];
    body_velocity a = velocities[group.body_a], b = velocities[group.body_b];
    const local_sweeps sweeps = sweeps_of(group, blocks, row_systems, parameters);
    if (sweeps.pressed > 0)
        press_group(group, blocks, diagonals, impulses, mobility_a, mobility_b, parameters, sweeps.pressed, &a, &b);
    for (int sweep = 0; sweep < sweeps.whole; sweep++)
        for (int k = 0; k < group.count; k++) {
            const int i = group_block(group, parameters, k);
            const constraint_block block = blocks[i];
            block_step step;
            const int number = block_is_bounded(block) ? row_systems[block.rows] : SYSTEM_NONE;
            if (number == SYSTEM_CONTINUED) continue;
            if (number != SYSTEM_NONE) {
                sweep_system(&systems[number - 1], &rows[block.rows], &impulses[i], parameters, &a, &b);
                continue;
            }
            if (block_is_bounded(block)) {
                step = bounded_swept(block, rows[block.rows], diagonals[i], parameters, impulses[i], a, b,
                                     mobility_a, mobility_b);
            } else {
                const scalar normal = block_is_resistance(block) ? impulses[i - 1].value.x : 0;
                step = block_swept(block, diagonals[i], parameters, impulses[i], normal, a, b, mobility_a,
                                   mobility_b);
            }
            impulses[i] = step.impulse;
            a = step.a, b = step.b;
        }
    if (body_moves(mobility_a)) velocities[group.body_a] = a;
    if (body_moves(mobility_b)) velocities[group.body_b] = b;
}

/* One work-item per group of a colour. */
kernel void sweep(global const block_group *groups, global const constraint_block *blocks,
                  global const bounded_rows *rows, global const int *row_systems,
                  global const joint_system *systems, global const block_diagonal *diagonals, global block_impulse *impulses,
                  global body_velocity *velocities, global const body_mobility *mobility,
                  const solve_parameters parameters, const int first, const int count) {
    const int g = (int)get_global_id(0);
    if (g >= count) return;
    sweep_group(groups[first + g], blocks, rows, row_systems, systems, diagonals, impulses, velocities, mobility, parameters);
}

/* One work-group per bundle, starting at bundle `first`; its ranks run one after another (sweep_plan.h). */
kernel void sweep_bundles(global const block_group *groups, global const constraint_block *blocks,
                          global const bounded_rows *rows, global const int *row_systems,
                  global const joint_system *systems, global const block_diagonal *diagonals, global block_impulse *impulses,
                          global body_velocity *velocities, global const body_mobility *mobility,
                          const solve_parameters parameters, global const int *order, global const int *rank_first,
                          global const int *bundle_first, const int first) {
    const int bundle = first + (int)get_group_id(0), last = bundle_first[bundle + 1];
    for (int rank = bundle_first[bundle]; rank < last; rank++) {
        const int end = rank_first[rank + 1];
        for (int k = rank_first[rank] + (int)get_local_id(0); k < end; k += (int)get_local_size(0))
            sweep_group(groups[order[k] >> ORDER_SHIFT], blocks, rows, row_systems, systems, diagonals, impulses, velocities, mobility, parameters);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
