/* Entry points of the arrangement: the pairs, groups and incidence of host/rows (pairs.c, pair_blocks.c,
 * incidence.c) and the survey of problem.c, from a contact set. Entry i of the contacts is pair i, unless pairs are
 * runs of entries or there are pairs with joints (links.cl).
 *
 * With ARRANGE_WIDE, pairs may have more than 15 blocks.
 *
 * Work-groups have any number of work-items. Atomics add integers, join bits and take extrema, so that their
 * order does not matter. */
#include "arrangement.h"
#include "ball_group.h"
#include "linked_pair.h"
#include "pair_ends.h"
#include "tiles.h"

enum {
    TALLIED = ARRANGED_COLOURS + 1,  /* colours and the uncoloured remainder */
    TALLY_QUADS = TALLY_WORDS / 4,
    PLACE_WORDS = TILE_GROUP / 32,   /* of a bit for each pair of a tile */
    PLACE_PLANES = TALLY_BITS + 1    /* whether the pair is there, and the bits of its number of blocks */
};

SHARED uint first_value(const uint word, const uint pairs, const uint slots, global const uint *counts) {
    return word < CONTACTS_COUNTS         ? counts[word]
           : word == ARRANGED_ENTRIES     ? pairs
           : word == ARRANGED_RUNS        ? pairs
           : word == ARRANGED_PAIRS       ? pairs
           : word == ARRANGED_SLOTS       ? slots + 1
           : word == ARRANGED_UNLIMITED   ? 0xffffffffu
           : word == ARRANGED_LIGHTEST    ? 2 * ARRANGED_EXPONENT
           : word == ARRANGED_SMALLEST    ? as_uint(INFINITY)
                                          : 0;
}

/* Clears the sums of the later launches. */
kernel void arrange_clear(global const uint *counts, const uint pair_capacity, const uint point_capacity,
                          const uint slot_capacity, const uint slots, global uint *masks, global uint *once,
                          global uint *twice, global uint *highest, global uint4 *tallies,
                          global uint *remainder, global uint *report) {
    const tile_range range = range_of_group(slots, TILE_GROUP);
    FOR_RANGE(i, range) {
        masks[i] = once[i] = twice[i] = highest[i] = remainder[i] = 0;
        for (int k = 0; k < TALLY_QUADS; k++) tallies[TALLY_QUADS * i + k] = (uint4)(0);
    }
    if (get_group_id(0) > 0) return;
    const uint pairs = pairs_that_fit(counts, pair_capacity, point_capacity, slot_capacity);
    for (uint k = get_local_id(0); k < ARRANGED_WORDS; k += get_local_size(0))
        report[k] = first_value(k, pairs, slots, counts);
}

SHARED uint end_of(global const uchar *types, global const body_mass *masses, const int slot) {
    return (uint)slot | (types[slot] == SLOT_DYNAMIC ? ENDS_MOVES : 0) | (masses[slot].mass > 0 ? ENDS_MASS : 0);
}

/* Returns whether the materials of a pair have rolling or spinning friction; `resists`: a bit for each pair
 * of materials. */
SHARED int resisted(global const int *materials, global const uint *resists, const int material_count,
                    const contact_head head) {
    if (material_count == 0) return 0;
    const uint at = (uint)(materials[head.a] * material_count + materials[head.b]);
    return resists[at / 32] >> at % 32 & 1;
}

