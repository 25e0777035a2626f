/* How work-groups share arrays whose length a device stores, and sums within a work-group. In C: the sizes.
 *
 * The launched work-groups take contiguous ranges of whole tiles, in order; those without a tile have an
 * empty range. Results are exact integers and ranks are stable, so they do not depend on the number of
 * groups. */
#ifndef SCREE_KERNELS_TILES_H
#define SCREE_KERNELS_TILES_H

#include "dialect.h"

enum {
    TILE_GROUP = 256,           /* work-items of a group */
    CONVEX_GROUP = 32,          /* those of contacts_convex.cl, whose work-items take very different times */
    SCAN_TILE = 4 * TILE_GROUP, /* items of a tile of reductions and scans */
    SORT_ITEMS = 8,             /* keys of a work-item in a tile */
    SORT_TILE = SORT_ITEMS * TILE_GROUP,
    SORT_BITS = 8, /* most bits of a digit */
    SORT_DIGITS = 256
};

/* Operations of a reduction of unsigned numbers; COUNT adds one for each number that is not zero. */
enum { REDUCE_SUM, REDUCE_MINIMUM, REDUCE_MAXIMUM, REDUCE_OR, REDUCE_COUNT };

#ifdef __OPENCL_VERSION__

#define LOCAL_BARRIER barrier(CLK_LOCAL_MEM_FENCE)

/* Indices first ≤ i < end; first is a multiple of the tile unless the range is empty. */
typedef struct tile_range {
    uint first, end;
} tile_range;

/* Returns the range of this work-group of n items; `groups`: number of work-groups. */
SHARED tile_range range_among(const uint n, const uint tile, const uint groups) {
    const uint tiles = (n + tile - 1) / tile, each = (tiles + groups - 1) / groups,
               first = (uint)get_group_id(0) * each * tile, end = first + each * tile;
    tile_range range;
    range.first = min(first, n), range.end = min(end, n);
    return range;
}

/* In a kernel. Functions get the number of work-groups from it, because kernels that run for several worlds have
 * another (host/device/opencl/opencl_merged_source.h). */
#define range_of_group(n, tile) range_among(n, tile, (uint)get_num_groups(0))

/* The items of a range, shared by the work-items of the group. */
#define FOR_RANGE(i, range) \
    for (uint i = (range).first + (uint)get_local_id(0); i < (range).end; i += (uint)get_local_size(0))

/* Returns the first of the sorted keys from `first` on that is at least `key`, or `end`. */
SHARED uint lower_bound(global const uint *keys, uint first, uint end, const uint key) {
    if (first < end && keys[first] >= key) return first;
    while (first < end) {
        const uint middle = first + (end - first) / 2;
        if (keys[middle] < key)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Scratch of the sums of a work-group. */
enum { TILE_CELLS = 2 * TILE_GROUP + 1 };

/* Returns the sum of x over the work-items before this one, and in *total over all of them. All work-items
 * call it; no barrier is required between calls. */
SHARED uint group_scan(const uint x, local uint *cells, uint *total) {
    const uint l = get_local_id(0);
    uint sum = x, side = 0;
    for (uint d = 1; d < TILE_GROUP; d *= 4) {
        local uint *at = cells + side * TILE_GROUP;
        at[l] = sum;
        LOCAL_BARRIER;
        if (l >= d) sum += at[l - d];
        if (l >= 2 * d) sum += at[l - 2 * d];
        if (l >= 3 * d) sum += at[l - 3 * d];
        side = 1 - side;
    }
    if (l == TILE_GROUP - 1) cells[2 * TILE_GROUP] = sum;
    LOCAL_BARRIER;
    *total = cells[2 * TILE_GROUP];
    return sum - x;
}

SHARED uint reduce_identity(const int operation) { return operation == REDUCE_MINIMUM ? 0xffffffffu : 0; }

/* Returns the number that stands for x in the reduction. */
SHARED uint reduce_leaf(const int operation, const uint x) { return operation == REDUCE_COUNT ? x != 0 : x; }

SHARED uint reduce_two(const int operation, const uint x, const uint y) {
    return operation == REDUCE_MINIMUM ? min(x, y) : operation == REDUCE_MAXIMUM ? max(x, y) : operation == REDUCE_OR ? x | y : x + y;
}

/* Returns the reduction of x over the work-group to all its work-items. A barrier is required before the
 * cells are used again. */
SHARED uint group_reduce(const int operation, const uint x, local uint *cells) {
    const uint l = get_local_id(0);
    cells[l] = x;
    LOCAL_BARRIER;
    for (uint d = TILE_GROUP / 2; d > 0; d /= 2) {
        if (l < d) cells[l] = reduce_two(operation, cells[l], cells[l + d]);
        LOCAL_BARRIER;
    }
    return cells[0];
}

/* Returns the items i to i + 3, zeros from the end on; i is a multiple of 4. */
SHARED uint4 four_at(global const uint *items, const uint i, const uint end) {
    if (i + 4 <= end) return *(global const uint4 *)(items + i);
    uint4 four = (uint4)(0);
    if (i < end) four.x = items[i];
    if (i + 1 < end) four.y = items[i + 1];
    if (i + 2 < end) four.z = items[i + 2];
    return four;
}

SHARED void store_four(global uint *items, const uint i, const uint end, const uint4 four) {
    if (i + 4 <= end) {
        *(global uint4 *)(items + i) = four;
        return;
    }
    if (i < end) items[i] = four.x;
    if (i + 1 < end) items[i + 1] = four.y;
    if (i + 2 < end) items[i + 2] = four.z;
}

#endif

#endif
