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
 * if heavy bodies hang from light ones. A leaf has f = 0, and needs no δ.
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

#include "block.h"
#include "quad.h"

#if SCREE_WIDTH == 1

/* Rows, or components of a body. */
typedef struct tree_vector {
    scalar of[TREE_NUMBERS];
} tree_vector;

SHARED tree_vector tree_zero(void) {
    tree_vector out;
    for (int i = 0; i < TREE_NUMBERS; i += 4) QUAD_STORE(out.of + i, quad_of(0));
    return out;
}

SHARED tree_vector tree_read(LOOKUP scalar *from) {
    tree_vector out;
    for (int i = 0; i < TREE_NUMBERS; i += 4) QUAD_STORE(out.of + i, QUAD_LOAD(from + i));
    return out;
}

SHARED tree_vector tree_velocity(LOOKUP body_velocity *velocities, int body) {
    return tree_read((LOOKUP scalar *)(velocities + body));
}

/* Returns y + m x for an x of rows. */
SHARED tree_vector tree_plus_rows(tree_vector y, LOOKUP scalar *m, tree_vector x, int rows) {
    quad a = QUAD_LOAD(y.of), b = QUAD_LOAD(y.of + 4);
    for (int k = 0; k < rows; k++) {
        const quad factor = quad_of(x.of[k]);
        a += QUAD_LOAD(m + TREE_NUMBERS * k) * factor;
        b += QUAD_LOAD(m + TREE_NUMBERS * k + 4) * factor;
    }
    QUAD_STORE(y.of, a);
    QUAD_STORE(y.of + 4, b);
    return y;
}

/* Returns y + m x for an x of components. */
SHARED tree_vector tree_plus_components(tree_vector y, LOOKUP scalar *m, tree_vector x) {
    quad a = QUAD_LOAD(y.of), b = QUAD_LOAD(y.of + 4);
    for (int k = 0; k < 6; k++) {
        const quad factor = quad_of(x.of[k < 3 ? k : k + 1]);
        a += QUAD_LOAD(m + TREE_NUMBERS * k) * factor;
        b += QUAD_LOAD(m + TREE_NUMBERS * k + 4) * factor;
    }
    QUAD_STORE(y.of, a);
    QUAD_STORE(y.of + 4, b);
    return y;
}

/* Returns y + m x for an x of components and a y of rows. Most joints have at most four. */
SHARED tree_vector tree_rows_plus(tree_vector y, LOOKUP scalar *m, tree_vector x, int rows) {
    if (rows > 4) return tree_plus_components(y, m, x);
    quad a = QUAD_LOAD(y.of);
    for (int k = 0; k < 6; k++) a += QUAD_LOAD(m + TREE_NUMBERS * k) * quad_of(x.of[k < 3 ? k : k + 1]);
    QUAD_STORE(y.of, a);
    return y;
}

/* Returns x − y. */
SHARED tree_vector tree_minus(tree_vector x, tree_vector y) {
    for (int i = 0; i < TREE_NUMBERS; i += 4) QUAD_STORE(x.of + i, QUAD_LOAD(x.of + i) - QUAD_LOAD(y.of + i));
    return x;
}

/* Returns the impulses of a node's rows. */
SHARED tree_vector tree_impulses(joint_node node, LOOKUP block_impulse *impulses) {
    LOOKUP scalar *numbers = (LOOKUP scalar *)impulses;
    tree_vector out = tree_zero();
    for (int k = 0; k < node.row_count; k++) out.of[k] = numbers[node.rows[k]];
    return out;
}

/* Returns e of a node's rows, whose bias is given. */
SHARED tree_vector tree_residual(joint_node node, LOOKUP joint_factor *factor, tree_vector bias,
                                 tree_vector impulses, LOOKUP body_velocity *velocities) {
    tree_vector out = bias;
    for (int i = 0; i < TREE_NUMBERS; i += 4)
        QUAD_STORE(out.of + i,
                   QUAD_LOAD(out.of + i) + QUAD_LOAD(factor->compliance + i) * QUAD_LOAD(impulses.of + i));
    out = tree_rows_plus(out, factor->jacobian, tree_velocity(velocities, node.body), node.row_count);
    return tree_rows_plus(out, factor->parent_jacobian, tree_velocity(velocities, node.other),
                          node.row_count);
}

/* Returns f of a node: the sum over its children in their order. */
SHARED tree_vector tree_force(joint_node node, LOOKUP joint_node_state *states) {
    quad a = quad_of(0), b = a;
    tree_vector sum;
    for (int c = node.first_child; c < node.first_child + node.child_count; c++)
        a += QUAD_LOAD(states[c].lifted), b += QUAD_LOAD(states[c].lifted + 4);
    QUAD_STORE(sum.of, a);
    QUAD_STORE(sum.of + 4, b);
    return sum;
}

/* Upward pass: returns the impulse on the parent as long as the parent does not move, −W e − T f. */
SHARED tree_vector tree_lifted(joint_node node, LOOKUP joint_factor *factor, tree_vector residual,
                               tree_vector force) {
    tree_vector sum = tree_plus_rows(tree_zero(), factor->lift, residual, node.row_count);
    if (node.child_count > 0) sum = tree_plus_components(sum, factor->pass, force);
    return tree_minus(tree_zero(), sum);
}

/* λ and δ of a node. */
typedef struct tree_change {
    tree_vector impulse, velocity;
} tree_change;

/* Downward pass: returns λ = −(Λ e + Gᵀ f + Wᵀ δ_p), δ = N f − (G e + Tᵀ δ_p). */
SHARED tree_change tree_settled(joint_node node, LOOKUP joint_factor *factor, tree_vector residual,
                                tree_vector force, tree_vector parent) {
    tree_change out;
    tree_vector held = tree_plus_rows(tree_zero(), factor->hold, residual, node.row_count);
    out.velocity = tree_zero();
    if (node.child_count > 0) {
        held = tree_rows_plus(held, factor->push_back, force, node.row_count);
        tree_vector moved = tree_plus_rows(tree_zero(), factor->push, residual, node.row_count);
        moved = tree_plus_components(moved, factor->pass_back, parent);
        out.velocity = tree_minus(tree_plus_components(tree_zero(), factor->yield, force), moved);
    }
    held = tree_rows_plus(held, factor->lift_back, parent, node.row_count);
    out.impulse = tree_minus(tree_zero(), held);
    return out;
}

/* Returns the velocity of node i after the changes of its joint and of its children's joints. */
SHARED tree_vector tree_moved(tree_vector velocity, int i, LOOKUP joint_node *nodes,
                              LOOKUP joint_factor *factors, LOOKUP joint_node_state *states) {
    const joint_node node = nodes[i];
    tree_vector change =
        tree_plus_rows(tree_zero(), factors[i].response, tree_read(states[i].change), node.row_count);
    for (int c = node.first_child; c < node.first_child + node.child_count; c++)
        change = tree_plus_rows(change, factors[c].parent_response, tree_read(states[c].change),
                                nodes[c].row_count);
    return tree_minus(velocity, tree_minus(tree_zero(), change));
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
