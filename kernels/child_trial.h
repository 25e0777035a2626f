/* Contacts of children at the end of a trial motion, as detect/trial_contact.c tests them; after
 * child_pair.h. */
#ifndef SCREE_KERNELS_CHILD_TRIAL_H
#define SCREE_KERNELS_CHILD_TRIAL_H

#include "detection.h"
#include "trial_bodies.h"

#ifdef __OPENCL_VERSION__

/* Returns the points of two children at the end of the step, with gaps up to `reach`. */
SHARED manifold_points children_at_end(const trial_arrays of, const child_tables tables,
                                       LOOKUP hull_side *sides, const trial_pair pair, const child_numbers at,
                                       const float reach) {
    const body_pose end_a = of.ends[pair.a], end_b = end_of_second(of, pair);
    body_couple bodies;
    child_flight flight;
    bodies.a = pair.a, bodies.b = pair.b, bodies.image = pair.image;
    bodies.shift = image_shift(pair.image, of.period);
    flight.a = child_place(tables, pair.a, end_a, at.a), flight.b = child_place(tables, pair.b, end_b, at.b);
    flight.hulls.corners = tables.corners, flight.hulls.sides = sides;
    flight.reach = reach;
    return neighbours_settled(tables, bodies, at, flight, end_a, end_b, flight_points(flight, 0));
}

/* Tests the listed contacts of children whose kind of pair is in [first, end). Their marks stay clear: if one
 * of them justifies another solve, the host makes the pass. */
SHARED void test_children(const trial_arrays of, const child_tables tables, LOOKUP hull_side *sides,
                          const float margin, const float h, global const uint *tested,
                          global const contact_head *heads, global const contact_tag *tags,
                          global const float4 *places, global const uint *totals, const uint capacity,
                          global uint *counts, const int first, const int end, const uint groups) {
    const uint n = min(totals[CONTACTS_PAIRS], capacity);
    const tile_range range = range_among(counts[DETECT_TESTED], (uint)get_local_size(0), groups);
    FOR_RANGE(j, range) {
        const uint i = tested[j];
        if (i & TESTED_SKIM) continue;
        const contact_head head = heads[i];
        if (!has_children(tables, head.a) && !has_children(tables, head.b)) continue;
        const child_numbers at = children_of(tables, head.b, tags[i].children);
        const int kind =
            child_pair_kind(shape_of_child(tables, head.a, at.a), shape_of_child(tables, head.b, at.b));
        if (kind < first || kind >= end) continue;
        const trial_pair pair = trial_pair_of(of, head.a, head.b, head_image(head));
        const manifold_points found =
            children_at_end(of, tables, sides, pair, at, reach_at_end(pair, margin, h));
        const trial_news news =
            trial_news_of(gap_of_points(pair, points_back(of, pair, found, h), h),
                          gap_of_entries(pair, heads, tags, places, n, i, h), pair_size(of, head.a, head.b));
        if (news != TRIAL_KNOWN) atomic_inc(&counts[DETECT_CHILDREN]);
        if (news == TRIAL_WORTH_SOLVING) atomic_inc(&counts[DETECT_WORTH]);
    }
}

#define CHILD_TRIAL_ARGUMENTS                                                                                \
    TRIAL_ARGUMENTS, CHILD_TABLES, LOOKUP hull_side *sides, const float margin, const float h,               \
        global const uint *tested, global const contact_head *heads, global const contact_tag *tags,         \
        global const float4 *places, global const uint *totals, const uint pair_capacity,                    \
        global uint *counts
#define TEST_CHILDREN(first, end)                                                                            \
    test_children(TRIAL_HERE, CHILD_TABLES_HERE, sides, margin, h, tested, heads, tags, places, totals,      \
                  pair_capacity, counts, first, end, (uint)get_num_groups(0))

#endif

#endif
