/* Entry points of reductions, exclusive scans, compaction and segmented minima of unsigned numbers. The
 * number of items is min(count[count_at], capacity). A launch writes one part per work-group; the next one,
 * with as many groups, adds the parts before its own. Groups have TILE_GROUP work-items. */
#include "tiles.h"

/* Writes the reduction of each group's range to parts. */
kernel void reduce_parts(global const uint *items, global const uint *count, const uint count_at,
                         const uint capacity, const int operation, global uint *parts) {
    local uint cells[TILE_CELLS];
    const uint l = get_local_id(0);
    const tile_range range = range_of_group(min(count[count_at], capacity), SCAN_TILE);
    const uint whole = range.end & ~3u;
    uint sum = reduce_identity(operation);
    for (uint i = range.first + 4 * l; i < whole; i += SCAN_TILE) {
        const uint4 four = *(global const uint4 *)(items + i);
        sum = reduce_two(operation, sum, reduce_leaf(operation, four.x));
        sum = reduce_two(operation, sum, reduce_leaf(operation, four.y));
        sum = reduce_two(operation, sum, reduce_leaf(operation, four.z));
        sum = reduce_two(operation, sum, reduce_leaf(operation, four.w));
    }
    if (range.first < range.end && whole + l < range.end)
        sum = reduce_two(operation, sum, reduce_leaf(operation, items[whole + l]));
    sum = group_reduce(operation, sum, cells);
    if (l == 0) parts[get_group_id(0)] = sum;
}

/* Writes the reduction of `groups` parts to result[result_at]. One work-group. */
kernel void reduce_total(global const uint *parts, const uint groups, const int operation, global uint *result,
                         const uint result_at) {
    local uint cells[TILE_CELLS];
    const uint l = get_local_id(0);
    uint sum = reduce_identity(operation);
    for (uint i = l; i < groups; i += TILE_GROUP) sum = reduce_two(operation, sum, parts[i]);
    sum = group_reduce(operation, sum, cells);
    if (l == 0) result[result_at] = sum;
}

/* Returns the sum of the parts of the groups before this one. */
SHARED uint parts_before(global const uint *parts, local uint *cells) {
    const uint group = get_group_id(0);
    uint sum = 0, total;
    for (uint i = get_local_id(0); i < group; i += TILE_GROUP) sum += parts[i];
    group_scan(sum, cells, &total);
    return total;
}

/* The last group stores the sum of everything. */
SHARED void store_total(global uint *total, const uint total_at, const uint sum, const uint groups) {
    if (get_group_id(0) == groups - 1 && get_local_id(0) == 0) total[total_at] = sum;
}

/* Writes the sums of the items before each; `out` may be `items`. */
kernel void scan_write(global const uint *items, global const uint *count, const uint count_at,
                       const uint capacity, global const uint *parts, global uint *out, global uint *total,
                       const uint total_at) {
    local uint cells[TILE_CELLS];
    const tile_range range = range_of_group(min(count[count_at], capacity), SCAN_TILE);
    uint before = parts_before(parts, cells), sum;
    for (uint tile = range.first; tile < range.end; tile += SCAN_TILE) {
        const uint i = tile + 4 * (uint)get_local_id(0);
        const uint4 four = four_at(items, i, range.end);
        uint4 sums;
        sums.x = before + group_scan(four.x + four.y + four.z + four.w, cells, &sum);
        sums.y = sums.x + four.x, sums.z = sums.y + four.y, sums.w = sums.z + four.z;
        store_four(out, i, range.end, sums);
        before += sum;
    }
    store_total(total, total_at, before, (uint)get_num_groups(0));
}

/* Writes the indices of the flags that are not zero, in order, and their number. */
kernel void compact_write(global const uint *flags, global const uint *count, const uint count_at,
                          const uint capacity, global const uint *parts, global uint *indices,
                          global uint *total, const uint total_at) {
    local uint cells[TILE_CELLS];
    const tile_range range = range_of_group(min(count[count_at], capacity), SCAN_TILE);
    uint before = parts_before(parts, cells), sum;
    for (uint tile = range.first; tile < range.end; tile += SCAN_TILE) {
        const uint i = tile + 4 * (uint)get_local_id(0);
        const uint4 four = four_at(flags, i, range.end);
        const uint set = (four.x != 0) + (four.y != 0) + (four.z != 0) + (four.w != 0);
        uint at = before + group_scan(set, cells, &sum);
        if (four.x) indices[at++] = i;
        if (four.y) indices[at++] = i + 1;
        if (four.z) indices[at++] = i + 2;
        if (four.w) indices[at] = i + 3;
        before += sum;
    }
    store_total(total, total_at, before, (uint)get_num_groups(0));
}

/* Fills the minima with the value of an empty segment. */
kernel void segment_clear(global uint *minima, global const uint *count, const uint count_at,
                          const uint capacity) {
    const uint n = min(count[count_at], capacity);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) minima[i] = 0xffffffffu;
}

/* Lowers minima[ids[i]] to values[i]; the ids are sorted. Minima commute, so the order of the atomics does
 * not matter. A work-item lowers the minimum of each of its ids once; a group whose tile has one id, once. */
kernel void segment_minimum(global const uint *values, global const uint *ids, global const uint *count,
                            const uint count_at, const uint capacity, global uint *minima,
                            global const uint *segments, const uint segments_at, const uint segment_capacity) {
    local uint cells[TILE_CELLS];
    const tile_range range = range_of_group(min(count[count_at], capacity), SCAN_TILE);
    const uint segment_count = min(segments[segments_at], segment_capacity), l = get_local_id(0);
    for (uint tile = range.first; tile < range.end; tile += SCAN_TILE) {
        const uint end = min(tile + SCAN_TILE, range.end), first = min(tile + 4 * l, end), last = min(first + 4, end),
                   id = ids[tile];
        if (id == ids[end - 1]) {
            uint lowest = 0xffffffffu;
            for (uint i = first; i < last; i++) lowest = min(lowest, values[i]);
            lowest = group_reduce(REDUCE_MINIMUM, lowest, cells);
            if (l == 0 && id < segment_count) atomic_min(&minima[id], lowest);
            LOCAL_BARRIER;
            continue;
        }
        uint lowest = 0xffffffffu;
        for (uint i = first; i < last; i++) {
            lowest = min(lowest, values[i]);
            if (i + 1 < last && ids[i + 1] == ids[i]) continue;
            if (ids[i] < segment_count) atomic_min(&minima[ids[i]], lowest);
            lowest = 0xffffffffu;
        }
    }
}
