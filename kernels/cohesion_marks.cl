/* Entry point of the marks of cohesive contacts (bound_pair.h), with which cohesion.cl divides forces. Work-groups have any
 * number of work-items, one on processors. */
#include "bound_pair.h"
#include "contact_set.h"
#include "periodic_image.h"
#include "placed_points.h"
#include "row_layout.h"
#include "tiles.h"

/* Returns the marks of an entry. */
SHARED uint touch_marks(const contact_head head, global const float4 *places, const scalar distance, const scalar way) {
    uint marks = 0;
    for (int k = 0; k < head_count(head); k++) {
        const scalar gap = places[head.first + k].w;
        if (!(gap <= distance)) continue;
        marks |= 1u << (gap + way <= distance ? k : TOUCH_BITS + k);
    }
    return marks;
}

/* Marks the touching points of entries. Marks of bodies that only contacts_convex.cl can test are left open. */
kernel void cohesion_mark(global const contact_head *heads, global const contact_tag *tags,
                          global const float4 *places, global const uint *totals, const uint pair_capacity,
                          const uint point_capacity, const uint slot_capacity,
                          global const row_body *constants, global const record_shape *records,
                          global const body_pose *poses, global const body_velocity *velocities,
                          global const row_material *materials, const row_parameters p, global uint *marks,
                          global uint *words) {
    const uint n = pairs_that_fit(totals, pair_capacity, point_capacity, slot_capacity);
    const tile_range range = range_of_group(n, TILE_GROUP);
    if (get_global_id(0) == 0) words[COHESION_LISTED] = 0, words[COHESION_ENTRIES] = n;
    FOR_RANGE(i, range) {
        const contact_head head = heads[i];
        const row_body a = constants[head.a], b = constants[head.b];
        const row_material material = materials[row_material_of(a) * p.material_count + row_material_of(b)];
        const scalar distance = material.cohesion_distance;
        uint found = 0;
        if (material.cohesion > 0 && !(tags[i].bits & TAG_PREDICTED))
            found = touch_marks(head, places, distance,
                                cohesion_way(velocities[head.a].linear, velocities[head.b].linear, p.scheme.time_step));
        if (found >> TOUCH_BITS) {
            const record_shape of_a = records[head.a], of_b = records[head.b];
            /* Another pair of children may be in range. */
            if ((a.bits | b.bits) & ROW_CHILDREN)
                found = (found | found >> TOUCH_BITS) & TOUCH_ALL;
            else if (placed_points_known(of_a.kind, of_b.kind)) {
                body_pose pose_b = poses[head.b];
                pose_b.position = image_position(pose_b.position, head_image(head), p.period);
                const int near =
                    placed_points(placed_record_of(of_a, poses[head.a]), placed_record_of(of_b, pose_b), distance)
                        .count > 0;
                found = near ? (found | found >> TOUCH_BITS) & TOUCH_ALL : found & TOUCH_ALL;
            }
        }
        marks[i] = found;
    }
}
