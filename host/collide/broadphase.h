/* From bounding boxes to the sorted list of pairs that may touch. */
#ifndef SCREE_COLLIDE_BROADPHASE_H
#define SCREE_COLLIDE_BROADPHASE_H

#include "tree.h"

/* Two slots, a < b. */
typedef struct body_pair {
    int a, b;
} body_pair;

typedef struct broadphase broadphase;

scree_result broadphase_create(broadphase **out);
void broadphase_destroy(broadphase *self);

/* Builds the tree over `boxes`. `regrown` counts buffers that had to grow. Errors: MEMORY, CAPACITY. */
scree_result broadphase_build(broadphase *self, const body_array *bodies, const bounds *boxes, int threads,
                              int *regrown);

/* The tree over the finite boxes of the last build: all living bodies but the half-spaces; members are slots.
 */
const tree *broadphase_tree(const broadphase *self);

/* All pairs of living bodies, at least one of them dynamic, whose boxes meet; sorted by (a, b), the same for
 * every thread count. `pairs` stays valid until the next call. Half-spaces are tested against each dynamic
 * body's box by their plane. Errors: MEMORY, CAPACITY. */
scree_result broadphase_pairs(broadphase *self, const body_array *bodies, const bounds *boxes, int threads,
                              const body_pair **pairs, int *count, int *regrown);

#endif
