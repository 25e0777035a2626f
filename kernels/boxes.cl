/* Entry points of the boxes of bodies, and of the pairs of straying bodies in a trial motion that have no contact
 * (host/detect/detection_pass.h).
 *
 * The boxes of a step go to the grid (grid.cl). Those of a trial motion do if many bodies stray; few are compared
 * with all boxes, which takes fewer launches.
 *
 * Work-groups have any number of work-items, one on processors. */
#include "contact_lookup.h"
#include "half_space.h"
#include "hull_table.h"
#include "swept_box.h"
#include "tiles.h"

/* -- Boxes ------------------------------------------------------------------------------ */

/* Returns the box of a body with this middle and half size. */
SHARED bounds box_around(const record_shape shape, const uint type, const vec3s middle, const vec3s extent,
                         const body_velocity velocity, const float padding, const float speculative, const float h) {
    const box_sweep sweep = box_sweep_of((int)type, velocity, shape.turning_radius, speculative, padding, h);
    return bounds_swept(bounds_around(middle, extent, sweep.padding), sweep);
}

/* Returns the box of a body whose shape's extent is known. */
SHARED bounds box_of_body(const record_shape shape, const uint type, const body_pose pose,
                          const body_velocity velocity, const float padding, const float speculative, const float h) {
    if (type == SLOT_FREE) return bounds_nowhere();
    return box_around(shape, type, pose.position, shape_extent(shape, pose.rotation), velocity, padding, speculative, h);
}

/* Returns the half size of a hull about its origin. */
SHARED vec3s hull_extent(const convex_shape of, LOOKUP hull_corner *corners, const versors rotation) {
    vec3s most = vec3_of(0, 0, 0);
    for (int i = 0; i < of.corner_count; i++) {
        const hull_corner corner = corners[of.first_corner + i];
        most = vec3_greater(most, vec3_absolute(rotate(rotation, vec3_of(corner.x, corner.y, corner.z))));
    }
    return glms_vec3_scale(most, of.size.x);
}

/* Returns the half size of a capsule, cylinder, cone, ellipsoid or hull. */
SHARED vec3s convex_extent(const convex_shape of, LOOKUP hull_corner *corners, const versors rotation) {
    if (of.kind == SHAPE_CAPSULE) return capsule_extent(of.size, rotation);
    if (of.kind == SHAPE_CYLINDER) return cylinder_extent(of.size, rotation);
    if (of.kind == SHAPE_CONE) return cone_extent(of.size, rotation);
    if (of.kind == SHAPE_ELLIPSOID) return ellipsoid_extent(of.size, rotation);
    return hull_extent(of, corners, rotation);
}

SHARED vec3s convex_middle(const convex_shape of, const body_pose pose) {
    if (of.kind != SHAPE_HULL) return pose.position;
    return glms_vec3_add(pose.position, rotate(pose.rotation, vec3_of(of.middle_x, of.middle_y, of.middle_z)));
}

/* Writes the boxes of a step (bounds_compute_padded), the planes of the half-spaces slots[k].slot, and the number
 * of bodies. Boxes of shapes that are not balls, boxes, half-spaces or, if `convex`, other convex shapes keep what
 * the caller has written. */
kernel void boxes_of_step(global const record_shape *shapes, global const convex_shape *convexes,
                         LOOKUP hull_corner *corners, const int convex, global const uchar *types, global const body_pose *poses,
                         global const body_velocity *velocities, const uint bodies, const float margin, const float h,
                         global bounds *boxes, global const body_plane *slots, const uint plane_count,
                         global body_plane *planes, global uint *count, const uint count_at) {
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    if (get_global_id(0) == 0) count[count_at] = bodies;
    FOR_RANGE(i, range) {
        const record_shape shape = shapes[i];
        const uint type = types[i];
        if (type == SLOT_FREE || shape_extent_known(shape.kind))
            boxes[i] = box_of_body(shape, type, poses[i], velocities[i], margin / 2, shape.half_width, h);
        else if (convex && shape.kind > RECORD_HALF_SPACE) {
            const convex_shape of = convexes[i];
            const body_pose pose = poses[i];
            boxes[i] = box_around(shape, type, convex_middle(of, pose), convex_extent(of, corners, pose.rotation),
                                  velocities[i], margin / 2, shape.half_width, h);
        }
    }
    for (uint k = get_global_id(0); k < plane_count; k += get_global_size(0)) {
        const int i = slots[k].slot;
        planes[k] = body_plane_at(i, poses[i], box_of_body(shapes[i], types[i], poses[i], velocities[i], margin / 2, shapes[i].half_width, h));
    }
}

/* Writes the boxes that bodies sweep in the trial motion (body_swept_boxes), the planes, the bodies' shapes
 * without the half width, which gives pairs a speculative margin, and flags of straying bodies as words. */