/* Surveys this work-item's bodies. Adds the accelerations to `sums`; `loaded`: there are loads. */
SHARED body_survey survey_of(const tile_range range, global const uchar *types, global const body_mass *masses,
                             global const body_velocity *velocities, global const record_shape *shapes,
                             global const body_load *loads, const int loaded, local uint *sums) {
    body_survey own;
    own.movable = 0, own.lightest = ARRANGED_EXPONENT, own.heaviest = -ARRANGED_EXPONENT;
    own.smallest = INFINITY, own.fastest = 0;
    FOR_RANGE(i, range) {
        own.fastest = scalar_max(own.fastest, largest_component(velocities[i].linear));
        if (types[i] != SLOT_DYNAMIC) continue;
        const scalar mass = masses[i].mass;
        const int exponent = scalar_exponent(mass),
                  kind = loaded ? acceleration_kind(largest_component(loads[i].force) / mass) : -1;
        own.movable++;
        own.lightest = min(own.lightest, exponent), own.heaviest = max(own.heaviest, exponent);
        own.smallest = scalar_min(own.smallest, shapes[i].half_width);
        if (kind < 0) continue;
        atomic_inc(&sums[ARRANGED_ACCELERATIONS - ARRANGED_SMALLEST + kind]);
        atomic_max(&sums[ARRANGED_KINDS - ARRANGED_SMALLEST], (uint)kind + 1);
    }
    return own;
}

/* Floats that are not negative have the order of their bits. */
SHARED void join_survey(const body_survey own, local uint *sums) {
    atomic_add(&sums[ARRANGED_MOVABLE - ARRANGED_SMALLEST], (uint)own.movable);
    atomic_min(&sums[ARRANGED_LIGHTEST - ARRANGED_SMALLEST], (uint)(own.lightest + ARRANGED_EXPONENT));
    atomic_max(&sums[ARRANGED_HEAVIEST - ARRANGED_SMALLEST], (uint)(own.heaviest + ARRANGED_EXPONENT));
    atomic_min(&sums[0], as_uint(own.smallest));
    atomic_max(&sums[ARRANGED_FASTEST - ARRANGED_SMALLEST], own.fastest > 0 ? as_uint(own.fastest) : 0u);
}

SHARED void report_survey(global uint *report, const uint word, const uint sum) {
    if (word == ARRANGED_LIGHTEST || word == ARRANGED_SMALLEST)
        atomic_min(&report[word], sum);
    else if (word == ARRANGED_HEAVIEST || word == ARRANGED_FASTEST || word == ARRANGED_KINDS)
        atomic_max(&report[word], sum);
    else if (sum > 0)
        atomic_add(&report[word], sum);
}

/* Returns the number of pairs of joints alone before the pair of entry i, as links.cl numbers them; `entries`, `before`: of
 * the pairs with joints. */
SHARED uint alone_before(global const uint *entries, global const uint *before, const uint linked,
                         global const uint *report, const uint i) {
    if (linked == 0) return 0;
    const uint k = lower_bound(entries, 0, linked, i + 1);
    return k < linked ? before[k] : report[ARRANGED_ALONE];
}

/* Returns whether entry i is the first one of its pair: entries of children of the same bodies form one, but for
 * those of detection passes (count_manifolds in host/rows/pairs.c). */
SHARED int leads_run(global const contact_head *heads, global const contact_tag *tags, const uint i) {
    if (i == 0 || (tags[i - 1].bits | tags[i].bits) & TAG_PREDICTED) return 1;
    const contact_head one = heads[i - 1], other = heads[i];
    return one.a != other.a || one.b != other.b || head_image(one) != head_image(other);
}

/* Marks the first entries of pairs. */
kernel void arrange_leads(global const contact_head *heads, global const contact_tag *tags,
                          global const uint *report, const uint capacity, global uint *leads) {
    const tile_range range = range_of_group(min(report[ARRANGED_ENTRIES], capacity), TILE_GROUP);
    FOR_RANGE(i, range) leads[i] = (uint)leads_run(heads, tags, i);
}

/* Returns the points of the pair that begins with entry i of n. */
SHARED int points_of_run(global const contact_head *heads, global const uint *leads, const uint n, const uint i) {
    int points = head_count(heads[i]);
    for (uint k = i + 1; k < n && !leads[k] && points <= PAIR_POINTS; k++) points += head_count(heads[k]);
    return points;
}

/* Gives the entries the colours of their pairs and their first blocks, which follow those of joints; for pairs that are
 * runs of entries or have joints. `entries`, `alone`: as of links.cl. */
