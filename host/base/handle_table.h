/* Handles: an index from 1 on, a generation and the number of a world. A place keeps its index as long as its
 * array lives; its generation is odd while the item is alive. A table is a view of an array whose items hold
 * their generation. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct handle_table {
    uint32_t world;
    int count;
    const void *generations; /* of the first item; NULL is allowed when count is 0 */
    size_t stride;           /* bytes from one generation to the next */
} handle_table;

static inline uint32_t handle_generation(handle_table table, int place) {
    return *(const uint32_t *)(const void *)((const char *)table.generations + table.stride * (size_t)place);
}

static inline bool handle_is_alive(uint32_t generation) { return generation & 1; }

/* Returns whether a handle is null: all of it, since a stale id whose index was lost is an error. */
static inline bool handle_is_null(uint32_t index, uint32_t generation, uint32_t world) {
    return !index && !generation && !world;
}

/* Returns the place of a handle whose generation is the present one, alive or not; −1 if there is none. */
static inline int handle_match(handle_table table, uint32_t index, uint32_t generation, uint32_t world) {
    if (world != table.world || index == 0 || index > (uint32_t)table.count) return -1;
    return handle_generation(table, (int)index - 1) == generation ? (int)index - 1 : -1;
}

/* Returns the place of a handle whose item is alive; −1 if there is none. */
static inline int handle_find(handle_table table, uint32_t index, uint32_t generation, uint32_t world) {
    return handle_is_alive(generation) ? handle_match(table, index, generation, world) : -1;
}

/* Returns the first place whose item is dead; `count` if all are alive. */
static inline int handle_free_place(handle_table table) {
    int place = 0;
    while (place < table.count && handle_is_alive(handle_generation(table, place))) place++;
    return place;
}
