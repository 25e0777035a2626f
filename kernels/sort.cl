/* Entry points of one pass of a stable radix sort of keys with values, compiled with SORT_KEY = uint or
 * ulong. The digit of a key is its `bits` bits from `shift` on. Per pass: sort_count counts the digits of
 * each group's range, sort_rows adds the counts of the groups before for each digit, sort_scatter moves the
 * keys. The number of keys is min(count[count_at], capacity). Groups have TILE_GROUP work-items; sort_count
 * and sort_scatter run with equally many. */
#include "tiles.h"

/* Counts are packed: digit d < 8 of half a digit in the low half of row d, d + 8 in the high half. */
enum { HALF_BITS = 4, HALF_DIGITS = 1 << HALF_BITS, ROWS = HALF_DIGITS / 2 };

/* Spreads indices with a stride of 8 over the banks of local memory. */
#define PADDED(i) ((i) + ((i) >> 5))
enum { PADDED_TILE = SORT_TILE + SORT_TILE / 32 };

static inline uint digit_of(const SORT_KEY key, const uint shift, const uint mask) { return (uint)(key >> shift) & mask; }

/* Writes the number of keys with digit d in the range of group g to counts[d * groups + g]. */
kernel void sort_count(global const SORT_KEY *keys, global const uint *count, const uint count_at,
                       const uint capacity, const uint shift, const uint bits, global uint *counts) {
    local uint own[SORT_DIGITS];
    const uint l = get_local_id(0), mask = (1u << bits) - 1;
    const tile_range range = range_of_group(min(count[count_at], capacity), SORT_TILE);
    own[l] = 0;
    LOCAL_BARRIER;
    for (uint i = range.first + l; i < range.end; i += TILE_GROUP) atomic_inc(&own[digit_of(keys[i], shift, mask)]);
    LOCAL_BARRIER;
    if (l <= mask) counts[l * (uint)get_num_groups(0) + (uint)get_group_id(0)] = own[l];
}

/* Replaces the counts of one digit by the sums of those of the groups before. One work-group per digit. */
kernel void sort_rows(global uint *counts, const uint groups, global uint *totals) {
    local uint cells[TILE_CELLS];
    const uint l = get_local_id(0), digit = get_group_id(0);
    global uint *row = counts + digit * groups;
    uint before = 0, sum;
    for (uint first = 0; first < groups; first += TILE_GROUP) {
        const uint x = first + l < groups ? row[first + l] : 0;
        const uint here = before + group_scan(x, cells, &sum);
        if (first + l < groups) row[first + l] = here;
        before += sum;
    }
    if (l == 0) totals[digit] = before;
}

/* Sorts the tile's items by the HALF_BITS bits from `shift` on. Each work-item counts SORT_ITEMS consecutive
 * ones. */
static inline void sort_tile(const uint shift, local uint *rows, local uint *tile, local uint *cells) {
    const uint l = get_local_id(0);
    uint items[SORT_ITEMS], ranks[SORT_ITEMS], sum = 0, total;
    for (uint r = 0; r < ROWS; r++) rows[PADDED(r * TILE_GROUP + l)] = 0;
    for (uint k = 0; k < SORT_ITEMS; k++) {
        const uint item = tile[PADDED(SORT_ITEMS * l + k)], d = item >> shift & (HALF_DIGITS - 1), high = d / ROWS * 16,
                   at = PADDED(d % ROWS * TILE_GROUP + l), c = rows[at];
        items[k] = item;
        ranks[k] = c >> high & 0xffff;
        rows[at] = c + (1u << high);
    }
    LOCAL_BARRIER;
    for (uint r = 0; r < ROWS; r++) sum += rows[PADDED(ROWS * l + r)];
    uint before = group_scan(sum, cells, &total);
    before += total << 16; /* the low halves come first */
    for (uint r = 0; r < ROWS; r++) {
        const uint at = PADDED(ROWS * l + r), c = rows[at];
        rows[at] = before;
        before += c;
    }
    LOCAL_BARRIER;
    for (uint k = 0; k < SORT_ITEMS; k++) {
        const uint d = items[k] >> shift & (HALF_DIGITS - 1), high = d / ROWS * 16;
        const uint rank = ranks[k] + (rows[PADDED(d % ROWS * TILE_GROUP + l)] >> high & 0xffff);
        tile[PADDED(rank)] = items[k];
    }
    LOCAL_BARRIER;
}

/* Moves keys and values to their places. An item of the sorted tile is digit << 16 | index in the tile. */
kernel void sort_scatter(global const SORT_KEY *keys, global const uint *values, global const uint *count,
                         const uint count_at, const uint capacity, const uint shift, const uint bits,
                         global const uint *counts, global const uint *totals, global SORT_KEY *keys_out,
                         global uint *values_out) {
    local uint cells[TILE_CELLS], rows[PADDED_TILE], sorted[PADDED_TILE], next[SORT_DIGITS], offsets[SORT_DIGITS];
    const uint l = get_local_id(0), mask = (1u << bits) - 1;
    const tile_range range = range_of_group(min(count[count_at], capacity), SORT_TILE);
    if (range.first == range.end) return;
    uint total;
    const uint smaller = group_scan(l <= mask ? totals[l] : 0, cells, &total);
    if (l <= mask) next[l] = smaller + counts[l * (uint)get_num_groups(0) + (uint)get_group_id(0)];
    for (uint tile = range.first; tile < range.end; tile += SORT_TILE) {
        const uint here = min(range.end - tile, (uint)SORT_TILE);
        for (uint i = l; i < SORT_TILE; i += TILE_GROUP)
            sorted[PADDED(i)] = (i < here ? digit_of(keys[tile + i], shift, mask) : mask) << 16 | i;
        LOCAL_BARRIER;
        for (uint done = 0; done < bits; done += HALF_BITS) sort_tile(16 + done, rows, sorted, cells);
        for (uint p = l; p < here; p += TILE_GROUP) {
            const uint d = sorted[PADDED(p)] >> 16;
            if (p == 0 || sorted[PADDED(p - 1)] >> 16 != d) offsets[d] = next[d] - p;
        }
        LOCAL_BARRIER;
        for (uint p = l; p < here; p += TILE_GROUP) {
            const uint item = sorted[PADDED(p)], d = item >> 16, from = tile + (item & 0xffff), to = offsets[d] + p;
            keys_out[to] = keys[from];
            values_out[to] = values[from];
            if (p + 1 == here || sorted[PADDED(p + 1)] >> 16 != d) next[d] = to + 1;
        }
        LOCAL_BARRIER;
    }
}
