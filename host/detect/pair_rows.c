#include "pair_rows.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/prefix_sum.h"

#include <limits.h>
#include <string.h>

enum { SHORT_ROW = 9 }; /* rows up to about twice as long are sorted by insertion alone */

scree_result pair_ends_reserve(pair_ends *self, int64_t needed, bool periodic, int *regrown) {
    if (periodic) TRY(MEMORY_RESERVE(self->images, self->image_capacity, needed, regrown));
    return MEMORY_RESERVE(self->slots, self->capacity, needed, regrown);
}

void pair_ends_release(pair_ends *self) {
    memory_release(self->slots);
    memory_release(self->images);
    *self = (pair_ends){0};
}

void pair_chunk_clear(pair_chunk *self) { self->count = self->pairs = 0; }

void pair_chunks_place(pair_chunk *chunks, int count, void *memory, bool periodic) {
    for (int i = 0; i < count; i++) {
        chunks[i].slots = (int *)memory + chunks[i].first * (1 + periodic);
        chunks[i].images = periodic ? chunks[i].slots + chunks[i].scratch : NULL;
    }
}

static void put(pair_chunk *self, int number, int image) {
    if (self->count < self->scratch) {
        self->slots[self->count] = number;
        if (self->images) self->images[self->count] = image;
    }
    self->count++;
}

void pair_chunk_add(pair_chunk *self, int one, int other, int image) {
    if (self->pairs++ == 0 || self->one != one) put(self, ~one, 0);
    self->one = one;
    put(self, other, image);
}

/* Finds the next pair of a chunk from number *at on; returns false at the end. `*one` is kept from call to
 * call. */
static bool next_pair(const pair_chunk *chunk, int64_t *at, int *one, body_pair *out) {
    for (; *at < chunk->count; ++*at) {
        const int number = chunk->slots[*at];
        if (number >= 0) break;
        *one = ~number;
    }
    if (*at == chunk->count) return false;
    const int other = chunk->slots[*at], image = chunk->images ? chunk->images[*at] : 0;
    *out = *one < other ? (body_pair){*one, other, image} : (body_pair){other, *one, -image};
    ++*at;
    return true;
}

/* Increments a counter and returns its old value. */
static int take(int *counter, bool contended) {
    return contended ? __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED) : (*counter)++;
}

/* The ends of the pairs of one a. */
typedef struct row {
    int *slots, *images; /* null: all are 0 */
} row;

typedef struct row_end {
    int slot, image;
} row_end;

static row_end end_at(row of, int i) { return (row_end){of.slots[i], of.images ? of.images[i] : 0}; }

static void set_end(row of, int i, row_end end) {
    of.slots[i] = end.slot;
    if (of.images) of.images[i] = end.image;
}

static bool precedes(row_end one, row_end other) {
    return one.slot < other.slot || (one.slot == other.slot && one.image < other.image);
}

/* Sorts the pairs of one a by b and image (Shell 1959): by insertion for the usual handful, over shrinking
 * gaps for the rows of large bodies. The gaps 3 h + 1 up to a ninth of the row are those of Knuth, The Art of
 * Computer Programming 3, 5.2.1. */
static void sort_row(row of, int count) {
    int gap = 1;
    while (gap < count / SHORT_ROW) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < count; i++) {
            const row_end item = end_at(of, i);
            int j = i;
            for (; j >= gap && precedes(item, end_at(of, j - gap)); j -= gap)
                set_end(of, j, end_at(of, j - gap));
            set_end(of, j, item);
        }
}

static row row_from(const pair_rows *self, int first) {
    return (row){self->ends.slots + first, self->ends.images ? self->ends.images + first : NULL};
}

