/* Entry points of pairs with joints (linked_pair.h) in an arrangement: their places among the pairs of the contacts, as
 * host/rows/pairs.c merges them, and their blocks, which the host fills.
 *
 * Entry i of the contacts is the pair after i entries and the pairs of joints alone before it. A pair with joints and contacts is that
 * of its first entry. Work-groups have any number of work-items. */
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

/* Adds the pairs of joints alone to the others, and the blocks of joints to theirs; marks their colours. Counts all pairs. `before`:
 * pairs of joints alone before each; writes the pair of each. Marks what the arrangement cannot hold. */
kernel void links_pairs(global const linked_pair *linked, const uint count, global const uint *entries,
                        global const uint *alone, global const uint *before, global const contact_tag *tags,
                        global uint *report, const int limit, global uint2 *pairs, global int *colours,
                        global uchar *blocks, global uint *once, global uint *twice, global uint *places) {
    const tile_range range = range_of_group(count, TILE_GROUP);
    if (get_global_id(0) == 0) report[ARRANGED_PAIRS] = report[ARRANGED_ENTRIES] + report[ARRANGED_ALONE];
    FOR_RANGE(j, range) {
        const linked_pair of = linked[j];
        const uint at = entries[j] + before[j];
        const int kept = keeps_colour(of.last_colour, limit, !alone[j] && tag_colour(tags[entries[j]].bits) >= 0),
                  sum = of.blocks + (alone[j] ? 0 : blocks[at]);
        places[j] = at;
        blocks[at] = (uchar)min(sum, (int)TALLY_MOST);
        if (sum > TALLY_MOST) atomic_or(&report[ARRANGED_REFUSED], 1u);
        if (alone[j]) pairs[at] = (uint2)(of.a, of.b);
        if (alone[j] || kept) colours[at] = kept ? of.last_colour : -1;
        if (!kept) continue;
        end_mark(once, twice, of.a, 1u << of.last_colour);
        end_mark(once, twice, of.b, 1u << of.last_colour);
    }
}

/* Gives the entries the colours of their pairs and their first blocks, which follow those of joints, and the pairs with joints their
 * places. Marks the colours of joints, and joints without one. */
kernel void links_entries(global const linked_pair *linked, const uint count, global const uint *entries,
                          global const uint *alone, global const uint *before, global uint *report, const uint capacity,
                          const int limit, global const int *colours, global const uint *pair_of,
                          global const int *pair_firsts, global char *kept, global int *firsts,
                          global linked_place *places) {
    const tile_range range = range_of_group(min(report[ARRANGED_ENTRIES], capacity), TILE_GROUP),
                     own = range_of_group(count, TILE_GROUP);
    FOR_RANGE(i, range) {
        const uint at = pair_of[i], k = lower_bound(entries, 0, count, i + 1);
        const int held = k > 0 && entries[k - 1] == i && !alone[k - 1];
        kept[i] = (char)colours[at];
        firsts[i] = pair_firsts[at] + (held ? linked[k - 1].blocks : 0);
    }
    FOR_RANGE(j, own) {
        const uint at = entries[j] + before[j];
        linked_place place;
        place.first_block = pair_firsts[at], place.colour = colours[at];
        places[j] = place;
        if (place.colour == limit)
            atomic_or(&report[ARRANGED_REFUSED], 1u);
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
