/* Entry points of the tests after a solve: whether all bodies are finite, and whether the impulses of an island are larger than
 * needed (excess.h). Islands are trees whose root is the lowest slot, as in host/base/union_find.h: whatever the order in
 * which pairs are joined, the roots are the same. A join repeats only if another one has changed the same root, so no work-item
 * waits. All accesses of that launch and of the next one are atomic; ranks are maxima and sums whole numbers, so their order does not
 * matter.
 *
 * The launches after the first one have nothing to do if no body has a positive excess. Work-groups have any number of
 * work-items. */
#include "excess.h"
#include "pair_ends.h"
#include "step_report.h"
#include "tiles.h"

/* Tests the bodies, makes each an island, and copies counts to the report. Without `weighs` it tests only whether they are finite. */
kernel void excess_test(global const body_pose *poses, global const body_mass *masses, const float factor,
                        global const body_velocity *free_velocity, global const body_velocity *velocity,
                        global const body_pose *poses_after, const uint bodies, const int weighs, global float *excess,
                        global uint *islands, global uint *ranks, global uint2 *units, global const uint *counts,
                        const uint count, global uint *report) {
    local uint some;
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    if (get_global_id(0) == 0)
        for (uint k = 0; k < count; k++) report[REPORT_COUNTS + k] = counts[k];
    if (get_local_id(0) == 0) some = 0;
    LOCAL_BARRIER;
    FOR_RANGE(i, range) {
        const body_velocity after = velocity[i];
        if (!state_finite(poses_after[i], after)) atomic_max(&report[REPORT_NOT_FINITE], ~i);
        if (!weighs) continue;
        const body_mass mass = mass_scaled(masses[i], factor);
        const float x = mass.mass > 0 ? excess_of(poses[i], mass, free_velocity[i], after) : 0;
        excess[i] = x, islands[i] = i, ranks[i] = 0, units[i] = (uint2)(0);
        if (x > 0) atomic_or(&some, 1u);
    }
    LOCAL_BARRIER;
    if (get_local_id(0) == 0 && some) atomic_or(&report[REPORT_SOME], 1u);
}

/* Returns the range of this work-group of n items, which is empty if no body has a positive excess. */
SHARED tile_range range_if_some(global const uint *report, const uint n, const uint groups) {
    return range_among(report[REPORT_SOME] ? n : 0, TILE_GROUP, groups);
}

/* Returns the root of a tree, and halves the path to it. */
SHARED uint root_of(volatile global uint *islands, uint i) {
    uint parent = atomic_or(&islands[i], 0u);
    while (parent != i) {
        const uint above = atomic_or(&islands[parent], 0u);
        if (above == parent) return parent;
        atomic_min(&islands[i], above);
        i = above;
        parent = atomic_or(&islands[i], 0u);
    }
    return i;
}

SHARED void join(volatile global uint *islands, uint a, uint b) {
    for (;;) {
        a = root_of(islands, a), b = root_of(islands, b);
        const uint low = min(a, b), high = max(a, b);
        if (low == high || atomic_cmpxchg(&islands[high], high, low) == high) return;
    }
}

/* Joins the islands of dynamic bodies in pairs. */
kernel void excess_join(global const uint2 *pairs, global const uint *count, const uint count_at, const uint capacity,
                        volatile global uint *islands, global const uint *report) {
    const tile_range range = range_if_some(report, min(count[count_at], capacity), (uint)get_num_groups(0));
    FOR_RANGE(k, range) {
        const uint2 pair = pairs[k];
        if (pair.x & pair.y & ENDS_MOVES) join(islands, (uint)end_slot(pair.x), (uint)end_slot(pair.y));
    }
}

/* Raises the rank of an island; that of `own`, to which most bodies of the group belong, once for the group. */
SHARED void raise_rank(const uint island, const uint rank, const uint own, local uint *most, global uint *ranks) {
    if (island == own)
        atomic_max(most, rank);
    else if (rank > 0)
        atomic_max(&ranks[island], rank);
}

/* Finds the island of each body, and the largest rank in each island. */
kernel void excess_ranks(global const float *excess, const uint bodies, volatile global uint *islands, global uint *ranks,
                         global const uint *report) {
    local uint own, most;
    const tile_range range = range_if_some(report, bodies, (uint)get_num_groups(0));
    const uint first = range.first + (uint)get_local_id(0);
    if (get_local_id(0) == 0) own = 0xffffffffu, most = 0;
    LOCAL_BARRIER;
    if (first < range.end) atomic_min(&own, root_of(islands, first));
    LOCAL_BARRIER;
    uint island = own, rank = 0;
    FOR_RANGE(i, range) {
        const uint root = root_of(islands, i);
        atomic_min(&islands[i], root);
        if (root != island) {
            raise_rank(island, rank, own, &most, ranks);
            island = root, rank = 0;
        }
        rank = max(rank, excess_rank(excess[i]));
    }
    raise_rank(island, rank, own, &most, ranks);
    LOCAL_BARRIER;
    if (get_local_id(0) == 0 && most > 0) atomic_max(&ranks[own], most);
}

/* Adds a long64 to the two words of one, the lower one first. */
#define ADD_UNITS(words, x)                                                                        \
    {                                                                                                        \
        const uint low = (uint)(x), before = atomic_add(words, low),                                         \
                   high = (uint)((x) >> 32) + (before + low < low);                                          \
        if (high) atomic_add((words) + 1, high);                                                             \
    }

SHARED void add_units(const uint island, const long64 sum, const uint own, local uint *group, global uint *units) {
    if (sum == 0) return;
    if (island == own)
        ADD_UNITS(group, sum)
    else
        ADD_UNITS(units + 2 * island, sum)
}

/* Sums the contributions to each island. */
kernel void excess_sum(global const float *excess, const uint bodies, global const uint *islands, global const uint *ranks,
                       global uint *units, const int bits, global const uint *report) {
    local uint own, group[2];
    const tile_range range = range_if_some(report, bodies, (uint)get_num_groups(0));
    const uint first = range.first + (uint)get_local_id(0);
    if (get_local_id(0) == 0) own = 0xffffffffu, group[0] = group[1] = 0;
    LOCAL_BARRIER;
    if (first < range.end) atomic_min(&own, islands[first]);
    LOCAL_BARRIER;
    uint island = own;
    long64 sum = 0;
    FOR_RANGE(i, range) {
        if (islands[i] != island) {
            add_units(island, sum, own, group, units);
            island = islands[i], sum = 0;
        }
        sum += excess_units(excess[i], ranks[island], bits);
    }
    add_units(island, sum, own, group, units);
    LOCAL_BARRIER;
    if (get_local_id(0) == 0 && (group[0] | group[1]) != 0) {
        const long64 all = (long64)group[1] << 32 | (long64)group[0];
        ADD_UNITS(units + 2 * own, all)
    }
}

/* Reports whether the sum of some island is positive. */
kernel void excess_judge(global const uint2 *units, const uint bodies, global uint *report) {
    local uint some;
    const tile_range range = range_if_some(report, bodies, (uint)get_num_groups(0));
    if (get_local_id(0) == 0) some = 0;
    LOCAL_BARRIER;
    FOR_RANGE(i, range) {
        const uint2 words = units[i];
        if ((int)words.y > 0 || (words.y == 0 && words.x > 0)) atomic_or(&some, 1u);
    }
    LOCAL_BARRIER;
    if (get_local_id(0) == 0 && some) atomic_or(&report[REPORT_SUSPECTED], 1u);
}
