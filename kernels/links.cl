/* Entry points of pairs with joints (linked_pair.h) in an arrangement: their places among the pairs of the contacts, as
 * host/rows/pairs.c merges them, and their blocks, which the host fills.
 *
 * The pair of an entry comes after those of the entries before it and the pairs of joints alone before it. A pair with joints and contacts is
 * that of the first entry of its bodies. Work-groups have any number of work-items. */
#include "arrangement.h"
#include "contact_lookup.h"
#include "linked_pair.h"
#include "pair_ends.h"
#include "tiles.h"

enum { ANY_IMAGE = 1 << 28 }; /* beyond all images (contact_set.h) */

/* Finds for each pair the first entry that is not before it, and whether its bodies have no contact. */
kernel void links_find(global const linked_pair *linked, const uint count, global const contact_head *heads,
                       global const uint *report, const uint capacity, global uint *entries, global uint *alone) {
    const uint n = min(report[ARRANGED_ENTRIES], capacity);
    const tile_range range = range_of_group(count, TILE_GROUP);
    FOR_RANGE(j, range) {
        const int a = end_slot(linked[j].a), b = end_slot(linked[j].b);
        const uint at = entry_at(heads, 0, n, a, b, -ANY_IMAGE);
        entries[j] = at;
        alone[j] = !(at < n && heads[at].a == a && heads[at].b == b);
    }
}

/* Returns whether a pair keeps the colour of its joints: the contacts had none. */
SHARED int keeps_colour(const int last, const int limit, const int contacts_had_one) {
    return last >= 0 && last < limit && !contacts_had_one;
}

/* Adds the pairs of joints alone to the others, and the blocks of joints to theirs; marks their colours. `before`:
 * pairs of joints alone before each; `run_of`: with `runs`, the pairs of entries before each entry. Writes the pair of each. Marks
 * what the arrangement cannot hold: `most` blocks of a pair. */
kernel void links_pairs(global const linked_pair *linked, const uint count, global const uint *entries,
                        global const uint *alone, global const uint *before, global const contact_tag *tags,
                        global uint *report, const uint capacity, global const uint *run_of, const int runs,
                        const int limit, const int most, global uint2 *pairs, global int *colours,
                        global ushort *blocks, global uint *once, global uint *twice, global uint *places) {
    const uint n = min(report[ARRANGED_ENTRIES], capacity);
    const tile_range range = range_of_group(count, TILE_GROUP);
    FOR_RANGE(j, range) {
        const linked_pair of = linked[j];
        const uint entry = entries[j], at = (!runs ? entry : entry < n ? run_of[entry] : report[ARRANGED_RUNS]) + before[j];
        const int kept = keeps_colour(of.last_colour, limit, !alone[j] && tag_colour(tags[entry].bits) >= 0),
                  sum = of.blocks + (alone[j] ? 0 : blocks[at]);
        places[j] = at;
        blocks[at] = (ushort)min(sum, most);
        if (sum > most) atomic_or(&report[ARRANGED_REFUSED], (uint)REFUSED_BLOCKS);
        if (alone[j]) pairs[at] = (uint2)(of.a, of.b);
        if (alone[j] || kept) colours[at] = kept ? of.last_colour : -1;
        if (!kept) continue;
        end_mark(once, twice, of.a, 1u << of.last_colour);
        end_mark(once, twice, of.b, 1u << of.last_colour);
    }
}

/* Writes the places of the pairs with these numbers, and marks their colours, or that one has none. */
kernel void links_places(global const uint *numbers, const uint count, global uint *report, const int limit,
                         global const int *colours, global const int *pair_firsts, global linked_place *places) {
    const tile_range range = range_of_group(count, TILE_GROUP);
    FOR_RANGE(j, range) {
        const uint at = numbers[j];
        linked_place place;
        place.first_block = pair_firsts[at], place.colour = colours[at];
        places[j] = place;
        if (place.colour == limit)
            atomic_or(&report[ARRANGED_REFUSED], (uint)REFUSED_COLOUR);
        else
            atomic_or(&report[ARRANGED_HELD], 1u << place.colour);
    }
}

/* Writes the blocks of joints, and their warm start, to their places: block `at[i]` for each of `count`. */
kernel void links_place(global const int *at, const uint count, global const constraint_block *from,
                        global const block_impulse *starts_from, global const block_impulse *pushes_from,
                        global constraint_block *blocks, global block_impulse *starts, global block_impulse *pushes) {
    const tile_range range = range_of_group(count, TILE_GROUP);
    FOR_RANGE(i, range) {
        const int to = at[i];
        blocks[to] = from[i], starts[to] = starts_from[i], pushes[to] = pushes_from[i];
    }
}

/* Takes the impulses of these blocks from a solution. */
kernel void links_take(global const int *at, const uint count, global const block_impulse *solution,
                       global block_impulse *out) {
    const tile_range range = range_of_group(count, TILE_GROUP);
    FOR_RANGE(i, range) out[i] = solution[at[i]];
}
