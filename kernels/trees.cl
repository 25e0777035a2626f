/* Entry point of the rows of joints that are solved along trees. */
#include "joint_tree.h"

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