kernel void arrange_entries(global const contact_head *heads, global const uint *leads, const int runs,
                            global const uint *pair_of, global const uint *report, const uint capacity,
                            global const int *materials, global const uint *resists, const int material_count,
                            global const int *colours, global const int *pair_firsts,
                            global const linked_pair *links, global const uint *entries, global const uint *alone,
                            const uint linked, global char *kept, global int *firsts) {
    const tile_range range = range_of_group(min(report[ARRANGED_ENTRIES], capacity), TILE_GROUP);
    FOR_RANGE(i, range) {
        const uint pair = pair_of[i];
        uint lead = i;
        int points = 0;
        while (runs && !leads[lead] && points <= PAIR_POINTS) points += head_count(heads[--lead]);
        const uint k = linked ? lower_bound(entries, 0, linked, lead + 1) : 0;
        const int held = k > 0 && entries[k - 1] == lead && !alone[k - 1];
        kept[i] = (char)colours[pair];
        firsts[i] = pair_firsts[pair] + (held ? links[k - 1].blocks : 0) +
                    (points << resisted(materials, resists, material_count, heads[i]));
    }
}

/* Writes the bodies, the last colour and the number of blocks of the pair of each entry, and marks the colours;
 * surveys the bodies; counts the pairs. Where pairs have joints (`linked` of them) or are runs of entries (`runs`; then `leads`
 * has the marks of arrange_leads, and `run_of` the runs that begin before each entry), writes the pair of each entry.
 * `pair_of` may be `run_of`. */
kernel void arrange_pairs(global const contact_head *heads, global const contact_tag *tags,
                          global uint *report, const uint capacity, global const uchar *types,
                          global const body_mass *masses, global const int *materials,
                          global const uint *resists, const int material_count, const int limit,
                          global uint2 *pairs, global int *colours, global ushort *blocks, global uint *once,
                          global uint *twice, global const body_velocity *velocities,
                          global const record_shape *shapes, global const body_load *loads, const int loaded,
                          const uint slots, global const uint *leads, global const uint *run_of, const int runs,
                          global const uint *entries, global const uint *before, const uint linked,
                          global uint *pair_of) {
    local uint sums[ARRANGED_SURVEY];
    const uint range_end = min(report[ARRANGED_ENTRIES], capacity);
    const tile_range range = range_of_group(range_end, TILE_GROUP);
    if (get_global_id(0) == 0) report[ARRANGED_PAIRS] = report[ARRANGED_RUNS] + report[ARRANGED_ALONE];
    for (uint k = get_local_id(0); k < ARRANGED_SURVEY; k += get_local_size(0))
        sums[k] = first_value(ARRANGED_SMALLEST + k, 0, 0, report);
    LOCAL_BARRIER;
    FOR_RANGE(i, range) {
        const contact_head head = heads[i];
        const int last = tag_colour(tags[i].bits), kept = last >= 0 && last < limit, follows = runs && !leads[i];
        const uint at = (runs ? run_of[i] - (uint)follows : i) + alone_before(entries, before, linked, report, i);
        if (linked || runs) pair_of[i] = at;
        if (follows) continue;
        const int points = runs ? points_of_run(heads, leads, range_end, i) : head_count(head),
                  stored = points << resisted(materials, resists, material_count, head);
        uint2 pair;
        if (stored > TALLY_MOST || points > PAIR_POINTS) atomic_or(&report[ARRANGED_REFUSED], (uint)REFUSED_BLOCKS);
        pair.x = end_of(types, masses, head.a), pair.y = end_of(types, masses, head.b);
        pairs[at] = pair;
        colours[at] = kept ? last : -1;
        blocks[at] = (ushort)min(stored, (int)TALLY_MOST);
        if (!kept) continue;
        end_mark(once, twice, pair.x, 1u << last);
        end_mark(once, twice, pair.y, 1u << last);
    }
    const tile_range own = range_of_group(slots, TILE_GROUP);
    if (own.first < own.end)
        join_survey(survey_of(own, types, masses, velocities, shapes, loads, loaded, sums), sums);
    LOCAL_BARRIER;
    for (uint k = get_local_id(0); k < ARRANGED_SURVEY && own.first < own.end; k += get_local_size(0))
        report_survey(report, ARRANGED_SMALLEST + k, sums[k]);
}