int pair_rows_slot(const pair_rows *self, int i) {
    int low = 0, high = self->slots - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (self->first[middle + 1] > i)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Counts the remaining pairs of a row; writes them to `out` from `at` on if `out` is not null. */
static int stay(const pair_rows *kept, const uint8_t *left, int a, const pair_rows *out, int at) {
    int count = 0;
    if (!kept || left[a]) return 0;
    for (int i = kept->first[a]; i < kept->first[a + 1]; i++) {
        if (left[kept->ends.slots[i]]) continue;
        if (out) set_end(row_from(out, at), count, end_at(row_from(kept, 0), i));
        count++;
    }
    return count;
}

static void count_chunk(pair_rows *self, const pair_chunk *chunk, bool contended) {
    body_pair pair;
    int64_t at = 0;
    for (int one = 0; next_pair(chunk, &at, &one, &pair);) take(&self->first[pair.a], contended);
}

static void place_chunk(pair_rows *self, const pair_chunk *chunk, bool contended) {
    body_pair pair;
    int64_t at = 0;
    for (int one = 0; next_pair(chunk, &at, &one, &pair);)
        set_end(row_from(self, 0), take(&self->first[pair.a], contended), (row_end){pair.b, pair.image});
}

static int64_t most_of(const pair_chunk *chunks, int chunk_count, const pair_rows *kept) {
    int64_t most = kept ? kept->count : 0;
    for (int i = 0; i < chunk_count; i++) most += chunks[i].pairs;
    return most;
}

typedef struct rows_loop {
    pair_rows *self;
    const pair_rows *kept;
    const uint8_t *left;
    const pair_chunk *chunks;
    bool contended;
} rows_loop;

static void count_kept(const void *context, slice part) {
    const rows_loop loop = *(const rows_loop *)context;
    for (int a = part.first; a < part.end; a++) loop.self->first[a] = stay(loop.kept, loop.left, a, NULL, 0);
}

static void count_chunks(const void *context, slice part) {
    const rows_loop loop = *(const rows_loop *)context;
    for (int i = part.first; i < part.end; i++) count_chunk(loop.self, &loop.chunks[i], loop.contended);
}

static void copy_kept(const void *context, slice part) {
    const rows_loop loop = *(const rows_loop *)context;
    for (int a = part.first; a < part.end; a++)
        loop.self->first[a] += stay(loop.kept, loop.left, a, loop.self, loop.self->first[a]);
}

static void place_chunks(const void *context, slice part) {
    const rows_loop loop = *(const rows_loop *)context;
    for (int i = part.first; i < part.end; i++) place_chunk(loop.self, &loop.chunks[i], loop.contended);
}

static void sort_rows(const void *context, slice part) {
    const rows_loop loop = *(const rows_loop *)context;
    for (int a = part.first; a < part.end; a++)
        sort_row(row_from(loop.self, loop.self->first[a]), loop.self->first[a + 1] - loop.self->first[a]);
}

/* Sorts by counting: threads add pairs to the row of their a in any order, then each row, whose pairs are all
 * different, is sorted. The result does not depend on the order of the threads. While rows are filled,
 * first[a] is the next place in the row of a, and in the end that of the row after it. */
scree_result pair_rows_collect(pair_rows *self, const pair_chunk *chunks, int chunk_count,
                               const pair_rows *kept, const uint8_t *left, int slots, bool periodic,
                               int threads, int *regrown) {
    const bool contended = threads > 1;
    const int64_t most = most_of(chunks, chunk_count, kept);
    self->count = 0, self->slots = slots;
    if (most > INT_MAX)
        return fail(SCREE_ERROR_CAPACITY, "pairs of bodies: %lld; at most %d", (long long)most, INT_MAX);
    TRY(MEMORY_RESERVE(self->first, self->first_capacity, (size_t)slots + 1, regrown));
    parallel_for(threads, slots, count_kept, &(const rows_loop){.self = self, .kept = kept, .left = left});
    parallel_for(threads, chunk_count, count_chunks,
                 &(const rows_loop){.self = self, .chunks = chunks, .contended = contended});
    const int count = self->first[slots] = prefix_sum(self->first, slots, threads);
    TRY(pair_ends_reserve(&self->ends, count, periodic, regrown));
    parallel_for(threads, slots, copy_kept, &(const rows_loop){.self = self, .kept = kept, .left = left});
    parallel_for(threads, chunk_count, place_chunks,
                 &(const rows_loop){.self = self, .chunks = chunks, .contended = contended});
    memmove(self->first + 1, self->first, sizeof *self->first * (size_t)slots);
    self->first[0] = 0;
    parallel_for(threads, slots, sort_rows, &(const rows_loop){.self = self});
    self->count = count;
    return SCREE_OK;
}

scree_result pair_rows_lodge(pair_rows *self, scratch_arena *scratch, pair_chunk *chunks, int chunk_count,
                             int64_t numbers, const pair_rows *kept, bool periodic, int *regrown) {
    const int64_t most = most_of(chunks, chunk_count, kept);
    const size_t each = (1 + (size_t)periodic) * sizeof(int);
    void *bytes;
    if (most > INT_MAX) return SCREE_OK; /* pair_rows_collect returns the error */
    TRY(scratch_take(scratch, (size_t)(numbers + most) * each, &bytes, regrown));
    pair_chunks_place(chunks, chunk_count, bytes, periodic);
    self->ends = (pair_ends){.capacity = (int)most, .slots = (int *)bytes + numbers * (1 + periodic)};
    if (periodic) self->ends.images = self->ends.slots + most, self->ends.image_capacity = (int)most;
    return SCREE_OK;
}

typedef struct take_loop {
    pair_rows *self, *lodged;
} take_loop;

static void take_slice(const void *context, slice part) {
    const take_loop loop = *(const take_loop *)context;
    for (int i = part.first; i < part.end; i++)
        set_end(row_from(loop.self, 0), i, end_at(row_from(loop.lodged, 0), i));
}

scree_result pair_rows_take(pair_rows *self, pair_rows *lodged, bool periodic, int threads, int *regrown) {
    TRY(pair_ends_reserve(&self->ends, lodged->count, periodic, regrown));
    parallel_for(threads, lodged->count, take_slice, &(const take_loop){.self = self, .lodged = lodged});
    const pair_rows before = *self;
    self->count = lodged->count, self->slots = lodged->slots;
    self->first = lodged->first, self->first_capacity = lodged->first_capacity;
    *lodged = before;
    lodged->ends = (pair_ends){0};
    return SCREE_OK;
}

void pair_rows_release(pair_rows *self) {
    pair_ends_release(&self->ends);
    memory_release(self->first);
    *self = (pair_rows){0};
}
