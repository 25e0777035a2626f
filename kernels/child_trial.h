/* Contacts of children at the end of a trial motion, as detect/trial_contact.c tests them; after
 * child_pair.h. */
#ifndef SCREE_KERNELS_CHILD_TRIAL_H
#define SCREE_KERNELS_CHILD_TRIAL_H

#include "detection.h"
#include "trial_motion.h"

#ifdef __OPENCL_VERSION__

/* Bodies in the trial motion. */
typedef struct trial_arrays {
    global const record_shape *shapes;
    global const body_pose *poses, *ends;
    global const body_velocity *motions;
    global const body_mass *masses;
} trial_arrays;

SHARED trial_body trial_body_at(const trial_arrays of, const int at) {
    const body_velocity motion = of.motions[at];
    trial_body out;
    out.position = of.poses[at].position, out.linear = motion.linear, out.angular = motion.angular;
    out.turning_radius = of.shapes[at].turning_radius;
    return out;
}

/* A pair of children whose bodies have no image. */
typedef struct trial_children {
    body_couple bodies;
    child_numbers at;
    trial_body a, b;
} trial_children;

SHARED trial_children trial_children_of(const trial_arrays of, const child_tables tables,
                                        const contact_head head, const int number) {
    trial_children out;
    out.bodies.a = head.a, out.bodies.b = head.b, out.bodies.image = 0, out.bodies.shift = glms_vec3_zero();
    out.at = children_of(tables, head.b, number);
    out.a = trial_body_at(of, head.a), out.b = trial_body_at(of, head.b);
    return out;
}

/* Returns the points at the end of the step, linearised back to its beginning. */
SHARED manifold_points children_at_end(const trial_arrays of, const child_tables tables,
                                       LOOKUP hull_side *sides, const trial_children pair, const float margin,
                                       const float h) {
    const body_couple bodies = pair.bodies;
    const vec3s back =
        trial_common_motion(pair.a, of.masses[bodies.a].mass, pair.b, of.masses[bodies.b].mass, h);
    child_flight flight;
    flight.a = child_place(tables, bodies.a, of.ends[bodies.a], pair.at.a);
    flight.b = child_place(tables, bodies.b, of.ends[bodies.b], pair.at.b);
    flight.hulls.corners = tables.corners, flight.hulls.sides = sides;
    flight.reach = margin + glms_vec3_norm(trial_relative_motion(pair.a, pair.b, h)) +
                   trial_pair_turn(pair.a, pair.b, h);
    manifold_points out = neighbours_settled(tables, bodies, pair.at, flight, of.ends[bodies.a],
                                             of.ends[bodies.b], flight_points(flight, 0));
    for (int i = 0; i < out.count; i++)
        out.points[i] = trial_point_back(out.points[i], out.normal, pair.a, pair.b, back, h);
    return out;
}

/* Returns the lowest gap at the end that rows for these points predict. */
SHARED float gap_of_points(const trial_children pair, const manifold_points of, const float h) {
    float lowest = INFINITY;
    for (int k = 0; k < of.count; k++)
        lowest = scalar_min(lowest,
                            trial_gap(pair.a, pair.b, of.normal, of.points[k].position, of.points[k].gap, h));
    return lowest;
}

/* Returns that of the entries of the same children, from entry i of n on. */
SHARED float gap_of_entries(const trial_children pair, global const contact_head *heads,
                            global const contact_tag *tags, global const float4 *places, const uint n,
                            const uint i, const float h) {
    float lowest = INFINITY;
    for (uint k = i; k < n && heads[k].a == pair.bodies.a && heads[k].b == pair.bodies.b; k++) {
        const contact_head head = heads[k];
        if (head_image(head) || tags[k].children != tags[i].children) continue;
        for (int p = head.first; p < head.first + head_count(head); p++)
            lowest =
                scalar_min(lowest, trial_gap(pair.a, pair.b, head.normal, xyz(places[p]), places[p].w, h));
    }
    return lowest;
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
        const trial_children pair = trial_children_of(of, tables, head, tags[i].children);
        const int kind = child_pair_kind(shape_of_child(tables, head.a, pair.at.a),
                                         shape_of_child(tables, head.b, pair.at.b));
        if (kind < first || kind >= end) continue;
        const float size = scalar_min(of.shapes[head.a].half_width, of.shapes[head.b].half_width),
                    gap = gap_of_points(pair, children_at_end(of, tables, sides, pair, margin, h), h);
        const trial_news news = trial_news_of(gap, gap_of_entries(pair, heads, tags, places, n, i, h), size);
        if (news != TRIAL_KNOWN) atomic_inc(&counts[DETECT_CHILDREN]);
        if (news == TRIAL_WORTH_SOLVING) atomic_inc(&counts[DETECT_WORTH]);
    }
}

#define CHILD_TRIAL_ARGUMENTS                                                                                \
    global const record_shape *records, global const body_pose *poses, global const body_pose *ends,         \
        global const body_velocity *motions, global const body_mass *masses, const vec3s period,             \
        CHILD_TABLES, LOOKUP hull_side *sides, const float margin, const float h, global const uint *tested, \
        global const contact_head *heads, global const contact_tag *tags, global const float4 *places,       \
        global const uint *totals, const uint pair_capacity, global uint *counts
#define TEST_CHILDREN(first, end)                                                                            \
    const trial_arrays of = {records, poses, ends, motions, masses};                                         \
    test_children(of, CHILD_TABLES_HERE, sides, margin, h, tested, heads, tags, places, totals,              \
                  pair_capacity, counts, first, end, (uint)get_num_groups(0))

#endif

#endif