/* Adds a pair's blocks to a body's. A body has one pair of a colour at most. */
SHARED void tally(const uint body, const int colour, const int limit, const uint blocks, global uint *tallies,
                  global uint *remainder, global uint *report) {
    if (!(body & ENDS_MASS)) return;
    const int slot = end_slot(body);
    if (colour < limit)
        atomic_or(&tallies[TALLY_WORDS * slot + colour / TALLY_COLOURS],
                  blocks << colour % TALLY_COLOURS * TALLY_BITS);
    else if (atomic_add(&remainder[slot], blocks) == 0)
        atomic_inc(&report[ARRANGED_REMAINDER_BODIES]);
}

/* Counts the pairs and blocks of each colour in each group's range, the blocks of each body, and what the report
 * has of the remainder's contacts and of the other pairs' ends. */
kernel void arrange_count(global const contact_head *heads, const uint entry_capacity, global const uint *pair_of,
                          const int numbered, global const uint2 *pairs, global const int *colours, global const ushort *blocks,
                          global uint *report, const uint capacity, const int limit, global uint2 *counts,
                          global uint *tallies, global uint *remainder) {
    local uint groups_of[TALLIED], blocks_of[TALLIED], points, ends, empty;
    const tile_range range = range_of_group(min(report[ARRANGED_PAIRS], capacity), TILE_GROUP);
    const int l = (int)get_local_id(0), size = (int)get_local_size(0);
    uint own_points = 0, own_ends = 0, own_empty = 0;
    for (int c = l; c <= limit; c += size) groups_of[c] = blocks_of[c] = 0;
    if (l == 0) points = ends = empty = 0;
    LOCAL_BARRIER;
    FOR_RANGE(i, range) {
        const uint2 pair = pairs[i];
        const int colour = colours[i];
        atomic_inc(&groups_of[colour]);
        atomic_add(&blocks_of[colour], (uint)blocks[i]);
        tally(pair.x, colour, limit, blocks[i], tallies, remainder, report);
        tally(pair.y, colour, limit, blocks[i], tallies, remainder, report);
        if (blocks[i] == 0)
            own_empty++;
        else if (colour < limit)
            own_ends += ((pair.x & ENDS_MASS) != 0) + ((pair.y & ENDS_MASS) != 0);
    }
    const tile_range entries = range_of_group(min(report[ARRANGED_ENTRIES], entry_capacity), TILE_GROUP);
    FOR_RANGE(i, entries)
        if (colours[numbered ? pair_of[i] : i] == limit) own_points += (uint)head_count(heads[i]);
    if (own_points > 0) atomic_add(&points, own_points);
    if (own_ends > 0) atomic_add(&ends, own_ends);
    if (own_empty > 0) atomic_add(&empty, own_empty);
    LOCAL_BARRIER;
    for (int c = l; c <= limit; c += size)
        counts[(int)get_group_id(0) * (limit + 1) + c] = (uint2)(groups_of[c], blocks_of[c]);
    if (l == 0 && points > 0) atomic_add(&report[ARRANGED_REMAINDER_POINTS], points);
    if (l == 0 && ends > 0) atomic_add(&report[ARRANGED_ENDS], ends);
    if (l == 0 && empty > 0) atomic_add(&report[ARRANGED_EMPTY], empty);
}

SHARED uint set_before(local const uint *words, const uint k) {
    uint sum = popcount(words[k / 32] & ((1u << k % 32) - 1));
    for (uint w = 0; w < k / 32; w++) sum += popcount(words[w]);
    return sum;
}

