/* The entry points of scan.cl for devices whose work-groups have one work-item, such as processors: each
 * work-item runs through its range. Same arguments, same results. */
#include "tiles.h"

kernel void reduce_parts(global const uint *items, global const uint *count, const uint count_at,
                         const uint capacity, const int operation, global uint *parts) {
    const tile_range range = range_of_group(min(count[count_at], capacity), SCAN_TILE);
    uint sum = reduce_identity(operation);
    for (uint i = range.first; i < range.end; i++) sum = reduce_two(operation, sum, reduce_leaf(operation, items[i]));
    parts[get_group_id(0)] = sum;
}

kernel void reduce_total(global const uint *parts, const uint groups, const int operation, global uint *result,
                         const uint result_at) {
    uint sum = reduce_identity(operation);
    for (uint i = 0; i < groups; i++) sum = reduce_two(operation, sum, parts[i]);
    result[result_at] = sum;
}

SHARED uint parts_before(global const uint *parts) {
    uint sum = 0;
    for (uint i = 0; i < get_group_id(0); i++) sum += parts[i];
    return sum;
}

SHARED void store_total(global uint *total, const uint total_at, const uint sum, const uint groups) {
    if (get_group_id(0) == groups - 1) total[total_at] = sum;
}

kernel void scan_write(global const uint *items, global const uint *count, const uint count_at,
                       const uint capacity, global const uint *parts, global uint *out, global uint *total,
                       const uint total_at) {
    const tile_range range = range_of_group(min(count[count_at], capacity), SCAN_TILE);
    uint before = parts_before(parts);
    for (uint i = range.first; i < range.end; i++) {
        const uint x = items[i];
        out[i] = before;
        before += x;
    }
    store_total(total, total_at, before, (uint)get_num_groups(0));
}

kernel void compact_write(global const uint *flags, global const uint *count, const uint count_at,
                          const uint capacity, global const uint *parts, global uint *indices,
                          global uint *total, const uint total_at) {
    const tile_range range = range_of_group(min(count[count_at], capacity), SCAN_TILE);
    const uint first = parts_before(parts), end = first + parts[get_group_id(0)];
    for (uint i = range.first, at = first; at < end; i++) { /* without a branch on the flag */
        indices[at] = i;
        at += flags[i] != 0;
    }
    store_total(total, total_at, end, (uint)get_num_groups(0));
}

kernel void segment_clear(global uint *minima, global const uint *count, const uint count_at,
                          const uint capacity) {
    const tile_range range = range_of_group(min(count[count_at], capacity), SCAN_TILE);
    for (uint i = range.first; i < range.end; i++) minima[i] = 0xffffffffu;
}

kernel void segment_minimum(global const uint *values, global const uint *ids, global const uint *count,
                            const uint count_at, const uint capacity, global uint *minima,
                            global const uint *segments, const uint segments_at, const uint segment_capacity) {
    const tile_range range = range_of_group(min(count[count_at], capacity), SCAN_TILE);
    const uint segment_count = min(segments[segments_at], segment_capacity);
    uint lowest = 0xffffffffu;
    for (uint i = range.first; i < range.end; i++) {
        lowest = min(lowest, values[i]);
        if (i + 1 < range.end && ids[i + 1] == ids[i]) continue;
        if (ids[i] < segment_count) atomic_min(&minima[ids[i]], lowest);
        lowest = 0xffffffffu;
    }
}
