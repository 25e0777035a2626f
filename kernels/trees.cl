/* Entry point for the rows of joints that are solved along trees. */
#include "joint_tree.h"

SHARED void put(global scalar *to, const tree_vector from) {
    for (int i = 0; i < TREE_NUMBERS; i++) to[i] = from.of[i];
}

/* Returns the bias of a node's rows. */
SHARED tree_vector bias_of(const joint_node node, global const constraint_block *blocks,
                                  global const bounded_rows *rows, const int position_pass) {
    tree_vector out = tree_zero();
    for (int k = 0; k < node.row_count; k++) {
        global const bounded_rows *from = &rows[blocks[node.rows[k] / 4].rows];
        out.of[k] = vec3_along(position_pass ? from->correction : from->bias, node.rows[k] % 4);
    }
    return out;
}

/* Upward pass of one node. */
SHARED void lift_node(global const joint_node *nodes, global const joint_factor *factors, global joint_node_state *states,
                             global const constraint_block *blocks, global const bounded_rows *rows,
                             global const block_impulse *impulses, global const body_velocity *velocities,
                             const int position_pass, const int i) {
    const joint_node node = nodes[i];
    const tree_vector bias = bias_of(node, blocks, rows, position_pass), before = tree_impulses(node, impulses),
                      residual = tree_residual(node, &factors[i], bias, before, velocities),
                      force = tree_force(node, states);
    put(states[i].before, before);
    put(states[i].residual, residual);
    put(states[i].force, force);
    put(states[i].lifted, tree_lifted(node, &factors[i], residual, force));
}

/* Downward pass of one node. */
SHARED void settle_node(global const joint_node *nodes, global const joint_factor *factors, global joint_node_state *states,
                               global scalar *impulses, const int i) {
    const joint_node node = nodes[i];
    const tree_vector parent = node.parent < 0 ? tree_zero() : tree_read(states[node.parent].velocity);
    const tree_change change =
        tree_settled(node, &factors[i], tree_read(states[i].residual), tree_read(states[i].force), parent);
    put(states[i].velocity, change.velocity);
    for (int k = 0; k < node.row_count; k++) {
        const scalar before = states[i].before[k], after = before + change.impulse.of[k];
        impulses[node.rows[k]] = after;
        states[i].change[k] = after - before;
    }
}

/* Moves a node's body; requires that all nodes are settled. */
SHARED void move_node(global const joint_node *nodes, global const joint_factor *factors, global joint_node_state *states,
                             global body_velocity *velocities, const int i) {
    const int body = nodes[i].body;
    const tree_vector stood = tree_velocity(velocities, body);
    put(states[i].stood, stood);
    put((global scalar *)(velocities + body), tree_moved(stood, i, nodes, factors, states));
}

SHARED void take_back_node(global const joint_node *nodes, global const joint_node_state *states,
                                  global scalar *impulses, global body_velocity *velocities, const int i) {
    const joint_node node = nodes[i];
    for (int k = 0; k < node.row_count; k++) impulses[node.rows[k]] = states[i].before[k];
    put((global scalar *)(velocities + node.body), tree_read(states[i].stood));
}

/* Solves one tree per work-group, level by level up to the root and back. */
kernel void solve_trees(global const int *tree_first, global const int *level_first, global const joint_node *nodes,
                        global const joint_factor *factors, global joint_node_state *states,
                        global const constraint_block *blocks, global const bounded_rows *rows,
                        global block_impulse *impulses, global body_velocity *velocities, const solve_parameters parameters) {
    local scalar gain;
    global scalar *numbers = (global scalar *)impulses;
    const int tree = (int)get_group_id(0), from = tree_first[tree], to = tree_first[tree + 1];
    const int first = level_first[from] + (int)get_local_id(0), tree_end = level_first[to], stride = (int)get_local_size(0);
    for (int level = to - 1; level >= from; level--) {
        const int end = level_first[level + 1];
        for (int i = level_first[level] + (int)get_local_id(0); i < end; i += stride)
            lift_node(nodes, factors, states, blocks, rows, impulses, velocities, parameters.position_pass, i);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (int level = from; level < to; level++) {
        const int end = level_first[level + 1];
        for (int i = level_first[level] + (int)get_local_id(0); i < end; i += stride)
            settle_node(nodes, factors, states, numbers, i);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (int i = first; i < tree_end; i += stride) move_node(nodes, factors, states, velocities, i);
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int i = first; i < tree_end; i += stride) {
        const tree_vector bias = bias_of(nodes[i], blocks, rows, parameters.position_pass),
                          left = tree_residual(nodes[i], &factors[i], bias, tree_impulses(nodes[i], impulses), velocities);
        states[i].lifted[0] = tree_gain(nodes[i], &states[i], left);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        gain = 0;
        for (int i = level_first[from]; i < tree_end; i++) gain += states[i].lifted[0];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!tree_worse(gain)) return;
    for (int i = first; i < tree_end; i += stride) take_back_node(nodes, states, numbers, velocities, i);
}
