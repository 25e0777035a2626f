/* Rows of joints without bounds, solved together along trees of bodies.
 *
 * In an iteration the impulses r of these rows leave the residual e = J V + C r + bias. Their change λ, and
 * the resulting change δ of the velocities, solve
 *
 *     M δ = Jᵀ λ,   J δ + C λ = −e,
 *
 * which over a tree has no fill when it is eliminated from the leaves to the root (Baraff 1996, Linear-time
 * dynamics using Lagrange multipliers). With the child c and the parent p of a joint, M̂ the mass of c with
 * everything attached below it, and f the impulses that c receives from below,
 *
 *     Λ = (C + J_c M̂⁻¹ J_cᵀ)⁻¹,   λ = −Λ (e + J_c M̂⁻¹ f + J_p δ_p),   δ_c = M̂⁻¹ (f + J_cᵀ λ),
 *
 * and p receives J_pᵀ λ, whose part with δ_p goes into M̂_p. A joint_factor contains the products of these,
 * which the host computes in double precision once per pass (rows/joint_factor.c). The complete
 * products are the response of a body held by its joint; they contain none of the large numbers that cancel
 * if heavy bodies hang from light ones.
 *
 * The rounding of a heavy load's impulses moves a light link by ε (load/link) of its velocity. Velocities
 * therefore change by M⁻¹ Jᵀ of the rounded change of the impulses, not by δ: the residual then includes the
 * loss, and the next iteration corrects what can be corrected.
 *
 * A solve descends on D(r) = ½ rᵀ A r + rᵀ q, whose gradient is the residual. For a change λ that takes the
 * residual from e to e′ = e + A λ
 *
 *     ΔD = eᵀ λ + ½ λᵀ A λ = ½ λᵀ (e + e′),
 *
 * and −½ λᵀ A λ for an exact solution. If rounding leaves a tree with a larger D, the whole change is
 * reverted: with trees a solve is never worse than the sweeps alone. */
#ifndef SCREE_KERNELS_JOINT_TREE_H
#define SCREE_KERNELS_JOINT_TREE_H

#include "bounded_rows.h"

#if SCREE_WIDTH == 1

/* Rows, or a linear and an angular part. */
typedef struct tree_vector {
    scalar of[6];
} tree_vector;

SHARED tree_vector tree_zero(void) {
    tree_vector out;
    for (int i = 0; i < 6; i++) out.of[i] = 0;
    return out;
}

SHARED tree_vector tree_read(LOOKUP scalar *from) {
    tree_vector out;
    for (int i = 0; i < 6; i++) out.of[i] = from[i];
    return out;
}

/* Return y + m x and y + mᵀ x. */
SHARED tree_vector tree_plus(tree_vector y, LOOKUP scalar *m, tree_vector x) {
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++) y.of[i] += m[6 * j + i] * x.of[j];
    return y;
}

SHARED tree_vector tree_plus_transposed(tree_vector y, LOOKUP scalar *m, tree_vector x) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) y.of[i] += m[6 * i + j] * x.of[j];
    return y;
}

SHARED int tree_row_block(joint_node node, int row) { return node.rows[row] / 3; }
SHARED int tree_row_axis(joint_node node, int row) { return node.rows[row] % 3; }

/* Returns e of a node's rows. */
SHARED tree_vector tree_residual(joint_node node, LOOKUP constraint_block *blocks, LOOKUP bounded_rows *rows,
                                 LOOKUP block_impulse *impulses, LOOKUP body_velocity *velocities,
                                 solve_parameters parameters) {
    tree_vector out = tree_zero();
    vec3s u = glms_vec3_zero();
    int last = -1;
    for (int k = 0; k < node.row_count; k++) {
        const int i = tree_row_block(node, k);
        if (i != last) {
            const constraint_block block = blocks[i];
            u = bounded_velocity(block, rows[block.rows], parameters, impulses[i].value,
                                 velocities[block.body_a], velocities[block.body_b]);
            last = i;
        }
        out.of[k] = vec3_along(u, tree_row_axis(node, k));
    }
    return out;
}

/* Returns f of a node: the sum over its children in their order. */
SHARED tree_vector tree_force(joint_node node, LOOKUP joint_node_state *states) {
    tree_vector sum = tree_zero();
    for (int c = node.first_child; c < node.first_child + node.child_count; c++)
        for (int i = 0; i < 6; i++) sum.of[i] += states[c].lifted[i];
    return sum;
}

