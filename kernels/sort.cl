/* Entry points of one pass of a stable radix sort of keys with values, compiled with SORT_KEY = uint or
 * ulong. The digit of a key is its `bits` bits from `shift` on. Per pass: sort_count counts the digits of
 * each group's range, sort_scatter moves the keys. Where each group reading the counts of all would take
 * longer than a launch, `rows` is set and sort_rows adds the counts in between. The number of keys is
 * min(count[count_at], capacity). Groups have TILE_GROUP work-items; sort_count and sort_scatter run with
 * equally many. */
#include "tiles.h"

/* Counts of half digits are packed: d < 8 in the low half of row d, d + 8 in its high half. */
enum { HALF_BITS = 4, HALF_DIGITS = 1 << HALF_BITS, ROWS = HALF_DIGITS / 2 };

/* Spreads indices with a stride of 8 over the banks of local memory. */
#define PADDED(i) ((i) + ((i) >> 5))
enum { PADDED_TILE = SORT_TILE + SORT_TILE / 32 };

/* Returns where a group's count of a digit is: in the digit's row if `rows` is set, else in the group's. */
SHARED uint place_of(const uint digit, const uint group, const int rows, const uint groups) {
    return rows ? digit * groups + group : group * SORT_DIGITS + digit;
}

SHARED uint digit_of(const SORT_KEY key, const uint shift, const uint mask) { return (uint)(key >> shift) & mask; }

/* Writes the number of keys with each digit in each group's range. */
kernel void sort_count(global const SORT_KEY *keys, global const uint *count, const uint count_at,
                       const uint capacity, const uint shift, const uint bits, const int rows, global uint *counts) {
    local uint own[SORT_DIGITS];
    const uint l = get_local_id(0), mask = (1u << bits) - 1;
    const tile_range range = range_of_group(min(count[count_at], capacity), SORT_TILE);
    own[l] = 0;
    LOCAL_BARRIER;
    for (uint i = range.first + l; i < range.end; i += TILE_GROUP) atomic_inc(&own[digit_of(keys[i], shift, mask)]);
    LOCAL_BARRIER;
    if (l <= mask) counts[place_of(l, get_group_id(0), rows, (uint)get_num_groups(0))] = own[l];
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

/* An item of a tile: digit << 16 | index in the tile. While a work-item counts its own, their ranks among them
 * are in the highest bits (64 instead of 79 registers on an H100, so one more group on a processor). */
enum { DIGIT_SHIFT = 16, OWN_RANK_SHIFT = 24, ITEM_MASK = (1 << OWN_RANK_SHIFT) - 1 };

SHARED uint half_digit(const uint item, const uint shift) { return item >> shift & (HALF_DIGITS - 1); }

/* Sorts the tile's items by the HALF_BITS bits from `shift` on. Each work-item counts SORT_ITEMS consecutive
 * ones. */
SHARED void sort_tile(const uint shift, local uint *rows, local uint *tile, local uint *cells) {
    const uint l = get_local_id(0);
    uint items[SORT_ITEMS], sum = 0, total;
    for (uint r = 0; r < ROWS; r++) rows[PADDED(r * TILE_GROUP + l)] = 0;
    for (uint k = 0; k < SORT_ITEMS; k++) {
        const uint item = tile[PADDED(SORT_ITEMS * l + k)], d = half_digit(item, shift), high = d / ROWS * 16,
                   at = PADDED(d % ROWS * TILE_GROUP + l), c = rows[at];
        items[k] = item | (c >> high & 0xffff) << OWN_RANK_SHIFT;
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
        const uint d = half_digit(items[k], shift), high = d / ROWS * 16,
                   smaller = rows[PADDED(d % ROWS * TILE_GROUP + l)] >> high & 0xffff;
        tile[PADDED(smaller + (items[k] >> OWN_RANK_SHIFT))] = items[k] & ITEM_MASK;
    }
    LOCAL_BARRIER;
}

/* Returns the place of this group's first key whose digit is this work-item's number. */
SHARED uint first_place(global const uint *counts, global const uint *totals, const int rows, const uint mask,
                        const uint groups, local uint *cells) {
    const uint l = get_local_id(0), group = get_group_id(0);
    uint before = 0, all = 0, total;
    if (l <= mask && rows) before = counts[place_of(l, group, rows, groups)], all = totals[l];
    if (l <= mask && !rows)
        for (uint g = 0; g < groups; g++) {
            const uint x = counts[place_of(l, g, rows, groups)];
            all += x;
            before += g < group ? x : 0;
        }
    return before + group_scan(all, cells, &total);
}

/* Moves keys and values to their places. */
kernel void sort_scatter(global const SORT_KEY *keys, global const uint *values, global const uint *count,
                         const uint count_at, const uint capacity, const uint shift, const uint bits, const int rows,
                         global const uint *counts, global const uint *totals, global SORT_KEY *keys_out,
                         global uint *values_out) {
    local uint cells[TILE_CELLS], packed[PADDED_TILE], sorted[PADDED_TILE], next[SORT_DIGITS], offsets[SORT_DIGITS];
    const uint l = get_local_id(0), mask = (1u << bits) - 1;
    const tile_range range = range_of_group(min(count[count_at], capacity), SORT_TILE);
    if (range.first == range.end) return;
    const uint place = first_place(counts, totals, rows, mask, (uint)get_num_groups(0), cells);
    if (l <= mask) next[l] = place;
    for (uint tile = range.first; tile < range.end; tile += SORT_TILE) {
        const uint here = min(range.end - tile, (uint)SORT_TILE);
        for (uint i = l; i < SORT_TILE; i += TILE_GROUP)
            sorted[PADDED(i)] = (i < here ? digit_of(keys[tile + i], shift, mask) : mask) << DIGIT_SHIFT | i;
        LOCAL_BARRIER;
        for (uint done = 0; done < bits; done += HALF_BITS) sort_tile(DIGIT_SHIFT + done, packed, sorted, cells);
        for (uint p = l; p < here; p += TILE_GROUP) {
            const uint d = sorted[PADDED(p)] >> DIGIT_SHIFT;
            if (p == 0 || sorted[PADDED(p - 1)] >> DIGIT_SHIFT != d) offsets[d] = next[d] - p;
        }
        LOCAL_BARRIER;
        for (uint p = l; p < here; p += TILE_GROUP) {
            const uint item = sorted[PADDED(p)], d = item >> DIGIT_SHIFT, from = tile + (item & 0xffff), to = offsets[d] + p;
            keys_out[to] = keys[from];
            values_out[to] = values[from];
            if (p + 1 == here || sorted[PADDED(p + 1)] >> DIGIT_SHIFT != d) next[d] = to + 1;
        }
        LOCAL_BARRIER;
    }
}
