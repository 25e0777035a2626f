/* Entry point for the rows of joints that are solved along trees. */
#include "joint_tree.h"

/* Upward pass of one node. */
static inline void lift_node(global const joint_node *nodes, global const joint_factor *factors, global joint_node_state *states,
                             global const constraint_block *blocks, global const bounded_rows *rows,
                             global const block_impulse *impulses, global const body_velocity *velocities,
                             const solve_parameters parameters, const int i) {
    const joint_node node = nodes[i];
    const tree_vector residual = tree_residual(node, blocks, rows, impulses, velocities, parameters);
    states[i] = tree_lifted(&factors[i], residual, tree_force(node, states));
}

/* Downward pass of one node. */
static inline void settle_node(global const joint_node *nodes, global const joint_factor *factors, global joint_node_state *states,
                               global block_impulse *impulses, const int i) {
    const joint_node node = nodes[i];
    const tree_vector parent = node.parent < 0 ? tree_zero() : tree_read(states[node.parent].velocity);
    const tree_change change = tree_settled(&factors[i], &states[i], parent);
    for (int k = 0; k < 6; k++) states[i].velocity[k] = change.velocity.of[k];
    for (int k = 0; k < node.row_count; k++) {
        const int block = tree_row_block(node, k), axis = tree_row_axis(node, k);
        const scalar before = tree_row_impulse(impulses[block], axis);
        impulses[block] = tree_row_set(impulses[block], axis, before + change.impulse.of[k]);
        states[i].before[k] = before;
        states[i].change[k] = tree_row_impulse(impulses[block], axis) - before;
    }
}

/* Moves a node's body; requires that all nodes are settled. */
static inline void move_node(global const joint_node *nodes, global joint_node_state *states, global const constraint_block *blocks,
                             global const body_mobility *mobility, global body_velocity *velocities, const int i) {
    const int body = nodes[i].body;
    const body_velocity velocity = velocities[body];
    const tree_vector stood = tree_of_velocity(velocity);
    for (int k = 0; k < 6; k++) states[i].stood[k] = stood.of[k];
    velocities[body] = tree_moved(velocity, mobility[body], i, nodes, states, blocks);
}

static inline void take_back_node(global const joint_node *nodes, global const joint_node_state *states,
                                  global block_impulse *impulses, global body_velocity *velocities, const int i) {
    const joint_node node = nodes[i];
    for (int k = 0; k < node.row_count; k++) {
        const int block = tree_row_block(node, k);
        impulses[block] = tree_row_set(impulses[block], tree_row_axis(node, k), states[i].before[k]);
    }
    velocities[node.body] = tree_kept_velocity(&states[i], velocities[node.body]);
}

/* Solves one tree per work-group, level by level up to the root and back. */
kernel void solve_trees(global const int *tree_first, global const int *level_first, global const joint_node *nodes,
                        global const joint_factor *factors, global joint_node_state *states,
                        global const constraint_block *blocks, global const bounded_rows *rows,
                        global const body_mobility *mobility, global block_impulse *impulses,
                        global body_velocity *velocities, const solve_parameters parameters) {
    local scalar gain;
    const int tree = (int)get_group_id(0), from = tree_first[tree], to = tree_first[tree + 1];
    const int first = level_first[from] + (int)get_local_id(0), tree_end = level_first[to], stride = (int)get_local_size(0);
    for (int level = to - 1; level >= from; level--) {
        const int end = level_first[level + 1];
        for (int i = level_first[level] + (int)get_local_id(0); i < end; i += stride)
            lift_node(nodes, factors, states, blocks, rows, impulses, velocities, parameters, i);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (int level = from; level < to; level++) {
        const int end = level_first[level + 1];
        for (int i = level_first[level] + (int)get_local_id(0); i < end; i += stride)
            settle_node(nodes, factors, states, impulses, i);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (int i = first; i < tree_end; i += stride) move_node(nodes, states, blocks, mobility, velocities, i);
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int i = first; i < tree_end; i += stride) {
        const tree_vector left = tree_residual(nodes[i], blocks, rows, impulses, velocities, parameters);
        states[i].lifted[0] = tree_gain(nodes[i], &states[i], left);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        gain = 0;
        for (int i = first; i < tree_end; i++) gain += states[i].lifted[0];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!tree_worse(gain)) return;
    for (int i = first; i < tree_end; i += stride) take_back_node(nodes, states, impulses, velocities, i);
}
