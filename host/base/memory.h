/* Host memory: every allocation of the library goes through here (scree_set_allocator). Without an allocator
 * of the caller, large blocks are system pages, which take memory once they are written. */
#pragma once

#include "error.h"

/* Defined where the system has pages that grow and move without copying. Not under sanitizers, which watch
 * malloc. */
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define MEMORY_IS_WATCHED
#endif
#endif
#if defined __linux__ && !defined __SANITIZE_ADDRESS__ && !defined MEMORY_IS_WATCHED
#define MEMORY_HAS_PAGES
#endif

/* Returns zeroed memory for `count` items of `size` bytes, 64-byte aligned; null if memory is exhausted or
 * the product overflows. Zero items give a valid block. */
void *memory_allocate(size_t count, size_t size);
void memory_release(void *block);
/* A local pointer whose block is released at the end of its scope. */
#define SCOPED __attribute__((cleanup(memory_release_local), unused))
static inline void memory_release_local(void *local) { memory_release(*(void **)local); }
/* Returns the bytes of memory of this machine; infinity if the system does not report it. */
double memory_of_machine(void);
/* Returns whether all bytes are zero. */
bool memory_is_zero(const void *block, size_t bytes);

/* Grows an array to at least `needed` items. `items` points at its block, `capacity` counts items. Keeps
 * contents up to the old capacity and zeroes the new part. Never shrinks. Increments `regrown`, if not null,
 * if the block grew from a non-zero capacity. On failure nothing changes. Errors: MEMORY, CAPACITY (above
 * INT_MAX items). Call through MEMORY_RESERVE. */
scree_result memory_reserve(void **items, int *capacity, size_t size, size_t needed, int *regrown);

/* Scratch memory that the stages of a step use in turn. Contents do not survive from stage to stage. */
typedef struct scratch_arena {
    int capacity;
    struct memory_line *lines;
} scratch_arena;

/* Sets `out` to `bytes` bytes of scratch, 64-byte aligned and uninitialised. One stage may use them at a
 * time. Errors: MEMORY, CAPACITY. */
scree_result scratch_take(scratch_arena *self, size_t bytes, void **out, int *regrown);
void scratch_release(scratch_arena *self);

#define MEMORY_RESERVE(items, capacity, needed, regrown)                                                     \
    memory_reserve((void **)&(items), &(capacity), sizeof *(items), (size_t)(needed), regrown)
