/* Entry points of the narrow phase and of detection passes for children that are convex shapes or triangles, with each other, with
 * balls and with half-spaces. */
#include "double_begin.h"

#include "convex.h"

#include "double_end.h"

#include "box_points.h"
#include "child_shapes.h"
#include "convex_singled.h"

SHARED int is_polyhedron(const convex_shape of) { return of.kind == SHAPE_HULL || of.kind == SHAPE_BOX; }

SHARED manifold_points child_points(const placed_child a, const placed_child b, const hull_tables hulls,
                                    const float reach, const int level) {
    const convex_shape of_a = a.of, of_b = b.of;
    if (of_a.kind == SHAPE_BOX && of_b.kind == SHAPE_BOX)
        return box_box_found(of_a.size, a.pose, of_b.size, b.pose, reach, level);
    if (of_a.kind == SHAPE_BOX && of_b.kind == SHAPE_HALF_SPACE)
        return box_half_space_points(of_a.size, a.pose, b.pose, reach);
    if (of_a.kind != SHAPE_HALF_SPACE)
        return convex_points_found(of_a, a.pose, of_b, b.pose, hulls, reach,
                                   level && is_polyhedron(of_a) && is_polyhedron(of_b));
    manifold_points found = convex_plane_points(of_b, b.pose, a.pose, hulls, reach);
    found.normal = glms_vec3_negate(found.normal);
    return found;
}

#include "child_pair.h"
#include "child_trial.h"

SHARED int is_box(const placed_child of) { return is_kind(of, SHAPE_BOX); }

SHARED int may_skim(const placed_child of) {
    return !is_kind(of, SHAPE_SPHERE) && !is_kind(of, SHAPE_HALF_SPACE) && !is_kind(of, SHAPE_TRIANGLE);
}

/* Returns whether the test of boxes shows that a contact stays as it is (detect/skimming.c). */
SHARED int is_blocked(const child_flight of, const skimming_motion motion, const manifold_points found) {
    if (!is_box(of.a) || !is_box(of.b) || found.mean) return 0;
    const oriented_box a = oriented_box_of(of.a.of.size, of.a.pose.rotation, glms_vec3_zero()),
                       b = oriented_box_of(of.b.of.size, of.b.pose.rotation,
                                           glms_vec3_sub(of.b.pose.position, of.a.pose.position));
    return skimming_blocked(a, b, motion, found.normal, flight_gap(found));
}

SHARED int may_pass(const child_pair of, const manifold_points found, const float h) {
    return may_skim(of.flight.a) && may_skim(of.flight.b) &&
           skimming_possible(of.skims, found.normal, found.points, found.count, found.mean != 0, h) &&
           !is_blocked(of.flight, of.skims, found);
}

SHARED manifold_points pair_examined(const child_pair of, const manifold_points found, const float h) {
    child_flight flight = of.flight;
    flight.reach = skimming_reach(of.skims, h);
    return skimming_examine(flight, found, of.skims, of.share, h);
}

/* Finds the points of the items without a ball, and those of balls with other shapes than contacts_children.cl
 * has, as contacts_child_balls does. Marks shapes that may pass each other, too. */
kernel void contacts_child_convexes(CHILD_PAIR_ARGUMENTS, global const uint *count, const uint count_at,
                                    const uint capacity, global const uint *kinds, global const uint *order,
                                    const uint slot_capacity, global float4 *slots, global uint *places,
                                    global uint *counts, global uint *examined) {
    const uint n = min(count[count_at], capacity), slot_begin = slots_begin(kinds, n),
               begin = lower_bound(kinds, slot_begin, n, PAIR_CHILD_CONVEX);
    const tile_range range = range_of_group(n - begin, (uint)get_local_size(0));
    const child_tables tables = CHILD_TABLES_HERE;
    FOR_RANGE(j, range) {
        const uint i = order[begin + j], slot = begin + j - slot_begin;
        const child_pair of = CHILD_PAIR_AT(i);
        const child_impact found = impact_of(of, h);
        const slot_points closing = closing_points(of, flight_back(found.points, found.motion, share_back(of)), h);
        const manifold_points settled = pair_settled(tables, of, found);
        places[i] = slot;
        counts[i] = store_item(slots + CONTACT_SLOT_WORDS * (ulong)slot, closing_points(of, settled, h),
                               slot < slot_capacity, any_closes(closing), &examined[i]);
        if (may_pass(of, settled, h)) examined[i] = ITEM_MAY_PASS;
    }
}

/* Finds the points again of the items list[k] whose shapes may pass each other. */
kernel void contacts_child_examine(CHILD_PAIR_ARGUMENTS, global const uint *list, global const uint *totals,
                                   const uint slot_capacity, global float4 *slots, global const uint *places,
                                   global uint *counts, global uint *examined) {
    const tile_range range = range_of_group(totals[CONTACTS_EXAMINED], (uint)get_local_size(0));
    const child_tables tables = CHILD_TABLES_HERE;
    FOR_RANGE(k, range) {
        const uint i = list[k], slot = places[i];
        const body_couple bodies = PAIR_AT(i);
        if (examined[i] != ITEM_MAY_PASS) continue;
        if (!has_children(tables, bodies.a) && !has_children(tables, bodies.b)) continue;
        const child_pair of = CHILD_PAIR_AT(i);
        const manifold_points found = flight_back(impact_of(of, h).points, glms_vec3_zero(), of.share);
        const slot_points examined_points = closing_points(of, pair_examined(of, found, h), h);
        counts[i] = store_item(slots + CONTACT_SLOT_WORDS * (ulong)slot, examined_points, slot < slot_capacity,
                               any_closes(closing_points(of, found, h)), &examined[i]);
    }
}

/* Tests the contacts of these kinds, as detect_test does. */
kernel void detect_child_convexes(CHILD_TRIAL_ARGUMENTS) { TEST_CHILDREN(PAIR_CHILD_CONVEX, 1 << PAIR_CHILD_BITS); }
