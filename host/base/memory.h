/* Host memory: every allocation of the library goes through here (scree_set_allocator). Without an allocator
 * of the caller large blocks are pages of the system, which are there from when they are written to. */
#ifndef SCREE_BASE_MEMORY_H
#define SCREE_BASE_MEMORY_H

#include "error.h"

/* Where the system has pages that grow and move without being copied. A sanitizer watches those of malloc. */
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define MEMORY_IS_WATCHED
#endif
#endif
#if defined __linux__ && !defined __SANITIZE_ADDRESS__ && !defined MEMORY_IS_WATCHED
#define MEMORY_HAS_PAGES
#endif

/* Zeroed memory for `count` items of `size` bytes, 64-byte aligned; null when there is none or the product
 * overflows. Zero items give a valid block. */
void *memory_allocate(size_t count, size_t size);
void memory_release(void *block);
/* Bytes of memory that this machine has; infinite where the system does not tell. */
double memory_of_machine(void);
/* Whether all of its bytes are zero. */
bool memory_is_zero(const void *block, size_t bytes);

/* A growing array: `items` points at its block, `capacity` counts items. Contents up to the old capacity are
 * kept, the new part is zeroed. Never shrinks. On failure (SCREE_ERROR_MEMORY, sentence kept) nothing
 * changes. `regrown`, if not null, is counted up when the block had to grow from a non-zero capacity. Use
 * through MEMORY_RESERVE. */
scree_result memory_reserve(void **items, int *capacity, size_t size, size_t needed, int *regrown);

/* Memory that stages of a step use one after the other; none of them finds there what it left. */
typedef struct scratch_arena {
    int capacity;
    struct memory_line *lines;
} scratch_arena;

/* `out`: so many bytes, 64-byte aligned, with whatever is in them; nobody else has any until it is done with
 * them. Errors: MEMORY. */
scree_result scratch_take(scratch_arena *self, size_t bytes, void **out, int *regrown);
void scratch_release(scratch_arena *self);

#define MEMORY_RESERVE(items, capacity, needed, regrown)                                                     \
    memory_reserve((void **)&(items), &(capacity), sizeof *(items), (size_t)(needed), regrown)

#endif
