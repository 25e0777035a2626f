/* Sparse linear systems of 3×3 blocks, solved by block elimination in double precision. */
#pragma once

#include "base/error.h"
#include "base/real3.h"

#include <stdbool.h>

/* A solver for one system after another, each of at most `capacity` block rows. */
typedef struct elimination {
    int capacity, count;
    int *place; /* count × count: index of the block at each place plus 1; 0: no block */
    real3x3 *blocks;
    int block_capacity;
    size_t block_count;
    int *degree, *order, *around; /* remaining rows that a row couples with; scratch */
    bool *gone;
} elimination;

/* Most rows: the table of places has the square of this. */
enum { ELIMINATION_ROWS_MOST = 3000 };

/* Allocates for systems of `capacity` ≤ ELIMINATION_ROWS_MOST rows. Errors: MEMORY, with nothing to
 * release. */
scree_result elimination_allocate(elimination *self, int capacity);
void elimination_release(elimination *self);

/* Begins a system of `count` rows without blocks. */
void elimination_begin(elimination *self, int count);
/* Returns the block at a place, zero if it is new; NULL if out of memory. The pointer is valid until the next
 * call. */
real3x3 *elimination_block(elimination *self, int row, int column);

/* Solves in place: `x` holds the right-hand side, then the solution; the blocks are overwritten. `products`
 * is the budget of products of two blocks, and the rest of it on return. Returns false when the budget does
 * not suffice, a pivot is singular or memory is short. */
bool elimination_solve(elimination *self, real3 *x, double *products);
