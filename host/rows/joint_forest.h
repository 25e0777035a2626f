/* Trees of bodies along joints. An iteration solves their unbounded rows exactly (joint_tree.h). A tree's
 * factor has no fill. Long steps stay unstable whatever the solver: a link of length l under the tension T
 * turns at ω = √(T l/I), and the step diverges from h = 2/ω on. */
#pragma once

#include <scree/core.h>

#include "layout.h"

struct problem_input;
struct body_array;
struct problem;

/* All joints between two bodies. */
typedef struct joint_edge {
    int a, b, group;
} joint_edge;

/* Nodes are numbered tree by tree and within a tree level by level. The children of a node are consecutive.
 */
typedef struct joint_forest {
    /* All rows of the problem, or of its position pass, belong to trees: their solution is the solution. */
    bool complete, places_bodies;
    int tree_count, level_count, node_count;
    int tree_capacity, level_capacity, node_capacity;
    int *tree_first;  /* levels of tree t: tree_first[t] up to tree_first[t + 1] */
    int *level_first; /* nodes of level l: level_first[l] up to level_first[l + 1] */
    joint_node *nodes;

    int group_capacity, mobility_capacity, unlocked_capacity, factor_capacity, mass_capacity;
    int *groups;             /* group of the joint to a node's parent; −1: free root */
    body_mobility *mobility; /* of each node's body */
    body_mobility *unlocked; /* the same without locked axes */
    joint_factor *factors;
    double *masses; /* 36 per node, for factoring: Σ J_pᵀ Λ J_p of its children */

    /* Scratch of the search for trees. */
    int edge_capacity, first_capacity, end_capacity, mark_capacity, queue_capacity;
    joint_edge *edges;
    int *edge_first, *edge_ends; /* edges of each body, ascending */
    int *marks;                  /* of each slot */
    int *queue;
} joint_forest;

/* Finds the trees of an assembled problem: a forest that spans all movable bodies with unbounded joint rows
 * between them. A tree's root is a body that a joint holds to an immovable one, else the heaviest body.
 *
 * Bodies whose joints form a loop, or hold them in two places, are in no tree. In a loop some rows are
 * redundant, as those of planar hinges are. If the joint frames are open by ε, such a row has a response of
 * ε². Sweeps over the whole loop never resolve that response. But if a tree solved the others exactly and the
 * sweeps had only the joint that closes the loop, its redundant rows would be all that they see, and momentum
 * would pump impulses of 1/ε² into them. Two joints between the same bodies are such a loop; both are left to
 * the sweeps. Errors: MEMORY. */
scree_result joint_forest_build(struct problem *p, const struct problem_input *from, int *regrown);
/* Returns the number of pairs whose joints belong to trees. */
int joint_forest_joints(const joint_forest *self);
/* Updates the mobilities of nodes after bodies have moved; `mass_exponent`: as in the problem. */
void joint_forest_follow(joint_forest *self, const struct body_array *bodies, int mass_exponent);
/* Computes the factors of one tree and its rows in the pass (joint_factor.c). */
void joint_forest_factor(struct problem *p, bool position_pass, int tree);
/* Returns whether trees solve a row of a joint: one without bounds. */
static inline bool tree_row_holds(const bounded_rows *rows, int axis, bool position_pass) {
    const scalar far = (scalar)1e30;
    return position_pass
               ? vec3_along(rows->push_low, axis) <= -far && vec3_along(rows->push_high, axis) >= far
               : vec3_along(rows->low, axis) <= -far && vec3_along(rows->high, axis) >= far;
}
/* Copies the trees, without factors, to arrays of self. Errors: MEMORY. */
scree_result joint_forest_copy(joint_forest *self, const joint_forest *from);
void joint_forest_release(joint_forest *self);
