#include "pair_rows.h"

#include "base/memory.h"
#include "base/prefix_sum.h"

#include <limits.h>
#include <string.h>

enum { SHORT_ROW = 32 }; /* longest row that is sorted by insertion */

void pair_chunk_add(pair_chunk *self, int one, int other, int image) {
    if (self->count < self->capacity)
        self->pairs[self->count] =
            one < other ? (body_pair){one, other, image} : (body_pair){other, one, -image};
    self->count++;
}

/* Counts one up and returns the number before. */
static int take(int *counter, bool contended) {
    int before;
    if (contended) {
#pragma omp atomic capture
        before = (*counter)++;
    } else {
        before = (*counter)++;
    }
    return before;
}

/* Of two pairs of one a. */
static bool precedes(const body_pair *one, const body_pair *other) {
    return one->b < other->b || (one->b == other->b && one->image < other->image);
}

static void sift_down(body_pair *row, int from, int count) {
    const body_pair item = row[from];
    for (int child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && precedes(&row[child], &row[child + 1])) child++;
        if (!precedes(&item, &row[child])) break;
        row[from] = row[child];
    }
    row[from] = item;
}

/* Sorts the pairs of one a by b and image: insertion for the usual handful, heap sort for the rows of large
 * bodies. */
static void sort_row(body_pair *row, int count) {
    if (count <= SHORT_ROW) {
        for (int i = 1; i < count; i++) {
            const body_pair item = row[i];
            int j = i;
            for (; j > 0 && precedes(&item, &row[j - 1]); j--) row[j] = row[j - 1];
            row[j] = item;
        }
        return;
    }
    for (int from = count / 2 - 1; from >= 0; from--) sift_down(row, from, count);
    for (int end = count - 1; end > 0; end--) {
        const body_pair largest = row[0];
        row[0] = row[end], row[end] = largest;
        sift_down(row, 0, end);
    }
}

/* What stays of a row. */
static int stay(const pair_rows *kept, const uint8_t *left, int a, body_pair *out) {
    int count = 0;
    if (!kept || left[a]) return 0;
    for (int i = kept->first[a]; i < kept->first[a + 1]; i++) {
        if (left[kept->pairs[i].b]) continue;
        if (out) out[count] = kept->pairs[i];
        count++;
    }
    return count;
}

/* Sorts by counting: pairs go to the row of their a in whatever order threads come, and each row, whose pairs
 * are all different, is then sorted; so the result does not depend on that order. */
scree_result pair_rows_collect(pair_rows *self, const pair_chunk *chunks, int chunk_count,
                               const pair_rows *kept, const uint8_t *left, int slots, int threads,
                               int *regrown) {
    const bool contended = threads > 1;
    int64_t most = kept ? kept->count : 0;
    for (int i = 0; i < chunk_count; i++) most += chunks[i].count;
    self->count = 0;
    if (most > INT_MAX)
        return fail(SCREE_ERROR_CAPACITY, "%lld pairs of bodies are more than an index can count (%d)",
                    (long long)most, INT_MAX);
    TRY(MEMORY_RESERVE(self->first, self->first_capacity, (size_t)slots + 1, regrown));
    TRY(MEMORY_RESERVE(self->next, self->next_capacity, (size_t)slots, regrown));
    TRY(MEMORY_RESERVE(self->pairs, self->capacity, most, regrown));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int a = 0; a < slots; a++) self->first[a] = stay(kept, left, a, NULL);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < chunk_count; i++)
        for (int64_t k = 0; k < chunks[i].count; k++) take(&self->first[chunks[i].pairs[k].a], contended);
    self->first[slots] = prefix_sum(self->first, slots, threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int a = 0; a < slots; a++)
        self->next[a] = self->first[a] + stay(kept, left, a, self->pairs + self->first[a]);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < chunk_count; i++)
        for (int64_t k = 0; k < chunks[i].count; k++) {
            const body_pair pair = chunks[i].pairs[k];
            self->pairs[take(&self->next[pair.a], contended)] = pair;
        }
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (int a = 0; a < slots; a++)
        sort_row(self->pairs + self->first[a], self->first[a + 1] - self->first[a]);
    self->count = self->first[slots];
    return SCREE_OK;
}

void pair_rows_release(pair_rows *self) {
    memory_release(self->pairs);
    memory_release(self->first);
    memory_release(self->next);
    *self = (pair_rows){0};
}