SHARED uint set_in_all(local const uint *words) {
    return set_before(words, TILE_GROUP - 1) + (words[PLACE_WORDS - 1] >> 31);
}

/* The bits of a colour: PLACE_PLANES times PLACE_WORDS words. */
SHARED local uint *planes_of(local uint *bits, const int colour) {
    return bits + colour * (PLACE_PLANES * PLACE_WORDS);
}

/* Returns the blocks of the pairs with these bits, before pair k, or of all if k is the size of the tile. */
SHARED uint blocks_before(local const uint *planes, const uint k) {
    uint sum = 0;
    for (int b = 0; b < TALLY_BITS; b++) {
        local const uint *words = planes + (b + 1) * PLACE_WORDS;
        sum += (k < TILE_GROUP ? set_before(words, k) : set_in_all(words)) << b;
    }
    return sum;
}

SHARED void set_bits(local uint *planes, const uint k, const uint blocks) {
    const uint bit = 1u << k % 32;
    atomic_or(&planes[k / 32], bit);
    for (int b = 0; b < TALLY_BITS; b++)
        if (blocks >> b & 1) atomic_or(&planes[(b + 1) * PLACE_WORDS + k / 32], bit);
}

/* Returns the blocks of a body in colours. */
SHARED uint tallied(global const uint4 *tallies, const uint slot) {
    uint sum = 0;
    for (int k = 0; k < TALLY_QUADS; k++) {
        const uint4 own = tallies[TALLY_QUADS * slot + k];
        sum += (uint)(tally_sum(own.x) + tally_sum(own.y) + tally_sum(own.z) + tally_sum(own.w));
    }
    return sum;
}

/* Writes the number of blocks of each body. */
SHARED void write_degree(const uint slot, const uint slots, global const uint4 *tallies,
                         global const uint *remainder, global uint *degrees, global body_split *splits,
                         global uint *report, local uint *part) {
    uint degree = 0;
    if (slot < slots) {
        degree = tallied(tallies, slot) + remainder[slot];
        body_split split;
        split.all = scalar_max(1, (scalar)degree), split.remainder = scalar_max(1, (scalar)remainder[slot]);
        split.reserved = split.reserved_remainder = 0;
        splits[slot] = split;
    }
    degrees[slot] = degree;
    if (degree > 0) atomic_add(part, degree);
    if (degree > GATHER_PIECE)
        atomic_add(&report[ARRANGED_PIECES], (degree + GATHER_PIECE - 1) / GATHER_PIECE);
}

SHARED void write_totals(global uint *report, const int limit, local const uint *groups_of,
                         local const uint *blocks_of) {
    uint groups = 0, blocks = 0;
    for (int c = 0; c <= limit; c++) {
        report[ARRANGED_FIRSTS + c] = groups;
        if (c == limit) report[ARRANGED_REMAINDER_FIRST] = blocks;
        groups += groups_of[c], blocks += blocks_of[c];
    }
    report[ARRANGED_FIRSTS + limit + 1] = groups;
    report[ARRANGED_REMAINDER_ENDS] = 2 * groups_of[limit];
    report[ARRANGED_BLOCKS] = blocks;
}

/* Writes the unit of mass, from the survey. */
SHARED void write_unit(global uint *report, const motion_parameters motion) {
    body_survey of;
    of.movable = (int)report[ARRANGED_MOVABLE];
    of.lightest = (int)report[ARRANGED_LIGHTEST] - ARRANGED_EXPONENT;
    of.heaviest = (int)report[ARRANGED_HEAVIEST] - ARRANGED_EXPONENT;
    of.smallest = as_float(report[ARRANGED_SMALLEST]), of.fastest = as_float(report[ARRANGED_FASTEST]);
    const scalar typical = typical_acceleration((global const int *)report + ARRANGED_ACCELERATIONS,
                                                (int)report[ARRANGED_KINDS], of.movable);
    const survey_unit unit = unit_of_survey(of, typical, motion);
    report[ARRANGED_DRIVE_SPEED] = as_uint(unit.drive_speed);
    report[ARRANGED_KILOGRAMS] = as_uint(unit.kilograms);
    report[ARRANGED_MASS_EXPONENT] = (uint)(unit.mass_exponent + ARRANGED_EXPONENT);
}

