/* Entry points of the narrow phase and of detection passes for the balls of clumps and other balls with balls, boxes, half-spaces and
 * triangles, of which at least one is a child. */
#include "child_shapes.h"
#include "hull_tables.h"
#include "sphere_points.h"

/* The first shape is the ball. */
SHARED manifold_points child_points(const placed_child ball, const placed_child other, const hull_tables hulls,
                                    const float reach, const int level) {
    const float radius = ball.of.size.x;
    const vec3s centre = ball.pose.position;
    switch (other.of.kind) {
    case SHAPE_SPHERE: return sphere_sphere_points(radius, centre, other.of.size.x, other.pose.position, reach);
    case SHAPE_BOX: return sphere_box_points(radius, centre, other.of.size, other.pose, reach);
    case SHAPE_TRIANGLE: return sphere_triangle_points(radius, centre, other.of.size, other.pose, reach);
    default: return sphere_half_space_points(radius, centre, other.pose, reach);
    }
}

#include "child_pair.h"
#include "child_trial.h"

/* Finds the points of the items with a ball. Writes the number of an item's points to counts and its slot to
 * places, and marks contacts that are dropped since another child takes precedence. */
kernel void contacts_child_balls(CHILD_PAIR_ARGUMENTS, global const uint *count, const uint count_at,
                                 const uint capacity, global const uint *kinds, global const uint *order,
                                 const uint slot_capacity, global float4 *slots, global uint *places,
                                 global uint *counts, global uint *examined, global uint *totals) {
    const uint n = min(count[count_at], capacity), slot_begin = slots_begin(kinds, n),
               begin = lower_bound(kinds, slot_begin, n, PAIR_CHILD),
               end = lower_bound(kinds, begin, n, PAIR_CHILD_CONVEX);
    const tile_range range = range_of_group(end - begin, TILE_GROUP);
    const child_tables tables = CHILD_TABLES_HERE;
    if (get_global_id(0) == 0) totals[CONTACTS_SLOTS] = n - slot_begin;
    FOR_RANGE(j, range) {
        const uint i = order[begin + j], slot = begin + j - slot_begin;
        const child_pair of = CHILD_PAIR_AT(i);
        const child_impact found = impact_of(of, h);
        const slot_points closing = closing_points(of, flight_back(found.points, found.motion, share_back(of)), h),
                          settled = closing_points(of, pair_settled(tables, of, found), h);
        places[i] = slot;
        counts[i] = store_item(slots + CONTACT_SLOT_WORDS * (ulong)slot, settled, slot < slot_capacity,
                               any_closes(closing), &examined[i]);
    }
}

/* Tests the contacts of these kinds, as detect_test does. */
kernel void detect_child_balls(CHILD_TRIAL_ARGUMENTS) { TEST_CHILDREN(PAIR_CHILD, PAIR_CHILD_CONVEX); }
