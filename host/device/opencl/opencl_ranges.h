/* Parts of one large memory: first fit. */
#pragma once

#include "base/error.h"

/* `count` bytes from `first` on. */
typedef struct memory_range {
    uint64_t first, bytes;
} memory_range;

/* The free parts, in their order; no two of them meet. */
typedef struct memory_ranges {
    int count, capacity;
    memory_range *items;
} memory_ranges;

/* Takes `bytes` from the first part that has them; *first is UINT64_MAX if none has. */
void memory_ranges_take(memory_ranges *self, uint64_t bytes, uint64_t *first);
/* Adds a part that is not free. Errors: MEMORY. */
scree_result memory_ranges_give(memory_ranges *self, memory_range range);
void memory_ranges_release(memory_ranges *self);