/* Writes the groups in the order of colours, then of pairs, and the colours and first blocks of pairs; and the
 * number of blocks of each body, with their sum over each group's range of slots; and the unit of mass. As
 * many work-groups as arrange_count. */
kernel void arrange_place(global const uint2 *pairs, global const int *colours, global const ushort *blocks,
                          global uint *report, const uint capacity, const int limit,
                          global const uint2 *counts, global block_group *groups, global uint2 *ends,
                          global int *pair_group, global char *kept, global int *firsts, const uint slots,
                          global const uint4 *tallies, global const uint *remainder, global uint *degrees,
                          global body_split *splits, global uint *parts, const motion_parameters motion) {
    local uint groups_of[TALLIED], blocks_of[TALLIED], next_group[TALLIED], next_block[TALLIED], part;
    local uint bits[TALLIED * PLACE_PLANES * PLACE_WORDS];
    const int l = (int)get_local_id(0), size = (int)get_local_size(0), group = (int)get_group_id(0);
    const tile_range range = range_of_group(min(report[ARRANGED_PAIRS], capacity), TILE_GROUP);
    for (int c = l; c <= limit; c += size) groups_of[c] = blocks_of[c] = next_group[c] = next_block[c] = 0;
    if (l == 0) part = 0;
    LOCAL_BARRIER;
    for (int k = l; k < (limit + 1) * (int)get_num_groups(0); k += size) {
        const uint2 count = counts[k];
        const int colour = k % (limit + 1), before = k / (limit + 1) < group;
        if (count.x == 0) continue;
        atomic_add(&groups_of[colour], count.x), atomic_add(&blocks_of[colour], count.y);
        if (before) atomic_add(&next_group[colour], count.x), atomic_add(&next_block[colour], count.y);
    }
    LOCAL_BARRIER;
    for (int c = l; c <= limit; c += size)
        for (int d = 0; d < c; d++) next_group[c] += groups_of[d], next_block[c] += blocks_of[d];
    if (group == 0 && l == 0) write_totals(report, limit, groups_of, blocks_of);
    if (group == (int)get_num_groups(0) - 1 && l == 0) write_unit(report, motion);
    for (uint tile = range.first; tile < range.end; tile += TILE_GROUP) {
        const int here = (int)min(range.end - tile, (uint)TILE_GROUP);
        for (int k = l; k < (limit + 1) * PLACE_PLANES * PLACE_WORDS; k += size) bits[k] = 0;
        LOCAL_BARRIER;
        for (int k = l; k < here; k += size)
            set_bits(planes_of(bits, colours[tile + k]), (uint)k, blocks[tile + k]);
        LOCAL_BARRIER;
        for (int k = l; k < here; k += size) {
            const uint i = tile + (uint)k;
            const uint2 pair = pairs[i];
            const int colour = colours[i];
            const uint at = next_group[colour] + set_before(planes_of(bits, colour), (uint)k);
            block_group out;
            out.body_a = end_slot(pair.x), out.body_b = end_slot(pair.y);
            out.first = (int)(next_block[colour] + blocks_before(planes_of(bits, colour), (uint)k));
            out.count = blocks[i];
            groups[at] = out;
            ends[at] = pair;
            pair_group[i] = (int)at;
            kept[i] = (char)colour;
            firsts[i] = out.first;
        }
        LOCAL_BARRIER;
        for (int c = l; c <= limit; c += size) {
            next_group[c] += set_in_all(planes_of(bits, c));
            next_block[c] += blocks_before(planes_of(bits, c), TILE_GROUP);
        }
        LOCAL_BARRIER;
    }
    const tile_range own = range_of_group(slots + 1, SCAN_TILE);
    FOR_RANGE(slot, own) write_degree(slot, slots, tallies, remainder, degrees, splits, report, &part);
    LOCAL_BARRIER;
    if (l == 0) parts[group] = part;
}

