/* A bounding volume hierarchy over boxes of any mix of sizes: sorted by size class, then along a Morton
 * curve, and split where the keys' highest differing bit changes (Lauterbach et al., Fast BVH Construction on
 * GPUs, 2009). */
#pragma once

#include "bounds.h"

enum {
    TREE_LEAF = 4,   /* most items of a leaf */
    TREE_STACK = 128 /* most entries that a depth-first traversal needs */
};

/* Children are adjacent and come after their parent. Items below a node are consecutive and end before
 * `end`. */
typedef struct tree_node {
    vec3s lower;
    int child; /* > 0: the first of two children; ≤ 0: a leaf with −child items */
    vec3s upper;
    int end;
} tree_node;

/* A sort key and its item. */
typedef struct tree_key {
    uint64_t
        code; /* size class (small first) in the top 4 bits, then 3 × 20 bits of the centre's Morton code */
    int member;
} tree_key;

typedef struct tree {
    int count;      /* items */
    int *members;   /* index into the boxes given to tree_build, in the tree's order */
    bounds *boxes;  /* their boxes, in the tree's order */
    int node_count; /* 0 for an empty tree; the root is node 0 */
    tree_node *nodes;
    int level_count;
    int level_first[TREE_STACK + 1]; /* nodes of one depth are consecutive */

    int member_capacity, box_capacity, node_capacity, histogram_capacity;
    tree_key *keys, *other; /* during tree_build */
    int *histogram;
} tree;

/* Builds the tree over boxes[i], 0 ≤ i < count, without boxes that are not finite or empty (lower > upper).
 * `scratch`: memory for two keys per item. The result is the same for every number of threads. `regrown`
 * counts buffers that had to grow. On error (MEMORY, CAPACITY) the tree is empty. */
scree_result tree_build(tree *self, const bounds *boxes, int count, tree_key *scratch, int threads,
                        int *regrown);
/* Fits the nodes to boxes that have changed since the build. Boxes must be finite. */
void tree_refit(tree *self, int threads);

/* Traversal of the items whose boxes meet a box. */
typedef struct tree_walk {
    const tree *within;
    bounds box;
    int depth, stack[TREE_STACK]; /* nodes yet to visit */
    int item, end;                /* items left in a leaf */
} tree_walk;

void tree_walk_begin(tree_walk *self, const tree *within, const bounds *box);
/* Returns the next item's place in the tree's order; −1 at the end. */
int tree_walk_next(tree_walk *self);
void tree_release(tree *self);
