/* Pairs of slots in rows: those of one a together, ascending by b and its image. */
#pragma once

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Two slots, a < b. */
typedef struct body_pair {
    int a, b;
    int image; /* of b, that a meets (model/period.h); 0 if nothing is periodic */
} body_pair;

/* Compares by (a, b, image): below, at or above 0. */
static inline int body_pair_order(body_pair one, body_pair other) {
    if (one.a != other.a) return one.a < other.a ? -1 : 1;
    if (one.b != other.b) return one.b < other.b ? -1 : 1;
    return (one.image > other.image) - (one.image < other.image);
}

/* Second slots and images of pairs; their positions give the first slots. Without periods there is no array
 * of images: all are 0. */
typedef struct pair_ends {
    int capacity, image_capacity;
    int *slots, *images;
} pair_ends;

scree_result pair_ends_reserve(pair_ends *self, int64_t needed, bool periodic, int *regrown);
void pair_ends_release(pair_ends *self);

/* The pairs that one piece of work has found, as numbers: ~one, then the slots that it meets, repeatedly.
 * `count` exceeds the capacity if they do not fit. */
typedef struct pair_chunk {
    int scratch; /* capacity for numbers, kept from search to search */
    int one;
    int64_t first; /* place of its numbers among those of all chunks */
    int64_t count, pairs;
    int *slots, *images; /* storage during a search; no images if nothing is periodic */
} pair_chunk;

void pair_chunk_clear(pair_chunk *self);
/* Gives chunks their storage in `memory`; if `periodic`, each number has an image as well. */
void pair_chunks_place(pair_chunk *chunks, int count, void *memory, bool periodic);
/* `image`: that of `other` that meets `one`. */
void pair_chunk_add(pair_chunk *self, int one, int other, int image);

typedef struct pair_rows {
    int count, slots, first_capacity;
    pair_ends ends;
    int *first; /* pairs of slot a: [first[a], first[a + 1]) */
} pair_rows;

/* Returns pair i, which is in the row of slot a. */
static inline body_pair pair_rows_at(const pair_rows *self, int a, int i) {
    return (body_pair){a, self->ends.slots[i], self->ends.images ? self->ends.images[i] : 0};
}

/* Returns the slot whose row has pair i. */
int pair_rows_slot(const pair_rows *self, int i);

/* Fills `self` with all pairs of the chunks and those of `kept` (may be null) without a slot marked in
 * `left`. No pair may occur twice. The result is the same for every number of threads. Errors: MEMORY,
 * CAPACITY. */
scree_result pair_rows_collect(pair_rows *self, const pair_chunk *chunks, int chunk_count,
                               const pair_rows *kept, const uint8_t *left, int slots, bool periodic,
                               int threads, int *regrown);
/* Places the ends of empty rows in scratch, after the chunks' `numbers`, with capacity for all pairs that
 * pair_rows_collect may add. Clear `ends` before releasing the rows. Errors: MEMORY. */
scree_result pair_rows_lodge(pair_rows *self, scratch_arena *scratch, pair_chunk *chunks, int chunk_count,
                             int64_t numbers, const pair_rows *kept, bool periodic, int *regrown);
/* Takes the pairs of rows in scratch, and leaves those without ends. Errors: MEMORY. */
scree_result pair_rows_take(pair_rows *self, pair_rows *lodged, bool periodic, int threads, int *regrown);
void pair_rows_release(pair_rows *self);