/* Returns the blocks of a body in colours below this one. */
SHARED uint tallied_below(global const uint4 *tallies, const int slot, const int colour) {
    const int word = colour / TALLY_COLOURS;
    uint sum = 0;
    for (int k = 0; k < TALLY_QUADS; k++) {
        const uint4 own = tallies[TALLY_QUADS * slot + k];
        const uint words[4] = {own.x, own.y, own.z, own.w};
        for (int w = 0; w < 4; w++)
            sum += (uint)(4 * k + w < word ? tally_sum(words[w])
                          : 4 * k + w == word
                              ? tally_sum(words[w] & ((1u << colour % TALLY_COLOURS * TALLY_BITS) - 1))
                              : 0);
    }
    return sum;
}

SHARED void list_blocks(global int *incidence, const uint at, const block_group group, const int side) {
    for (int k = 0; k < group.count; k++) incidence[at + (uint)k] = 2 * (group.first + k) + side;
}

/* Copies the first groups of the colours. */
SHARED void copy_firsts(global const uint *report, const int limit, local uint *firsts) {
    for (int c = (int)get_local_id(0); c <= limit; c += (int)get_local_size(0))
        firsts[c] = report[ARRANGED_FIRSTS + c];
    LOCAL_BARRIER;
}

/* Returns the colour of a group that has one. */
SHARED int colour_of(local const uint *firsts, const uint group) {
    int colour = 0;
    while (group >= firsts[colour + 1]) colour++;
    return colour;
}

/* Writes the incidence of the coloured groups. */
kernel void arrange_fill(global const uint2 *ends, global const block_group *groups,
                         global const uint *report, const uint capacity, const int limit,
                         global const uint4 *tallies, global const uint *first, global int *incidence) {
    local uint firsts[TALLIED];
    copy_firsts(report, limit, firsts);
    const tile_range range = range_of_group(min(firsts[limit], capacity), TILE_GROUP);
    FOR_RANGE(g, range) {
        const uint2 pair = ends[g];
        const block_group group = groups[g];
        const int colour = colour_of(firsts, g);
        if (pair.x & ENDS_MASS)
            list_blocks(incidence, first[group.body_a] + tallied_below(tallies, group.body_a, colour), group, 0);
        if (pair.y & ENDS_MASS)
            list_blocks(incidence, first[group.body_b] + tallied_below(tallies, group.body_b, colour), group, 1);
    }
}

/* Compares the ends of `count` groups, from `first` on, with those of a plan. */
kernel void arrange_compare(global const uint2 *ends, global const uint2 *planned, const uint first,
                            const uint count, const uint capacity, global uint *report) {
    const tile_range range = range_of_group(min(count, capacity - min(first, capacity)), TILE_GROUP);
    uint differs = 0;
    FOR_RANGE(k, range) {
        const uint2 is = ends[first + k], was = planned[k];
        differs |= (is.x ^ was.x) | (is.y ^ was.y);
    }
    if (differs) atomic_or(&report[ARRANGED_CHANGED], 1u);
}

/* Marks the colours with a group that balls.cl cannot sweep, and those with one that manifolds.cl cannot, once the blocks of
 * contacts are filled. A group whose contacts resist ends with a resistance. Skips the colours with joints. */
