/* The entry points of sort.cl for devices whose work-groups have one work-item, such as processors: each
 * work-item runs through its range. Same arguments, same results. */
#include "tiles.h"

SHARED uint place_of(const uint digit, const uint group, const int rows, const uint groups) {
    return rows ? digit * groups + group : group * SORT_DIGITS + digit;
}

SHARED uint digit_of(const SORT_KEY key, const uint shift, const uint mask) { return (uint)(key >> shift) & mask; }

kernel void sort_count(global const SORT_KEY *keys, global const uint *count, const uint count_at,
                       const uint capacity, const uint shift, const uint bits, const int rows, global uint *counts) {
    uint own[SORT_DIGITS];
    const uint mask = (1u << bits) - 1;
    const tile_range range = range_of_group(min(count[count_at], capacity), SORT_TILE);
    for (uint d = 0; d <= mask; d++) own[d] = 0;
    for (uint i = range.first; i < range.end; i++) own[digit_of(keys[i], shift, mask)]++;
    for (uint d = 0; d <= mask; d++) counts[place_of(d, get_group_id(0), rows, (uint)get_num_groups(0))] = own[d];
}

kernel void sort_rows(global uint *counts, const uint groups, global uint *totals) {
    const uint digit = get_group_id(0);
    global uint *row = counts + digit * groups;
    uint before = 0;
    for (uint i = 0; i < groups; i++) {
        const uint x = row[i];
        row[i] = before;
        before += x;
    }
    totals[digit] = before;
}

/* Returns the number of keys with a digit; *before: in the groups before this one. */
SHARED uint digit_total(global const uint *counts, global const uint *totals, const int rows, const uint digit,
                        const uint groups, uint *before) {
    const uint group = get_group_id(0);
    uint sum = 0;
    *before = 0;
    if (rows) {
        *before = counts[place_of(digit, group, rows, groups)];
        return totals[digit];
    }
    for (uint g = 0; g < groups; g++) {
        const uint x = counts[place_of(digit, g, rows, groups)];
        sum += x;
        *before += g < group ? x : 0;
    }
    return sum;
}

kernel void sort_scatter(global const SORT_KEY *keys, global const uint *values, global const uint *count,
                         const uint count_at, const uint capacity, const uint shift, const uint bits, const int rows,
                         global const uint *counts, global const uint *totals, global SORT_KEY *keys_out,
                         global uint *values_out) {
    uint next[SORT_DIGITS], smaller = 0;
    const uint mask = (1u << bits) - 1;
    const tile_range range = range_of_group(min(count[count_at], capacity), SORT_TILE);
    for (uint d = 0; d <= mask; d++) {
        uint before;
        const uint total = digit_total(counts, totals, rows, d, (uint)get_num_groups(0), &before);
        next[d] = smaller + before;
        smaller += total;
    }
    for (uint i = range.first; i < range.end; i++) {
        const SORT_KEY key = keys[i];
        const uint to = next[digit_of(key, shift, mask)]++;
        keys_out[to] = key;
        values_out[to] = values[i];
    }
}
