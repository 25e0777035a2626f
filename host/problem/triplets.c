#include "triplets.h"

#include "base/memory.h"

scree_result triplets_add(triplets *self, int row, int column, double value) {
    if (self->count == self->capacity)
        TRY(MEMORY_RESERVE(self->entries, self->capacity, (size_t)self->count + 1, NULL));
    self->entries[self->count++] = (triplet){row, column, value};
    return SCREE_OK;
}

void triplets_release(triplets *self) {
    memory_release(self->entries);
    *self = (triplets){0};
}

/* One pass of a stable counting sort. `first` has keys + 1 elements, all zero. */
static void sort_pass(const triplet *from, triplet *to, int count, int size, bool by_row, int *first,
                      int keys) {
    for (int i = 0; i < count; i++) ++first[(by_row ? from[i].row : from[i].column) / size + 1];
    for (int k = 0; k < keys; k++) first[k + 1] += first[k];
    for (int i = 0; i < count; i++) to[first[(by_row ? from[i].row : from[i].column) / size]++] = from[i];
}

scree_result triplets_sort(triplets *self, int size, int rows, int columns) {
    triplet *other = memory_allocate((size_t)self->count, sizeof *other);
    int *first = memory_allocate((size_t)rows + (size_t)columns + 2, sizeof *first);
    const bool good = other && first;
    if (good) {
        sort_pass(self->entries, other, self->count, size, false, first, columns);
        sort_pass(other, self->entries, self->count, size, true, first + columns + 1, rows);
    }
    memory_release(other);
    memory_release(first);
    return good ? SCREE_OK
                : fail(SCREE_ERROR_MEMORY, "out of memory: sorting %d matrix entries", self->count);
}

static bool same_block(const triplet *a, const triplet *b) {
    return a->row / 3 == b->row / 3 && a->column / 3 == b->column / 3;
}

scree_result triplets_blocks(triplets *self, int contacts, delassus *out) {
    *out = (delassus){0};
    for (int i = 0; i < contacts; i++) TRY(triplets_add(self, 3 * i, 3 * i, 0));
    TRY(triplets_sort(self, 3, contacts, contacts));
    int blocks = 0;
    for (int k = 0; k < self->count; k++)
        blocks += k == 0 || !same_block(&self->entries[k - 1], &self->entries[k]);
    TRY(delassus_allocate(out, contacts, blocks));
    int block = -1;
    for (int k = 0; k < self->count; k++) {
        const triplet *entry = &self->entries[k];
        const int row = entry->row / 3, column = entry->column / 3;
        if (k == 0 || !same_block(entry - 1, entry)) {
            out->column[++block] = column;
            out->first[row + 1] = block + 1;
            if (row == column) out->diagonal[row] = block;
        }
        out->entries[block].m[entry->row % 3][entry->column % 3] += entry->value;
    }
    return SCREE_OK;
}
