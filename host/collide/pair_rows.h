/* Pairs of slots in rows: those of one a together, ascending by b and its image. */
#ifndef SCREE_COLLIDE_PAIR_ROWS_H
#define SCREE_COLLIDE_PAIR_ROWS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Two slots, a < b. */
typedef struct body_pair {
    int a, b;
    int image; /* of b, that a meets (world/period.h); 0 where nothing is periodic */
} body_pair;

/* The pairs that one piece of work has found. `count` goes on counting when they no longer fit. */
typedef struct pair_chunk {
    int capacity;
    int64_t count;
    body_pair *pairs;
} pair_chunk;

/* `image`: that of the other which meets the one. */
void pair_chunk_add(pair_chunk *self, int one, int other, int image);

typedef struct pair_rows {
    int count, capacity, first_capacity, next_capacity;
    body_pair *pairs;
    int *first; /* pairs of slot a: [first[a], first[a + 1]) */
    int *next;
} pair_rows;

/* Fills `self` with all pairs of the chunks, and those of `kept` (or null) neither of whose slots is marked
 * in `left`; no pair may come twice. The same for every number of threads. Errors: MEMORY, CAPACITY. */
scree_result pair_rows_collect(pair_rows *self, const pair_chunk *chunks, int chunk_count,
                               const pair_rows *kept, const uint8_t *left, int slots, int threads,
                               int *regrown);
void pair_rows_release(pair_rows *self);

#endif
