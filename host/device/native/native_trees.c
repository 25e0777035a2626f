/* The trees of joints on the host: each tree is a piece. */
#include "native_state.h"

#include "base/memory.h"
#include "joint_tree.h"

#include <string.h>

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

static void put(scalar to[TREE_NUMBERS], tree_vector from) { memcpy(to, from.of, sizeof from.of); }

static tree_vector residual_of(const native *self, int i, tree_vector impulses) {
    const joint_factor *factor = &self->p->forest.factors[i];
    return tree_residual(self->p->forest.nodes[i], factor, tree_read(factor->bias), impulses,
                         self->velocities);
}

static void lift_node(native *self, int i) {
    const joint_forest *forest = &self->p->forest;
    const joint_node *node = &forest->nodes[i];
    joint_node_state *state = &self->tree_states[i];
    const tree_vector impulses = tree_impulses(*node, self->impulses),
                      residual = residual_of(self, i, impulses), force = tree_force(*node, self->tree_states);
    put(state->before, impulses);
    put(state->residual, residual);
    put(state->force, force);
    put(state->lifted, tree_lifted(*node, &forest->factors[i], residual, force));
}

static void settle_node(native *self, int i) {
    const joint_forest *forest = &self->p->forest;
    const joint_node *node = &forest->nodes[i];
    joint_node_state *state = &self->tree_states[i];
    const tree_vector parent =
        node->parent < 0 ? tree_zero() : tree_read(self->tree_states[node->parent].velocity);
    const tree_change change =
        tree_settled(*node, &forest->factors[i], tree_read(state->residual), tree_read(state->force), parent);
    scalar *impulses = (scalar *)self->impulses;
    put(state->velocity, change.velocity);
    for (int k = 0; k < node->row_count; k++) {
        scalar *r = &impulses[node->rows[k]];
        *r = state->before[k] + change.impulse.of[k];
        state->change[k] = *r - state->before[k];
    }
}

static void move_node(native *self, int i) {
    const joint_forest *forest = &self->p->forest;
    const int body = forest->nodes[i].body;
    const tree_vector stood = tree_velocity(self->velocities, body);
    put(self->tree_states[i].stood, stood);
    put((scalar *)&self->velocities[body],
        tree_moved(stood, i, forest->nodes, forest->factors, self->tree_states));
}

static void take_back_node(native *self, int i) {
    const joint_node *node = &self->p->forest.nodes[i];
    const joint_node_state *state = &self->tree_states[i];
    scalar *impulses = (scalar *)self->impulses;
    for (int k = 0; k < node->row_count; k++) impulses[node->rows[k]] = state->before[k];
    memcpy(&self->velocities[node->body], state->stood, sizeof *self->velocities);
}

/* Returns a node's contribution to 2 ΔD. */
static scalar gain_of(const native *self, int i) {
    const joint_node *node = &self->p->forest.nodes[i];
    const tree_vector left = residual_of(self, i, tree_impulses(*node, self->impulses));
    return tree_gain(*node, &self->tree_states[i], left);
}

/* Children come after their parents. */
static void solve_piece(void *context, int tree) {
    native *self = ((const native_loop *)context)->self;
    const joint_forest *forest = &self->p->forest;
    const int first = forest->level_first[forest->tree_first[tree]],
              end = forest->level_first[forest->tree_first[tree + 1]];
    scalar gain = 0;
    for (int i = end - 1; i >= first; i--) lift_node(self, i);
    for (int i = first; i < end; i++) settle_node(self, i);
    for (int i = first; i < end; i++) move_node(self, i);
    for (int i = first; i < end; i++) gain += gain_of(self, i);
    for (int i = first; i < end && tree_worse(gain); i++) take_back_node(self, i);
}

scree_result native_solve_trees(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    native_loop loop = {.self = self, .count = self->p->forest.tree_count};
    (void)parameters;
    if (loop.count > 0) share_items(&loop, 1, solve_piece);
    return SCREE_OK;
}

void native_tree_terms(native *self) {
    const problem *p = self->p;
    for (int n = 0; n < p->forest.node_count; n++)
        for (int k = 0; k < p->forest.nodes[n].row_count; k++) {
            const int i = p->forest.nodes[n].rows[k] / 4;
            self->uphill_terms[i] =
                block_uphill(self->diagonals[i], self->starts[i], self->impulses[i], self->before[i]);
        }
}