kernel void arrange_balls(global const block_group *groups, global const constraint_block *blocks,
                          global const body_mass *masses, global uint *report, const uint capacity,
                          const int limit, const uint block_capacity) {
    local uint firsts[TALLIED], others, mixed;
    if (get_local_id(0) == 0) others = mixed = 0;
    copy_firsts(report, limit, firsts);
    const tile_range range = range_of_group(min(firsts[limit], capacity), TILE_GROUP);
    FOR_RANGE(g, range) {
        const block_group group = groups[g];
        const int colour = colour_of(firsts, g);
        if (report[ARRANGED_HELD] >> colour & 1) continue;
        if ((uint)group.first + (uint)group.count > block_capacity) continue; /* the host enlarges the array and repeats */
        const int balls = group.count == 1 &&
                          block_is_of_balls(blocks[group.first], symmetry_of_mass(masses[group.body_a]),
                                            symmetry_of_mass(masses[group.body_b]));
        if (!balls) atomic_or(&others, 1u << colour);
        const int last = group.first + group.count - 1;
        if (group.count > 0 && (blocks[last].kind != BLOCK_CONTACT || blocks[last].angular))
            atomic_or(&mixed, 1u << colour);
    }
    LOCAL_BARRIER;
    if (get_local_id(0) == 0 && others) atomic_or(&report[ARRANGED_OTHERS], others);
    if (get_local_id(0) == 0 && mixed) atomic_or(&report[ARRANGED_MIXED], mixed);
}

/* -- The uncoloured remainder ------------------------------------------------------------ */

/* Writes for each end of the remainder's groups its slot, or `slots` if the body has no mass, and the group
 * and side. */
kernel void arrange_ends(global const uint2 *ends, global const uint *report, const uint capacity,
                         const int limit, const uint slots, global uint *keys, global uint *values) {
    const uint base = report[ARRANGED_FIRSTS + limit];
    const tile_range range = range_of_group(min(report[ARRANGED_REMAINDER_ENDS], capacity), TILE_GROUP);
    FOR_RANGE(e, range) {
        const uint g = base + e / 2, body = e % 2 ? ends[g].y : ends[g].x;
        keys[e] = body & ENDS_MASS ? (uint)end_slot(body) : slots;
        values[e] = 2 * g + e % 2;
    }
}

/* Writes the number of blocks of each of the sorted ends. */
kernel void arrange_end_blocks(global const block_group *groups, global const uint *report,
                               const uint capacity, global const uint *values, global uint *blocks) {
    const tile_range range = range_of_group(min(report[ARRANGED_REMAINDER_ENDS], capacity), TILE_GROUP);
    FOR_RANGE(e, range) blocks[e] = (uint)groups[values[e] / 2].count;
}

/* Writes the incidence of the remainder behind that of the colours; before[e]: the blocks of the ends before
 * e. */
kernel void arrange_remainder(global const block_group *groups, global const uint *report,
                              const uint capacity, const uint slots, global const uint *keys,
                              global const uint *values, global const uint *before,
                              global const uint4 *tallies, global const uint *first, global int *incidence) {
    const uint n = min(report[ARRANGED_REMAINDER_ENDS], capacity);
    const tile_range range = range_of_group(n, TILE_GROUP);
    FOR_RANGE(e, range) {
        const uint slot = keys[e];
        if (slot >= slots) continue;
        const uint at = first[slot] + tallied(tallies, slot) + before[e] - before[lower_bound(keys, 0, n, slot)];
        list_blocks(incidence, at, groups[values[e] / 2], (int)(values[e] % 2));
    }
}

/* Lists the pieces of bodies with more than GATHER_PIECE blocks. Their order does not matter. */
kernel void arrange_pieces(global const uint *degrees, const uint slots, global uint *report,
                           const uint capacity, global int2 *pieces) {
    const tile_range range = range_of_group(slots, TILE_GROUP);
    FOR_RANGE(slot, range) {
        if (degrees[slot] <= GATHER_PIECE) continue;
        const uint count = (degrees[slot] + GATHER_PIECE - 1) / GATHER_PIECE,
                   at = atomic_add(&report[ARRANGED_PIECES_LISTED], count);
        for (uint k = 0; k < count && at + k < capacity; k++) pieces[at + k] = (int2)((int)slot, (int)k);
    }
}
