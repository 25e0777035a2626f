#include "memory.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static scree_allocator current;

void scree_set_allocator(const scree_allocator *allocator) {
    current = allocator && allocator->allocate && allocator->release ? *allocator : (scree_allocator){0};
}

/* Blocks are aligned by hand, with the address to release just before them, so that any allocator will do. */
void *memory_allocate(size_t count, size_t size) {
    if (size && count > (SIZE_MAX - 2 * ALIGNMENT) / size) return NULL;
    const size_t bytes = count * size + ALIGNMENT + sizeof(void *);
    char *raw = current.allocate ? current.allocate(bytes, current.user) : malloc(bytes);
    if (!raw) return NULL;
    char *block = raw + sizeof(void *);
    block += (ALIGNMENT - (uintptr_t)block % ALIGNMENT) % ALIGNMENT;
    memcpy(block - sizeof(void *), &raw, sizeof raw);
    return memset(block, 0, count * size);
}

void memory_release(void *block) {
    if (!block) return;
    void *raw;
    memcpy(&raw, (char *)block - sizeof(void *), sizeof raw);
    current.release ? current.release(raw, current.user) : free(raw);
}

scree_result memory_reserve(void **items, int *capacity, size_t size, size_t needed, int *regrown) {
    if (needed <= (size_t)*capacity && *items) return SCREE_OK;
    if (needed > INT_MAX)
        return fail(SCREE_ERROR_CAPACITY, "%zu items are more than an index can count (%d)", needed, INT_MAX);
    size_t larger = (size_t)*capacity + (size_t)*capacity / 2;
    if (larger < needed) larger = needed;
    if (larger < 16) larger = 16;
    if (larger > INT_MAX) larger = INT_MAX;
    void *block = memory_allocate(larger, size);
    if (!block) return fail(SCREE_ERROR_MEMORY, "out of memory: %zu items of %zu bytes", larger, size);
    if (*items) memcpy(block, *items, (size_t)*capacity * size);
    if (*items && regrown) ++*regrown;
    memory_release(*items);
    *items = block;
    *capacity = (int)larger;
    return SCREE_OK;
}

bool memory_is_zero(const void *block, size_t bytes) {
    const char *at = block;
    return bytes == 0 || (at[0] == 0 && memcmp(at, at + 1, bytes - 1) == 0);
}
