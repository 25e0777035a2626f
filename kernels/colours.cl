/* Entry points of the colouring: the colours of host/rows/colouring.c, by the same rounds. A pair is a uint2,
 * its bodies (pair_ends.h). A colour is below `limit`, `limit` in the uncoloured remainder, or negative if
 * there is none yet. No result depends on the order of the atomics: they join bits and take maxima, and where
 * the value before is used, only whether any other pair came first. The order of lists does not matter.
 *
 * Work-groups have any number of work-items. Counts are words in memory, as for scan.cl. */
#include "pair_ends.h"
#include "tiles.h"

enum {
    COLOURS_DONE = -1, /* in the list of colours_finish */
    NOT_HELD = -2      /* in that of colours_first */
};

/* Returns the bits that a dynamic body of the pair has. */
SHARED uint taken(global const uint *masks, const uint2 pair) {
    return (pair.x & ENDS_MOVES ? masks[end_slot(pair.x)] : 0) | (pair.y & ENDS_MOVES ? masks[end_slot(pair.y)] : 0);
}

/* Returns the bits of the colours below `limit` that no dynamic body of the pair has. */
SHARED uint available(global const uint *masks, const uint2 pair, const int limit) {
    return ~taken(masks, pair) & (0xffffffffu >> (32 - limit));
}

/* Returns whether a pair has no colour or could have a lower one. */
SHARED int is_candidate(const uint2 pair, const int colour, global const uint *masks, const int limit) {
    return colour < 0 || (available(masks, pair, limit) & ((1u << colour) - 1)) != 0;
}

SHARED int lowest(const uint bits) { return 31 - (int)clz(bits & (0u - bits)); }

/* Returns the priority of pair i, as priority_of in host/rows/colouring.c. */
SHARED uint priority_of(const uint2 pair, const int i) {
    const uint low = 0x7fffffffu;
    uint x = (uint)i + 1;
    x = ((x ^ x >> 16) * 0x7feb352du) & low;
    x = ((x ^ x >> 15) * 0x846ca68bu) & low;
    x ^= x >> 16;
    return (pair.x ^ pair.y) & ENDS_MOVES ? x | ~low : x;
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
        if (pair.x & ENDS_MOVES) atomic_or(&masks[end_slot(pair.x)], 1u << colour);
        if (pair.y & ENDS_MOVES) atomic_or(&masks[end_slot(pair.y)], 1u << colour);
    }
}

/* Returns the place of this work-item's entry in a list that all work-groups append to; only if it `adds`
 * one. All work-items call it. */
SHARED uint place_in_list(const int adds, local uint *own, global uint *length) {
    uint at = 0;
    if (get_local_id(0) == 0) own[0] = 0;
    LOCAL_BARRIER;
    if (adds) at = atomic_inc(&own[0]);
    LOCAL_BARRIER;
    if (get_local_id(0) == 0 && own[0] > 0) own[1] = atomic_add(length, own[0]);
    LOCAL_BARRIER;
    return own[1] + at;
}