kernel void boxes_of_trial(global const record_shape *shapes, global const uchar *types, global const body_pose *poses,
                         global const body_velocity *motions, global const uchar *straying, const uint bodies, const float h,
                           global bounds *boxes,
                         global const body_plane *slots, const uint plane_count, global body_plane *planes,
                         global record_shape *bare, global uint *flags) {
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    FOR_RANGE(i, range) {
        record_shape shape = shapes[i];
        boxes[i] = box_of_body(shape, types[i], poses[i], motions[i], 0, 0, h);
        shape.half_width = 0;
        bare[i] = shape, flags[i] = straying[i];
    }
    for (uint k = get_global_id(0); k < plane_count; k += get_global_size(0)) {
        const int i = slots[k].slot;
        planes[k] = body_plane_at(i, poses[i], box_of_body(shapes[i], types[i], poses[i], motions[i], 0, 0, h));
    }
}

/* -- Pairs of straying bodies -------------------------------------------------------------- */

/* Straying bodies list[k], which are few. */
typedef struct stray_list {
    global const uint *list;
    uint count;
} stray_list;

/* Returns whether the box of a body meets that of a straying one; a half-space is compared by its plane. */
SHARED int meets_stray(global const record_shape *shapes, global const body_pose *poses, global const bounds *boxes,
                       const uint i, const bounds box, const uint stray) {
    const bounds other = boxes[stray];
    if (!corners_meet(box.lower, box.upper, other.lower, other.upper)) return 0;
    if (shapes[i].kind != RECORD_HALF_SPACE) return 1;
    return plane_reached(body_plane_at((int)i, poses[i], box), other.lower, box_extent(other.lower, other.upper), 0,
                         PLANE_ROUNDING);
}

/* Returns the number of straying bodies whose boxes meet that of body i and that have no contact with it. If
 * `emit`, stores their pairs from `at` on, as far as they fit. If both bodies stray, the first one counts. */
SHARED uint near_strays(global const record_shape *shapes, global const body_pose *poses, global const bounds *boxes,
                        global const uchar *straying, const stray_list strays, global const contact_head *heads,
                        const uint entries, const uint i, const int emit, const uint at, const uint capacity,
                        global int *pair_a, global int *pair_b) {
    const bounds box = boxes[i];
    const int strayed = straying[i];
    uint found = 0;
    for (uint k = 0; k < strays.count; k++) {
        const uint stray = strays.list[k];
        if (strayed && stray <= i) continue;
        if (!meets_stray(shapes, poses, boxes, i, box, stray)) continue;
        const int a = (int)min(i, stray), b = (int)max(i, stray);
        if (has_contact(heads, entries, a, b)) continue;
        if (emit && at + found < capacity) pair_a[at + found] = a, pair_b[at + found] = b;
        found++;
    }
    return found;
}

#define NEAR_ARGUMENTS \
    global const record_shape *shapes, global const body_pose *poses, global const bounds *boxes, \
        global const uchar *straying, const uint bodies, global const uint *list, global const uint *stray_count, \
        const uint stray_count_at, global const contact_head *heads, global const uint *totals, \
        const uint pair_capacity

SHARED stray_list stray_list_of(global const uint *list, const uint count) {
    stray_list out;
    out.list = list, out.count = count;
    return out;
}

/* Writes the number of pairs of each body with straying ones (near_strays). */
kernel void boxes_count(NEAR_ARGUMENTS, global uint *numbers) {
    const uint entries = min(totals[CONTACTS_PAIRS], pair_capacity);
    const stray_list strays = stray_list_of(list, stray_count[stray_count_at]);
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    FOR_RANGE(i, range)
        numbers[i] = near_strays(shapes, poses, boxes, straying, strays, heads, entries, i, 0, 0, 0, 0, 0);
}

/* Writes the pairs, in no order of pairs. */
kernel void boxes_emit(NEAR_ARGUMENTS, global const uint *places, const uint capacity, global int *pair_a,
                       global int *pair_b) {
    const uint entries = min(totals[CONTACTS_PAIRS], pair_capacity);
    const stray_list strays = stray_list_of(list, stray_count[stray_count_at]);
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    FOR_RANGE(i, range)
        near_strays(shapes, poses, boxes, straying, strays, heads, entries, i, 1, places[i], capacity, pair_a, pair_b);
}

/* Flags the pairs without contact. */
kernel void boxes_unknown(global const int *pair_a, global const int *pair_b, global const uint *count,
                           const uint count_at, const uint capacity, global const contact_head *heads,
                           global const uint *totals, const uint pair_capacity, global uint *flags) {
    const uint n = min(totals[CONTACTS_PAIRS], pair_capacity);
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    FOR_RANGE(i, range) flags[i] = !has_contact(heads, n, pair_a[i], pair_b[i]);
}

/* Writes the pairs list[k]. */
kernel void boxes_take(global const int *pair_a, global const int *pair_b, global const uint *list,
                        global const uint *count, const uint count_at, const uint capacity, global int *a,
                        global int *b) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    FOR_RANGE(k, range) a[k] = pair_a[list[k]], b[k] = pair_b[list[k]];
}
