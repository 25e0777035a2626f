/* Trees of bodies along joints, whose rows without bounds an iteration solves exactly (joint_tree.h). */
#ifndef SCREE_ROWS_JOINT_FOREST_H
#define SCREE_ROWS_JOINT_FOREST_H

#include <scree/result.h>

#include "layout.h"

struct problem_input;
struct body_array;
struct problem;

/* Between two bodies, all joints that there are. */
typedef struct joint_edge {
    int a, b, group;
} joint_edge;

/* Nodes are numbered tree by tree, in each level by level, and the children of a node are consecutive. */
typedef struct joint_forest {
    bool complete; /* there is nothing else in the problem: what trees solve is the solution */
    int tree_count, level_count, node_count;
    int tree_capacity, level_capacity, node_capacity;
    int *tree_first;  /* levels of tree t: [t] … [t + 1] */
    int *level_first; /* nodes of level l: [l] … [l + 1] */
    joint_node *nodes;

    int group_capacity, mobility_capacity, unlocked_capacity, factor_capacity, mass_capacity;
    int *groups;             /* of a node's joints; −1: a root that nothing holds */
    body_mobility *mobility; /* of a node's body */
    body_mobility *unlocked; /* the same as if none of its axes were locked */
    joint_factor *factors;
    double *masses; /* 36 for each node: what hangs on it, Σ J_pᵀ Λ J_p, while it is factored */

    /* While trees are found. */
    int edge_capacity, first_capacity, end_capacity, mark_capacity, queue_capacity;
    joint_edge *edges;
    int *edge_first, *edge_ends; /* edges of each body, ascending */
    int *marks;                  /* of bodies */
    int *queue;
} joint_forest;

/* Finds the trees of an assembled problem: a forest that spans all movable bodies between which joints have
 * rows without bounds, each rooted where something that does not move holds it, else at its heaviest body.
 *
 * What joints hold together in a loop, or in two places, is in no tree. In a loop some rows say what others
 * have said: those of planar hinges do. Frames of joints that are open by ε give such a row a response of ε²
 * instead of none. The sweeps of the whole loop never get that far; but where they have only the joint that
 * closes it, and a tree solves the others exactly, all that is left in front of the sweeps are such rows, and
 * momentum pumps impulses of 1/ε² into them. Errors: MEMORY. */
scree_result joint_forest_build(struct problem *p, const struct problem_input *from, int *regrown);
/* The bodies of the trees have moved. */
void joint_forest_follow(joint_forest *self, const struct body_array *bodies);
/* The factors of one tree, and which rows it has in the pass (joint_factor.c). */
void joint_forest_factor(struct problem *p, bool position_pass, int tree);
/* The same trees in arrays of its own, without factors. Errors: MEMORY. */
scree_result joint_forest_copy(joint_forest *self, const joint_forest *from);
void joint_forest_release(joint_forest *self);

#endif
