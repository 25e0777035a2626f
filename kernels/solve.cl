/* Entry points of the iteration: one launch each of executor.h. */
#include "displacement.h"
#include "nesterov.h"
#include "joint_tree.h"

/* A_cc of each block and what is derived from it. */
kernel void prepare(global const constraint_block *blocks, global const bounded_rows *rows,
                    global const body_mobility *mobility, global block_diagonal *diagonals, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const constraint_block block = blocks[i];
    const body_mobility a = mobility[block.body_a], b = mobility[block.body_b];
    if (block_is_bounded(block))
        diagonals[i] = bounded_prepared(block, rows[block.rows], a, b);
    else
        diagonals[i] = block_prepared(block, a, b);
}

/* V = V* + M⁻¹ Σ Jᵀ r of a body over its blocks, in their order. */
static inline body_velocity gathered(global const constraint_block *blocks,
                                     global const block_impulse *impulses, global const int *incidence_first, global const int *incidence,
                                     const body_mobility mobility, const body_velocity free_velocity,
                                     const solve_parameters parameters, const int body) {
    body_impulse sum;
    sum.linear = glms_vec3_zero(), sum.angular = glms_vec3_zero();
    const int end = incidence_first[body + 1];
    for (int k = incidence_first[body]; k < end; k++) {
        const int block = incidence[k] >> 1;
        sum = body_impulse_plus(sum, blocks[block], impulses[block], incidence[k] & 1);
    }
    return velocity_gathered(free_velocity, mobility, sum, parameters);
}

/* One work-item per body. */
kernel void gather(global const constraint_block *blocks, global const block_impulse *impulses,
                   global const int *incidence_first, global const int *incidence,
                   global const body_mobility *mobility, global const body_velocity *free_velocity,
                   global body_velocity *velocities, const solve_parameters parameters, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    velocities[i] =
        gathered(blocks, impulses, incidence_first, incidence, mobility[i], free_velocity[i], parameters, i);
}

/* The same within momentum, whose velocities before move along. */
kernel void regather(global const constraint_block *blocks, global const block_impulse *impulses,
                     global const int *incidence_first, global const int *incidence,
                     global const body_mobility *mobility, global const body_velocity *free_velocity,
                     global body_velocity *velocities, global body_velocity *before,
                     const solve_parameters parameters, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const body_velocity v =
        gathered(blocks, impulses, incidence_first, incidence, mobility[i], free_velocity[i], parameters, i);
    before[i] = velocity_moved(before[i], velocities[i], v);
    velocities[i] = v;
}

/* One work-item per body of a list without repetitions. */
kernel void gather_listed(global const constraint_block *blocks, global const block_impulse *impulses,
                          global const int *incidence_first, global const int *incidence,
                          global const body_mobility *mobility, global const body_velocity *free_velocity,
                          global body_velocity *velocities, global const int *bodies,
                          const solve_parameters parameters, const int count) {
    const int g = (int)get_global_id(0);
    if (g >= count) return;
    const int i = bodies[g];
    velocities[i] =
        gathered(blocks, impulses, incidence_first, incidence, mobility[i], free_velocity[i], parameters, i);
}

