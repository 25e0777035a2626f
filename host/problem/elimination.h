/* Sparse linear systems of 3×3 blocks, solved by block elimination in double precision. */
#ifndef SCREE_PROBLEM_ELIMINATION_H
#define SCREE_PROBLEM_ELIMINATION_H

#include "base/error.h"
#include "base/real3.h"

#include <stdbool.h>

/* One system after the other of at most `capacity` block rows. */
typedef struct elimination {
    int capacity, count;
    int *place; /* count × count: block + 1 of each place, 0 where there is none */
    real3x3 *blocks;
    int block_capacity;
    size_t block_count;
    int *degree, *order, *around; /* rows not yet eliminated that a row couples with; scratch */
    bool *gone;
} elimination;

/* Rows whose place table is reasonable. */
enum { ELIMINATION_ROWS_MOST = 3000 };

/* Room for systems of `capacity` ≤ ELIMINATION_ROWS_MOST rows. Errors: MEMORY, with nothing left to release.
 */
scree_result elimination_allocate(elimination *self, int capacity);
void elimination_release(elimination *self);

/* Begins a system of `count` rows without blocks. */
void elimination_begin(elimination *self, int count);
/* The block at a place, zero when it is new; null without memory. The pointer holds until the next call. */
real3x3 *elimination_block(elimination *self, int row, int column);

/* Solves into `x`, which holds the right-hand side; the blocks are overwritten. `products` is the number of
 * products of two blocks that it may make, and at the end has left. False when they do not suffice, when a
 * pivot is singular or memory is short. */
bool elimination_solve(elimination *self, real3 *x, double *products);

#endif
