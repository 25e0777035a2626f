/* Entry points of the colouring: the colours of host/rows/colouring.c, by the same rounds. A pair is a uint2,
 * its slots, each with the bit COLOURS_MOVES if the body is dynamic. A colour is below `limit`, `limit` in
 * the uncoloured remainder, or negative if there is none yet. No result depends on the order of the atomics:
 * they join bits and take maxima, and where the value before is used, only whether any other pair came first.
 *
 * Work-groups have any number of work-items. Counts are words in memory, as for scan.cl. */
#include "tiles.h"

enum { COLOURS_DONE = -1 /* in a list of candidates */ };
#define COLOURS_MOVES 0x80000000u

SHARED uint slot_of(const uint body) { return body & ~COLOURS_MOVES; }

/* Returns the bits that a dynamic body of the pair has. */
SHARED uint taken(global const uint *masks, const uint2 pair) {
    return (pair.x & COLOURS_MOVES ? masks[slot_of(pair.x)] : 0) | (pair.y & COLOURS_MOVES ? masks[slot_of(pair.y)] : 0);
}

/* Returns the bits of the colours below `limit` that no dynamic body of the pair has. */
SHARED uint available(global const uint *masks, const uint2 pair, const int limit) {
    return ~taken(masks, pair) & (0xffffffffu >> (32 - limit));
}

SHARED int lowest(const uint bits) { return 31 - (int)clz(bits & (0u - bits)); }

/* Returns the priority of pair i, as priority_of in host/rows/colouring.c. */
SHARED uint priority_of(const uint2 pair, const int i) {
    const uint low = 0x7fffffffu;
    uint x = (uint)i + 1;
    x = ((x ^ x >> 16) * 0x7feb352du) & low;
    x = ((x ^ x >> 15) * 0x846ca68bu) & low;
    x ^= x >> 16;
    return (pair.x ^ pair.y) & COLOURS_MOVES ? x | ~low : x;
}

kernel void colours_clear(global uint *masks, global uint *once, global uint *twice, global uint *highest,
                          const uint slots) {
    const tile_range range = range_of_group(slots, TILE_GROUP);
    FOR_RANGE(i, range) masks[i] = once[i] = twice[i] = highest[i] = 0;
}

/* Marks a colour at a slot, and in `twice` if another pair has marked it. */
SHARED void mark(global uint *once, global uint *twice, const uint body, const uint bit) {
    if (!(body & COLOURS_MOVES)) return;
    if (atomic_or(&once[slot_of(body)], bit) & bit) atomic_or(&twice[slot_of(body)], bit);
}

kernel void colours_mark(global const uint2 *pairs, global const uint *count, const uint count_at,
                         const uint capacity, global int *colours, const int limit, global uint *once,
                         global uint *twice) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    FOR_RANGE(i, range) {
        const int colour = colours[i];
        if (colour < 0 || colour >= limit) {
            colours[i] = -1;
            continue;
        }
        mark(once, twice, pairs[i].x, 1u << colour);
        mark(once, twice, pairs[i].y, 1u << colour);
    }
}

/* Keeps the colours that do not clash. */
kernel void colours_keep(global const uint2 *pairs, global const uint *count, const uint count_at,
                         const uint capacity, global int *colours, global const uint *twice,
                         global uint *masks) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    FOR_RANGE(i, range) {
        const uint2 pair = pairs[i];
        const int colour = colours[i];
        if (colour < 0) continue;
        if (taken(twice, pair) >> colour & 1) {
            colours[i] = -1;
            continue;
        }
        if (pair.x & COLOURS_MOVES) atomic_or(&masks[slot_of(pair.x)], 1u << colour);
        if (pair.y & COLOURS_MOVES) atomic_or(&masks[slot_of(pair.y)], 1u << colour);
    }
}

/* Flags the pairs without a colour, and those that can have a lower one. */
kernel void colours_flag(global const uint2 *pairs, global const uint *count, const uint count_at,
                         const uint capacity, global const int *colours, const int limit,
                         global const uint *masks, global uint *flags) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    FOR_RANGE(i, range) {
        const int colour = colours[i];
        flags[i] = colour < 0 || (available(masks, pairs[i], limit) & ((1u << colour) - 1)) != 0;
    }
}

/* Gives the candidate to the remainder if no colour is available; otherwise raises the highest priorities at
 * its bodies. */