/* The normal impulses of a group of contacts, and what they do to its bodies. */
static inline void press_group(const block_group group, global const constraint_block *blocks,
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

/* How often a group is swept; a single block once, whatever it is. */
static inline local_sweeps sweeps_of(const block_group group, global const constraint_block *blocks,
                                     const solve_parameters parameters) {
    local_sweeps once;
    once.pressed = 0, once.whole = 1;
    if (group.count == 1) return once;
    int contacts = 0;
    for (int i = group.first; i < group.first + group.count; i++) contacts += block_is_contact(blocks[i]);
    return group_sweeps(group.count, contacts, blocks[group.first + group.count - 1], parameters);
}

/* The blocks of a group one after the other, the two bodies' velocities in registers. Only bodies that move
 * are written, since groups of a colour may share one that does not. */
static inline void sweep_group(const block_group group, global const constraint_block *blocks,
                               global const bounded_rows *rows, global const block_diagonal *diagonals,
                               global block_impulse *impulses,
                               global body_velocity *velocities, global const body_mobility *mobility,
                               const solve_parameters parameters) {
    if (group.count == 0) return;
    const body_mobility mobility_a = mobility[group.body_a], mobility_b = mobility[group.body_b];
    body_velocity a = velocities[group.body_a], b = velocities[group.body_b];
    const local_sweeps sweeps = sweeps_of(group, blocks, parameters);
    if (sweeps.pressed > 0)
        press_group(group, blocks, diagonals, impulses, mobility_a, mobility_b, parameters, sweeps.pressed, &a, &b);
    for (int sweep = 0; sweep < sweeps.whole; sweep++)
        for (int k = 0; k < group.count; k++) {
            const int i = group_block(group, parameters, k);
            const constraint_block block = blocks[i];
            block_step step;
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
                  global const bounded_rows *rows, global const block_diagonal *diagonals, global block_impulse *impulses,
                  global body_velocity *velocities, global const body_mobility *mobility,
                  const solve_parameters parameters, const int first, const int count) {
    const int g = (int)get_global_id(0);
    if (g >= count) return;
    sweep_group(groups[first + g], blocks, rows, diagonals, impulses, velocities, mobility, parameters);
}

/* One work-group per bundle, from `first` on: its ranks one after the other (sweep_plan.h). */
kernel void sweep_bundles(global const block_group *groups, global const constraint_block *blocks,
                          global const bounded_rows *rows, global const block_diagonal *diagonals, global block_impulse *impulses,
                          global body_velocity *velocities, global const body_mobility *mobility,
                          const solve_parameters parameters, global const int *order, global const int *rank_first,
                          global const int *bundle_first, const int first) {
    const int bundle = first + (int)get_group_id(0), last = bundle_first[bundle + 1];
    for (int rank = bundle_first[bundle]; rank < last; rank++) {
        const int end = rank_first[rank + 1];
        for (int k = rank_first[rank] + (int)get_local_id(0); k < end; k += (int)get_local_size(0))
            sweep_group(groups[order[k]], blocks, rows, diagonals, impulses, velocities, mobility, parameters);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* One work-item per block, mass-split; velocities follow by gather. A contact's item takes the resistance
 * behind it along, whose bound is the contact's new impulse. */
kernel void update(global const constraint_block *blocks, global const bounded_rows *rows, global block_impulse *impulses,
                   global const body_velocity *velocities, global const body_mobility *mobility,
                   global const body_shares *shares, const solve_parameters parameters, const int first,
                   const int count) {
    const int g = (int)get_global_id(0);
    if (g >= count) return;
    const int i = first + g;
    const constraint_block block = blocks[i];
    if (block_is_resistance(block)) return;
    const body_velocity a = velocities[block.body_a], b = velocities[block.body_b];
    const body_mobility mobility_a = mobility[block.body_a], mobility_b = mobility[block.body_b];
    const body_shares shares_a = shares[block.body_a], shares_b = shares[block.body_b];
    if (block_is_bounded(block)) {
        impulses[i] = bounded_updated(block, rows[block.rows], parameters, impulses[i], a, b, mobility_a, mobility_b,
                                      shares_a, shares_b);
        return;
    }
    const block_impulse r =
        block_updated(block, parameters, impulses[i], 0, a, b, mobility_a, mobility_b, shares_a, shares_b);
    impulses[i] = r;
    if (g + 1 < count && block_is_resistance(blocks[i + 1]))
        impulses[i + 1] = block_updated(blocks[i + 1], parameters, impulses[i + 1], r.value.x, a, b,
                                        mobility_a, mobility_b, shares_a, shares_b);
}

/* On the way up, one node. */
static inline void lift_node(global const joint_node *nodes, global const joint_factor *factors, global joint_node_state *states,
                             global const constraint_block *blocks, global const bounded_rows *rows,
                             global const block_impulse *impulses, global const body_velocity *velocities,
                             const solve_parameters parameters, const int i) {
    const joint_node node = nodes[i];
    const tree_vector residual = tree_residual(node, blocks, rows, impulses, velocities, parameters);
    states[i] = tree_lifted(&factors[i], residual, tree_force(node, states));
}

/* On the way down. */
static inline void settle_node(global const joint_node *nodes, global const joint_factor *factors, global joint_node_state *states,
                               global block_impulse *impulses, global body_velocity *velocities, const int i) {
    const joint_node node = nodes[i];
    const tree_vector parent = node.parent < 0 ? tree_zero() : tree_read(states[node.parent].velocity);
    const tree_change change = tree_settled(&factors[i], &states[i], parent);
    for (int k = 0; k < 6; k++) states[i].velocity[k] = change.velocity.of[k];
    for (int k = 0; k < node.row_count; k++) {
        const int block = tree_row_block(node, k);
        impulses[block] = tree_pushed(impulses[block], tree_row_axis(node, k), change.impulse.of[k]);
    }
    velocities[node.body] = tree_moved(velocities[node.body], change.velocity);
}

/* One work-group per tree, level by level up to the root and back. */
kernel void solve_trees(global const int *tree_first, global const int *level_first, global const joint_node *nodes,
                        global const joint_factor *factors, global joint_node_state *states,
                        global const constraint_block *blocks, global const bounded_rows *rows,
                        global block_impulse *impulses, global body_velocity *velocities,
                        const solve_parameters parameters) {
    const int tree = (int)get_group_id(0), from = tree_first[tree], to = tree_first[tree + 1];
    for (int level = to - 1; level >= from; level--) {
        const int end = level_first[level + 1];
        for (int i = level_first[level] + (int)get_local_id(0); i < end; i += (int)get_local_size(0))
            lift_node(nodes, factors, states, blocks, rows, impulses, velocities, parameters, i);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (int level = from; level < to; level++) {
        const int end = level_first[level + 1];
        for (int i = level_first[level] + (int)get_local_id(0); i < end; i += (int)get_local_size(0))
            settle_node(nodes, factors, states, impulses, velocities, i);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* One work-item per body: what bouncing contacts take back of its displacement. */
kernel void rebound(global const constraint_block *blocks, global const block_impulse *impulses,
                    global const int *incidence_first, global const int *incidence,
                    global const body_mobility *mobility, global body_velocity *rebounds, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    body_impulse sum;
    sum.linear = glms_vec3_zero(), sum.angular = glms_vec3_zero();
    const int end = incidence_first[i + 1];
    for (int k = incidence_first[i]; k < end; k++) {
        const int block = incidence[k] >> 1;
        sum = body_rebound_plus(sum, blocks[block], impulses[block], incidence[k] & 1);
    }
    body_velocity none;
    none.linear = glms_vec3_zero(), none.angular = glms_vec3_zero();
    none.reserved = 0, none.reserved_angular = 0;
    rebounds[i] = velocity_after(none, mobility[i], sum.linear, sum.angular);
}

/* One work-item per block: the position pass's q_N. `taken`: whether there are velocities taken back. */
kernel void correct(global constraint_block *blocks, global bounded_rows *rows, global const body_velocity *velocities,
                    global const body_velocity *rebounds, const int taken, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const constraint_block block = blocks[i];
    body_velocity a = velocities[block.body_a], b = velocities[block.body_b];
    if (taken) {
        a = velocity_sum(a, rebounds[block.body_a]);
        b = velocity_sum(b, rebounds[block.body_b]);
    }
    if (block_is_bounded(block))
        rows[block.rows] = bounded_corrected(block, rows[block.rows], a, b);
    else if (block_is_contact(block))
        blocks[i].correction = block_correction(block, a, b);
}

/* One work-item per body. */
kernel void take_back(global body_velocity *pseudo_velocity, global const body_velocity *rebounds,
                      const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    pseudo_velocity[i] = velocity_sum(pseudo_velocity[i], rebounds[i]);
}
