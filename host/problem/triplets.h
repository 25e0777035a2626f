/* Entries of a sparse matrix in any order; entries at the same place are added. */
#pragma once

#include "delassus.h"

typedef scree_triplet triplet;

typedef struct triplets {
    int count, capacity;
    triplet *entries;
} triplets;

/* Errors: MEMORY. */
scree_result triplets_add(triplets *self, int row, int column, double value);
void triplets_release(triplets *self);

/* Sorts by row / `size` (block rows of `size` scalar rows; `rows` of them), then by column / `size`; entries
 * of one block keep their order. Errors: MEMORY. */
scree_result triplets_sort(triplets *self, int size, int rows, int columns);

/* Makes the 3×3 block rows of a 3 contacts × 3 contacts matrix; missing places are zero, and every diagonal
 * block exists. Sorts `self`. q and friction are zero. On error `out` is empty. Errors: MEMORY, CAPACITY. */
scree_result triplets_blocks(triplets *self, int contacts, delassus *out);