/* Lists the pairs without a colour, and those that can have a lower one. */
kernel void colours_list(global const uint2 *pairs, global const uint *count, const uint count_at,
                         const uint capacity, global const int *colours, const int limit,
                         global const uint *masks, global int *list, global uint *length,
                         const uint length_at) {
    local uint own[2];
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    for (uint tile = range.first; tile < range.end; tile += (uint)get_local_size(0)) {
        const uint i = tile + (uint)get_local_id(0);
        const int colour = i < range.end ? colours[i] : 0;
        const int listed = i < range.end && is_candidate(pairs[i], colour, masks, limit);
        const uint at = place_in_list(listed, own, &length[length_at]);
        if (listed) list[at] = (int)i;
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
    if (pair.x & ENDS_MOVES) atomic_max(&highest[end_slot(pair.x)], priority_of(pair, i));
    if (pair.y & ENDS_MOVES) atomic_max(&highest[end_slot(pair.y)], priority_of(pair, i));
}

/* Removes the priority of a pair that is no longer a candidate. */
SHARED void withdraw(global uint *highest, const uint body, const uint priority) {
    if (body & ENDS_MOVES) atomic_cmpxchg(&highest[end_slot(body)], priority, 0u);
}

SHARED int is_highest(global uint *highest, const uint body, const uint priority) {
    return !(body & ENDS_MOVES) || atomic_or(&highest[end_slot(body)], 0u) == priority;
}

/* Replaces the pair's colour by the smallest available one. */
SHARED void recolour(const uint2 pair, const int i, global int *colours, const int limit,
                     global uint *masks) {
    const uint own = colours[i] < 0 ? 0 : 1u << colours[i];
    if (pair.x & ENDS_MOVES) masks[end_slot(pair.x)] &= ~own;
    if (pair.y & ENDS_MOVES) masks[end_slot(pair.y)] &= ~own;
    const int colour = lowest(available(masks, pair, limit));
    colours[i] = colour;
    if (pair.x & ENDS_MOVES) masks[end_slot(pair.x)] |= 1u << colour;
    if (pair.y & ENDS_MOVES) masks[end_slot(pair.y)] |= 1u << colour;
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

/* A round over a list of candidates: indices of pairs. Those that stay candidates go to the next list. */
kernel void colours_bid(global const uint2 *pairs, global const int *list, global const uint *count,
                        const uint count_at, const uint capacity, global int *colours, const int limit,
                        global const uint *masks, global uint *highest) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    FOR_RANGE(k, range) bid(pairs, list[k], colours, limit, masks, highest);
}

kernel void colours_award(global const uint2 *pairs, global const int *list, global uint *count,
                          const uint count_at, const uint capacity, global int *colours, const int limit,
                          global uint *masks, global uint *highest, global int *next) {
    local uint own[2];
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    for (uint tile = range.first; tile < range.end; tile += (uint)get_local_size(0)) {
        const uint k = tile + (uint)get_local_id(0);
        const int stays = k < range.end && award(pairs, list[k], colours, limit, masks, highest);
        const uint at = place_in_list(stays, own, &count[count_at + 1]);
        if (stays) next[at] = list[k];
    }
}

/* Takes pairs that are coloured first out of the candidates: held[k] is the colour of pair first[k], or NOT_HELD if that is no
 * candidate. */
kernel void colours_hold(global const uint2 *pairs, global const int *first, const uint count, global int *colours,
                         const int limit, global const uint *masks, global int *held) {
    const tile_range range = range_of_group(count, TILE_GROUP);
    FOR_RANGE(k, range) {
        const int i = first[k], colour = colours[i], listed = is_candidate(pairs[i], colour, masks, limit);
        held[k] = listed ? colour : NOT_HELD;
        if (listed) colours[i] = 0;
    }
}

/* Gives them the smallest available colours, in their order: one work-group. */
kernel void colours_first(global const uint2 *pairs, global const int *first, const uint count, global int *colours,
                          const int limit, global uint *masks, global const int *held) {
    local int of_tile[TILE_GROUP];
    const uint l = (uint)get_local_id(0), size = (uint)get_local_size(0);
    for (uint tile = 0; tile < count; tile += size) {
        if (tile + l < count) of_tile[l] = held[tile + l];
        LOCAL_BARRIER;
        for (uint k = 0; l == 0 && k < size && tile + k < count; k++) {
            const int i = first[tile + k];
            if (of_tile[k] == NOT_HELD) continue;
            colours[i] = of_tile[k];
            if (of_tile[k] >= 0 || available(masks, pairs[i], limit) != 0)
                recolour(pairs[i], i, colours, limit, masks);
            else
                colours[i] = limit;
        }
        LOCAL_BARRIER;
    }
}

/* The rounds that are left, in one work-group. */
kernel void colours_finish(global const uint2 *pairs, global int *list, global const uint *count,
                           const uint count_at, const uint capacity, global int *colours, const int limit,
                           global uint *masks, global uint *highest) {
    local uint left;
    const uint n = min(count[count_at], capacity), first = get_local_id(0), step = get_local_size(0);
    for (uint todo = n; todo > 0;) {
        for (uint k = first; k < n; k += step)
            if (list[k] != COLOURS_DONE) bid(pairs, list[k], colours, limit, masks, highest);
        if (first == 0) left = 0;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        for (uint k = first; k < n; k += step) {
            if (list[k] == COLOURS_DONE) continue;
            if (award(pairs, list[k], colours, limit, masks, highest))
                atomic_inc(&left);
            else
                list[k] = COLOURS_DONE;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        todo = left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