SHARED void bid(global const uint2 *pairs, const int i, global int *colours, const int limit,
                global const uint *masks, global uint *highest) {
    const uint2 pair = pairs[i];
    if (colours[i] < 0 && available(masks, pair, limit) == 0) {
        colours[i] = limit;
        return;
    }
    if (pair.x & COLOURS_MOVES) atomic_max(&highest[slot_of(pair.x)], priority_of(pair, i));
    if (pair.y & COLOURS_MOVES) atomic_max(&highest[slot_of(pair.y)], priority_of(pair, i));
}

/* Removes the priority of a pair that is no longer a candidate. */
SHARED void withdraw(global uint *highest, const uint body, const uint priority) {
    if (body & COLOURS_MOVES) atomic_cmpxchg(&highest[slot_of(body)], priority, 0u);
}

SHARED int is_highest(global uint *highest, const uint body, const uint priority) {
    return !(body & COLOURS_MOVES) || atomic_or(&highest[slot_of(body)], 0u) == priority;
}

/* Replaces the pair's colour by the smallest available one. */
SHARED void recolour(const uint2 pair, const int i, global int *colours, const int limit,
                     global uint *masks) {
    const uint own = colours[i] < 0 ? 0 : 1u << colours[i];
    if (pair.x & COLOURS_MOVES) masks[slot_of(pair.x)] &= ~own;
    if (pair.y & COLOURS_MOVES) masks[slot_of(pair.y)] &= ~own;
    const int colour = lowest(available(masks, pair, limit));
    colours[i] = colour;
    if (pair.x & COLOURS_MOVES) masks[slot_of(pair.x)] |= 1u << colour;
    if (pair.y & COLOURS_MOVES) masks[slot_of(pair.y)] |= 1u << colour;
}

/* Recolours the candidate if its priority is the highest at both bodies. Returns whether it stays one. */
SHARED int award(global const uint2 *pairs, const int i, global int *colours, const int limit,
                 global uint *masks, global uint *highest) {
    const uint2 pair = pairs[i];
    const uint priority = priority_of(pair, i);
    const int to_remainder = colours[i] == limit;
    if (!to_remainder && !(is_highest(highest, pair.x, priority) && is_highest(highest, pair.y, priority)))
        return 1;
    if (!to_remainder) recolour(pair, i, colours, limit, masks);
    withdraw(highest, pair.x, priority);
    withdraw(highest, pair.y, priority);
    return 0;
}

/* A round over a list of candidates; each entry is the index of a pair or COLOURS_DONE. */
kernel void colours_bid(global const uint2 *pairs, global const int *list, global const uint *count,
                        const uint count_at, const uint capacity, global int *colours, const int limit,
                        global const uint *masks, global uint *highest) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    FOR_RANGE(k, range) if (list[k] != COLOURS_DONE) bid(pairs, list[k], colours, limit, masks, highest);
}

kernel void colours_award(global const uint2 *pairs, global int *list, global const uint *count,
                          const uint count_at, const uint capacity, global int *colours, const int limit,
                          global uint *masks, global uint *highest, global uint *flags) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    FOR_RANGE(k, range) {
        const int stays = list[k] != COLOURS_DONE && award(pairs, list[k], colours, limit, masks, highest);
        if (!stays) list[k] = COLOURS_DONE;
        flags[k] = stays;
    }
}

/* The rounds that are left, in one work-group: over the entries of `list` that `places` names. */
kernel void colours_finish(global const uint2 *pairs, global int *list, global const uint *places,
                           global const uint *count, const uint count_at, const uint capacity,
                           global int *colours, const int limit, global uint *masks, global uint *highest,
                           global uint *left, const uint left_at) {
    const uint n = min(count[count_at], capacity), first = get_local_id(0), step = get_local_size(0);
    for (uint todo = n; todo > 0;) {
        for (uint k = first; k < n; k += step)
            if (list[places[k]] != COLOURS_DONE) bid(pairs, list[places[k]], colours, limit, masks, highest);
        if (first == 0) left[left_at] = 0;
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (uint k = first; k < n; k += step) {
            const uint at = places[k];
            if (list[at] == COLOURS_DONE) continue;
            if (award(pairs, list[at], colours, limit, masks, highest))
                atomic_inc(&left[left_at]);
            else
                list[at] = COLOURS_DONE;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        todo = left[left_at];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
