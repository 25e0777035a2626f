#include "opencl_ranges.h"

#include "base/memory.h"

#include <string.h>

static void remove_at(memory_ranges *self, int at) {
    self->count--;
    memmove(&self->items[at], &self->items[at + 1], (size_t)(self->count - at) * sizeof *self->items);
}

void memory_ranges_take(memory_ranges *self, uint64_t bytes, uint64_t *first) {
    *first = UINT64_MAX;
    for (int i = 0; i < self->count; i++) {
        memory_range *range = &self->items[i];
        if (range->bytes < bytes) continue;
        *first = range->first;
        range->first += bytes;
        range->bytes -= bytes;
        if (range->bytes == 0) remove_at(self, i);
        return;
    }
}

static uint64_t end_of(memory_range range) { return range.first + range.bytes; }

scree_result memory_ranges_give(memory_ranges *self, memory_range range) {
    int at = 0;
    if (range.bytes == 0) return SCREE_OK;
    TRY(MEMORY_RESERVE(self->items, self->capacity, self->count + 1, NULL));
    while (at < self->count && self->items[at].first < range.first) at++;
    if (at < self->count && end_of(range) == self->items[at].first) {
        range.bytes += self->items[at].bytes;
        remove_at(self, at);
    }
    if (at > 0 && end_of(self->items[at - 1]) == range.first) {
        self->items[at - 1].bytes += range.bytes;
        return SCREE_OK;
    }
    memmove(&self->items[at + 1], &self->items[at], (size_t)(self->count - at) * sizeof *self->items);
    self->items[at] = range;
    self->count++;
    return SCREE_OK;
}

void memory_ranges_release(memory_ranges *self) {
    memory_release(self->items);
    *self = (memory_ranges){0};
}
