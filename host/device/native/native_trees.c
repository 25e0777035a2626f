/* The trees of joints on the host: each tree is a piece. */
#include "native_state.h"

#include "base/memory.h"
#include "joint_tree.h"

static void factor_piece(void *context, int tree) {
    const native_loop *loop = context;
    joint_forest_factor(loop->self->p, loop->parameters.position_pass, tree);
}

scree_result native_factor_trees(native *self, solve_parameters parameters) {
    const joint_forest *forest = &self->p->forest;
    native_loop loop = {.self = self, .parameters = parameters, .count = forest->tree_count};
    TRY(MEMORY_RESERVE(self->tree_states, self->tree_state_capacity, forest->node_count, NULL));
    share_items(&loop, 1, factor_piece);
    return SCREE_OK;
}

static void system_piece(void *context, int piece) {
    const native_loop *loop = context;
    const span of = span_of(loop, piece, GROUP_PIECE);
    for (int i = of.first; i < of.end; i++)
        joint_system_factor(loop->self->p, i, loop->parameters.position_pass);
}

void native_factor_systems(native *self, solve_parameters parameters) {
    native_loop loop = {.self = self, .parameters = parameters, .count = self->p->system_count};
    if (loop.count > 0) share_items(&loop, GROUP_PIECE, system_piece);
}

static void lift_node(native *self, solve_parameters parameters, int i) {
    const problem *p = self->p;
    const joint_node node = p->forest.nodes[i];
    const tree_vector residual =
        tree_residual(node, p->blocks, p->rows, self->impulses, self->velocities, parameters);
    self->tree_states[i] = tree_lifted(&p->forest.factors[i], residual, tree_force(node, self->tree_states));
}

static void settle_node(native *self, int i) {
    const problem *p = self->p;
    const joint_node node = p->forest.nodes[i];
    joint_node_state *state = &self->tree_states[i];
    const tree_vector parent =
        node.parent < 0 ? tree_zero() : tree_read(self->tree_states[node.parent].velocity);
    const tree_change change = tree_settled(&p->forest.factors[i], state, parent);
    for (int k = 0; k < 6; k++) state->velocity[k] = change.velocity.of[k];
    for (int k = 0; k < node.row_count; k++) {
        block_impulse *r = &self->impulses[tree_row_block(node, k)];
        const int axis = tree_row_axis(node, k);
        state->before[k] = tree_row_impulse(*r, axis);
        *r = tree_row_set(*r, axis, state->before[k] + change.impulse.of[k]);
        state->change[k] = tree_row_impulse(*r, axis) - state->before[k];
    }
}

static void move_node(native *self, int i) {
    const problem *p = self->p;
    const int body = p->forest.nodes[i].body;
    const tree_vector stood = tree_of_velocity(self->velocities[body]);
    for (int k = 0; k < 6; k++) self->tree_states[i].stood[k] = stood.of[k];
    self->velocities[body] = tree_moved(self->velocities[body], p->mobility[body], i, p->forest.nodes,
                                        self->tree_states, p->blocks);
}

static void take_back_node(native *self, int i) {
    const joint_node node = self->p->forest.nodes[i];
    const joint_node_state *state = &self->tree_states[i];
    for (int k = 0; k < node.row_count; k++) {
        block_impulse *r = &self->impulses[tree_row_block(node, k)];
        *r = tree_row_set(*r, tree_row_axis(node, k), state->before[k]);
    }
    self->velocities[node.body] = tree_kept_velocity(state, self->velocities[node.body]);
}

/* Children come after their parents. */
static void solve_piece(void *context, int tree) {
    const native_loop *loop = context;
    native *self = loop->self;
    const problem *p = self->p;
    const joint_forest *forest = &p->forest;
    const int first = forest->level_first[forest->tree_first[tree]],
              end = forest->level_first[forest->tree_first[tree + 1]];
    scalar gain = 0;
    for (int i = end - 1; i >= first; i--) lift_node(self, loop->parameters, i);
    for (int i = first; i < end; i++) settle_node(self, i);
    for (int i = first; i < end; i++) move_node(self, i);
    for (int i = first; i < end; i++) {
        const tree_vector left = tree_residual(forest->nodes[i], p->blocks, p->rows, self->impulses,
                                               self->velocities, loop->parameters);
        gain += tree_gain(forest->nodes[i], &self->tree_states[i], left);
    }
    for (int i = first; i < end && tree_worse(gain); i++) take_back_node(self, i);
}

scree_result native_solve_trees(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    native_loop loop = {.self = self, .parameters = parameters, .count = self->p->forest.tree_count};
    if (loop.count > 0) share_items(&loop, 1, solve_piece);
    return SCREE_OK;
}

void native_tree_terms(native *self) {
    const problem *p = self->p;
    for (int n = 0; n < p->forest.node_count; n++)
        for (int k = 0; k < p->forest.nodes[n].row_count; k++) {
            const int i = tree_row_block(p->forest.nodes[n], k);
            self->uphill_terms[i] =
                block_uphill(self->diagonals[i], self->starts[i], self->impulses[i], self->before[i]);
        }
}