/* Upward pass: returns the impulse on the parent as long as the parent does not move, −W e − T f. */
SHARED joint_node_state tree_lifted(LOOKUP joint_factor *factor, tree_vector residual, tree_vector force) {
    const tree_vector sum = tree_plus(tree_plus(tree_zero(), factor->lift, residual), factor->pass, force);
    joint_node_state out;
    for (int i = 0; i < 6; i++) {
        out.residual[i] = residual.of[i], out.force[i] = force.of[i];
        out.lifted[i] = -sum.of[i], out.velocity[i] = 0;
        out.change[i] = out.before[i] = out.stood[i] = 0;
    }
    return out;
}

/* λ and δ of a node. */
typedef struct tree_change {
    tree_vector impulse, velocity;
} tree_change;

/* Downward pass: returns λ = −(Λ e + Gᵀ f + Wᵀ δ_p), δ = N f − (G e + Tᵀ δ_p). */
SHARED tree_change tree_settled(LOOKUP joint_factor *factor, LOOKUP joint_node_state *state,
                                tree_vector parent) {
    const tree_vector residual = tree_read(state->residual), force = tree_read(state->force);
    tree_vector held = tree_plus(tree_zero(), factor->hold, residual),
                moved = tree_plus(tree_zero(), factor->push, residual);
    held = tree_plus_transposed(held, factor->push, force);
    held = tree_plus_transposed(held, factor->lift, parent);
    moved = tree_plus_transposed(moved, factor->pass, parent);
    const tree_vector free = tree_plus(tree_zero(), factor->yield, force);
    tree_change out;
    for (int i = 0; i < 6; i++)
        out.impulse.of[i] = -held.of[i], out.velocity.of[i] = free.of[i] - moved.of[i];
    return out;
}

SHARED scalar tree_row_impulse(block_impulse r, int axis) { return vec3_along(r.value, axis); }

/* Returns a block's impulse with one row replaced. */
SHARED block_impulse tree_row_set(block_impulse r, int axis, scalar value) {
    if (axis == 0) r.value.x = value;
    if (axis == 1) r.value.y = value;
    if (axis == 2) r.value.z = value;
    return r;
}

/* Adds the changes of a node's rows to the impulses on the child, or on the body above it. */
SHARED body_impulse tree_reaction(body_impulse sum, joint_node node, LOOKUP joint_node_state *state,
                                  LOOKUP constraint_block *blocks, int on_child) {
    block_impulse r;
    for (int k = 0; k < node.row_count; k++) {
        const int i = tree_row_block(node, k);
        if (k == 0 || i != tree_row_block(node, k - 1)) r.value = glms_vec3_zero();
        r = tree_row_set(r, tree_row_axis(node, k), state->change[k]);
        if (k + 1 < node.row_count && i == tree_row_block(node, k + 1)) continue;
        const constraint_block block = blocks[i];
        sum = body_impulse_plus(sum, block, r, (block.body_b == node.body) == on_child);
    }
    return sum;
}

/* Returns the velocity of node i after the changes of its joint and of its children's joints. */
SHARED body_velocity tree_moved(body_velocity velocity, body_mobility mobility, int i,
                                LOOKUP joint_node *nodes, LOOKUP joint_node_state *states,
                                LOOKUP constraint_block *blocks) {
    const joint_node node = nodes[i];
    body_impulse sum = {glms_vec3_zero(), glms_vec3_zero()};
    sum = tree_reaction(sum, node, &states[i], blocks, 1);
    for (int c = node.first_child; c < node.first_child + node.child_count; c++)
        sum = tree_reaction(sum, nodes[c], &states[c], blocks, 0);
    return velocity_after(velocity, mobility, sum.linear, sum.angular);
}

SHARED tree_vector tree_of_velocity(body_velocity velocity) {
    tree_vector out;
    out.of[0] = velocity.linear.x, out.of[1] = velocity.linear.y, out.of[2] = velocity.linear.z;
    out.of[3] = velocity.angular.x, out.of[4] = velocity.angular.y, out.of[5] = velocity.angular.z;
    return out;
}

SHARED body_velocity tree_kept_velocity(LOOKUP joint_node_state *state, body_velocity velocity) {
    velocity.linear = vec3_of(state->stood[0], state->stood[1], state->stood[2]);
    velocity.angular = vec3_of(state->stood[3], state->stood[4], state->stood[5]);
    return velocity;
}

/* Returns a node's contribution to 2 ΔD, given its remaining residual. */
SHARED scalar tree_gain(joint_node node, LOOKUP joint_node_state *state, tree_vector left) {
    scalar sum = 0;
    for (int k = 0; k < node.row_count; k++) sum += state->change[k] * (state->residual[k] + left.of[k]);
    return sum;
}

/* Returns whether a tree reverts its changes; true for NaN. */
SHARED int tree_worse(scalar gain) { return !(gain <= 0); }

#endif

#endif
