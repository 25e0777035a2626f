/* Entry points of the narrow phase: from pairs of bodies to the contacts of a step, in the pairs' order, and
 * what they keep from the last step.
 *
 * A first launch finds the kind of each pair: a contact of few numbers is counted at once and found again
 * where it is stored; that of two boxes, or of a box and a half-space, has up to four points and many
 * operations. The pairs are then sorted by kind, so that the work-items of a group take the same way, and the
 * points wait in slots until a scan has given them their places. Pairs that the device cannot test are left
 * to the host.
 *
 * Work-groups have any number of work-items, one on processors. Counts are words in memory, as for scan.cl,
 * and include what does not fit. */
#include "contact_pairs.h"
#include "match_entries.h"
#include "pair_filter.h"
#include "sphere_points.h"

/* Two boxes of which the second moves (straight_flight.h); a's axes are given about the origin. */
typedef struct box_flight {
    oriented_box a, b;
    vec3s centre_a, centre_b; /* m */
    scalar reach;             /* largest gap of a contact, m */
} box_flight;

CALLED manifold_points flight_at(box_flight of, vec3s motion) {
    const oriented_box a = of.a;
    oriented_box b = of.b;
    b.centre = glms_vec3_sub(glms_vec3_add(of.centre_b, motion), of.centre_a);
    const vec3s half_a = vec3_of(a.halves[0], a.halves[1], a.halves[2]),
                half_b = vec3_of(b.halves[0], b.halves[1], b.halves[2]);
    if (boxes_are_far(half_a, half_b, b.centre, of.reach)) return manifold_points_none();
    return manifold_points_moved(boxes_points(a, b, of.reach, 0), of.centre_a);
}

#define FLIGHT box_flight
#include "skimming.h"

/* Writes the record of each body, and clears the counts. */
kernel void contacts_records(global const record_shape *shapes, global const body_pose *poses,
                             global const body_velocity *velocities, const uint bodies,
                             global body_record *records, global uint *totals) {
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    for (int k = 0; k < CONTACTS_COUNTS && get_global_id(0) == 0; k++) totals[k] = 0;
    FOR_RANGE(i, range) {
        const body_velocity velocity = velocities[i];
        const record_shape shape = shapes[i];
        const body_pose pose = poses[i];
        records[i] = body_record_of(shape, pose, velocity, record_spin(shape.kind, pose, velocity.angular));
    }
}

/* -- Records ---------------------------------------------------------------------------- */

SHARED moving_ball ball_at(global const body_record *records, const int at) {
    const float4 place = record_word(records, at, 0), size = record_word(records, at, 1),
                 velocity = record_word(records, at, 2);
    moving_ball out;
    out.of.centre = xyz(place), out.of.radius = size.x, out.half_width = size.w;
    out.velocity = xyz(velocity), out.square_speed = velocity.w;
    return out;
}

SHARED oriented_box box_at(global const body_record *records, const int at, const vec3s centre) {
    const float4 size = record_word(records, at, 1);
    oriented_box out;
    out.centre = centre;
    for (int k = 0; k < 3; k++) out.axes[k] = xyz(record_word(records, at, 3 + k));
    out.halves[0] = size.x, out.halves[1] = size.y, out.halves[2] = size.z;
    return out;
}

/* -- Half-spaces ------------------------------------------------------------------------ */

/* A pair of a round or flat body and a half-space, in this order or the other. */
typedef struct plane_pair {
    int body;                       /* index */
    int turned;                     /* whether the half-space comes first */
    vec3s centre, origin, outward;  /* of the body; of the half-space and its normal */
} plane_pair;

SHARED plane_pair plane_pair_of(global const body_record *records, const body_couple pair) {
    const vec3s of_a = centre_at(records, pair.a), of_b = centre_of_b(records, pair);
    plane_pair out;
    out.turned = record_kind(records, pair.a) == RECORD_HALF_SPACE;
    out.body = out.turned ? pair.b : pair.a;
    out.centre = vec3_choose(out.turned, of_b, of_a), out.origin = vec3_choose(out.turned, of_a, of_b);
    out.outward = xyz(record_word(records, out.turned ? pair.a : pair.b, 5));
    return out;
}

/* Turns the normal if the half-space comes first. */
SHARED manifold_points plane_turned(const plane_pair pair, manifold_points found) {
    if (pair.turned) found.normal = glms_vec3_negate(found.normal);
    return found;
}

/* -- Single points ---------------------------------------------------------------------- */

SHARED ball_contact ball_plane_contact(global const body_record *records, const body_couple pair,
                                       const float margin, const float h) {
    const encounter e = encounter_of(records, pair, margin, h);
    const plane_pair of = plane_pair_of(records, pair);
    const manifold_points found =
        plane_turned(of, sphere_plane_points(ball_at(records, of.body).of.radius, of.centre, of.outward, of.origin, e.reach));
    ball_contact out;
    out.touches = found.count > 0;
    out.normal = out.position = glms_vec3_zero(), out.gap = 0;
    if (!out.touches) return out;
    out.normal = found.normal, out.position = found.points[0].position;
    out.gap = gap_unmoved(found.points[0].gap, out.normal);
    out.touches = out.gap <= encounter_closing(e, out.normal, h);
    return out;
}

/* Returns the contact of two balls, or of a ball and a half-space; `touches` if its gap can close. */
SHARED ball_contact single_contact(global const body_record *records, const body_couple pair, const uint kind,
                                   const float margin, const float h) {
    if (kind != PAIR_BALLS) return ball_plane_contact(records, pair, margin, h);
    moving_ball b = ball_at(records, pair.b);
    b.of.centre = couple_moved(pair, b.of.centre);
    ball_contact out = moving_balls_contact(ball_at(records, pair.a), b, margin, h);
    if (pair.image) out.gap = gap_unmoved(out.gap, out.normal);
    return out;
}

/* -- Kinds ------------------------------------------------------------------------------ */

SHARED uint boxes_kind(global const body_record *records, const body_couple pair, const float margin,
                       const float h) {
    const vec3s between = glms_vec3_sub(centre_of_b(records, pair), centre_at(records, pair.a));
    const box_test test =
        moving_boxes_test(box_at(records, pair.a, glms_vec3_zero()), box_at(records, pair.b, between),
                          motion_at(records, pair.a), motion_at(records, pair.b), margin, h);
    return test.parted ? PAIR_APART : test.crossed ? PAIR_EDGES : PAIR_FACES;
}

/* Finds each pair's kind, the number of its points if it is at most one, and whether it is left to the host.
 * `sorted`: there are kinds with slots, and pairs of boxes are tested for separating axes. */
SHARED void find_kinds(const tile_range range, global const body_record *records, PAIR_LISTS, global const uint *count,
                       const uint count_at, const uint capacity, global const uint2 *groups,
                       const int filtered, global const int2 *apart, const uint apart_count, const int tests,
                       const float margin, const float h, global uint *kinds, global uint *order,
                       global uint *counts, global uint *left, global uint *examined, const int sorted) {
    FOR_RANGE(i, range) {
        const body_couple pair = PAIR_AT(i);
        uint kind = (uint)pair_kind(record_kind(records, pair.a), record_kind(records, pair.b), tests);
        const int held = is_held(groups, filtered, apart, apart_count, pair.a, pair.b);
        const int other = kind == PAIR_APART;
        if (held) kind = PAIR_APART;
        const int single = kind == PAIR_BALLS || kind == PAIR_BALL_PLANE;
        if (single && !single_contact(records, pair, kind, margin, h).touches) kind = PAIR_APART;
        if (sorted && kind == PAIR_FACES) kind = boxes_kind(records, pair, margin, h);
        kinds[i] = kind, counts[i] = single && kind != PAIR_APART;
        left[i] = other && !held;
        if (sorted) order[i] = i, examined[i] = 0;
    }
}

#define KINDS_ARGUMENTS \
    global const body_record *records, PAIR_LISTS, global const uint *count, const uint count_at, const uint capacity, \
        global const uint2 *groups, const int filtered, global const int2 *apart, const uint apart_count, \
        const int tests, const float margin, const float h, global uint *kinds, global uint *order, global uint *counts, \
        global uint *left, global uint *examined
#define FIND_KINDS(sorted) \
    find_kinds(range_of_group(min(count[count_at], capacity), TILE_GROUP), records, pair_a, pair_b, images, \
               periodic, period_x, period_y, period_z, count, count_at, capacity, \
               groups, filtered, apart, apart_count, tests, margin, h, kinds, order, counts, left, examined, sorted)

kernel void contacts_kinds_of_balls(KINDS_ARGUMENTS) { FIND_KINDS(0); }

kernel void contacts_kinds(KINDS_ARGUMENTS) { FIND_KINDS(1); }

/* -- Points of boxes -------------------------------------------------------------------- */

SHARED slot_points box_plane_found(global const body_record *records, const body_couple pair,
                                   const float margin, const float h) {
    const encounter e = encounter_of(records, pair, margin, h);
    const plane_pair of = plane_pair_of(records, pair);
    const manifold_points found = plane_turned(of, box_plane_points(box_at(records, of.body, glms_vec3_zero()), of.centre, of.outward, of.origin, e.reach));
    return slot_points_of(points_unmoved(found), encounter_closing(e, found.normal, h));
}

/* Two boxes in motion; a's centre is the origin. */
typedef struct boxes_pair {
    oriented_box a, b;
    moving_box of_a, of_b;
    vec3s centre_a, centre_b; /* m */
    int image;
    skimming_motion motion;
} boxes_pair;

SHARED boxes_pair boxes_pair_of(global const body_record *records, const body_couple pair) {
    boxes_pair out;
    out.centre_a = centre_at(records, pair.a), out.centre_b = centre_of_b(records, pair);
    out.image = pair.image;
    out.a = box_at(records, pair.a, glms_vec3_zero());
    out.b = box_at(records, pair.b, glms_vec3_sub(out.centre_b, out.centre_a));
    out.of_a = motion_at(records, pair.a), out.of_b = motion_at(records, pair.b);
    out.motion = moving_boxes_motion(out.a, out.b, out.of_a, out.of_b);
    return out;
}

SHARED manifold_points boxes_found(const boxes_pair of, const float margin, const float h) {
    const box_test test = moving_boxes_test(of.a, of.b, of.of_a, of.of_b, margin, h);
    const box_separation best = box_separation_of(of.a, of.b, test.axes),
                         separation = box_levelled(of.a, of.b, test.axes, best);
    const manifold_points found = manifold_points_moved(box_points(of.a, of.b, separation, test.reach), of.centre_a);
    return of.image ? points_unmoved(found) : found;
}

SHARED slot_points boxes_closing(const boxes_pair of, const manifold_points points, const float margin,
                                 const float h) {
    return slot_points_of(points,
                          moving_boxes_closing(of.motion, of.of_a, of.of_b, points.normal, margin, h));
}

/* Returns whether the boxes may pass each other. */
SHARED int boxes_may_pass(const boxes_pair of, const manifold_points found, const float h) {
    if (!skimming_possible(of.motion, found.normal, found.points, found.count, found.mean != 0, h)) return 0;
    return found.mean || !skimming_blocked(of.a, of.b, of.motion, found.normal,
                                           skimming_least_gap(found.points, found.count));
}

/* Returns the contact of boxes that may pass each other; `of_b`: the fraction of their motion that is b's. */
SHARED manifold_points boxes_examined(const boxes_pair of, const manifold_points found, const float of_b,
                                      const float h) {
    box_flight flight;
    flight.a = of.a, flight.b = of.b, flight.centre_a = of.centre_a, flight.centre_b = of.centre_b;
    flight.reach = skimming_reach(of.motion, h);
    return skimming_examine(flight, found, of.motion, of_b, h);
}

/* Finds the points of boxes with boxes and half-spaces; order[j]: index of the pair. Writes the number of a
 * pair's points to counts and its slot to places, and marks boxes that may pass each other. */
kernel void contacts_points(global const body_record *records, PAIR_LISTS, global const uint *count,
                            const uint count_at, const uint capacity, global const uint *kinds,
                            global const uint *order, const float margin, const float h,
                            const uint slot_capacity, global float4 *slots, global uint *places,
                            global uint *counts, global uint *examined, global uint *totals) {
    const uint n = min(count[count_at], capacity), begin = slots_begin(kinds, n),
               end = lower_bound(kinds, begin, n, PAIR_BALL_BOX);
    const tile_range range = range_of_group(end - begin, TILE_GROUP);
    if (get_global_id(0) == 0) totals[CONTACTS_SLOTS] = n - begin;
    FOR_RANGE(j, range) {
        const uint i = order[begin + j];
        const body_couple pair = PAIR_AT(i);
        slot_points found;
        if (kinds[begin + j] == PAIR_BOX_PLANE) {
            found = box_plane_found(records, pair, margin, h);
        } else {
            const boxes_pair of = boxes_pair_of(records, pair);
            found = boxes_closing(of, boxes_found(of, margin, h), margin, h);
            examined[i] = boxes_may_pass(of, found.points, h);
        }
        places[i] = j;
        counts[i] = slot_store(slots + CONTACT_SLOT_WORDS * (ulong)j, found, j < slot_capacity);
    }
}

/* Finds the points again of the pairs list[k] of boxes, which may pass each other, and marks those that do. */
kernel void contacts_examine(global const body_record *records, PAIR_LISTS, global const body_mass *masses,
                             global const uint *list, global const uint *totals, const float margin,
                             const float h, const uint slot_capacity, global float4 *slots,
                             global const uint *places, global uint *counts, global uint *examined) {
    const tile_range range = range_of_group(totals[CONTACTS_EXAMINED], TILE_GROUP);
    FOR_RANGE(k, range) {
        const uint i = list[k], slot = places[i];
        const body_couple pair = PAIR_AT(i);
        if (record_kind(records, pair.a) != RECORD_BOX || record_kind(records, pair.b) != RECORD_BOX) continue;
        const boxes_pair of = boxes_pair_of(records, pair);
        const manifold_points points = boxes_examined(of, boxes_found(of, margin, h), share_of_b(masses, pair), h);
        counts[i] = slot_store(slots + CONTACT_SLOT_WORDS * (ulong)slot, boxes_closing(of, points, margin, h),
                               slot < slot_capacity);
        examined[i] = points.count == 0;
    }
}

/* -- Contacts --------------------------------------------------------------------------- */

SHARED contact_head head_of(const body_couple pair, const uint count, const uint first, const vec3s normal) {
    contact_head out;
    out.a = pair.a, out.b = pair.b, out.first = (int)first;
    out.image_count = head_image_count(pair.image, (int)count);
    out.normal = normal, out.load = 0;
    return out;
}

/* Stores an entry of one point. */
SHARED void store_single(global contact_head *heads, const uint m, global float4 *places,
                         global uint *features, const uint first, const uint point_capacity,
                         const body_couple pair, const ball_contact found) {
    heads[m] = head_of(pair, 1, first, found.normal);
    if (first >= point_capacity) return;
    places[first] = (float4)(found.position.x, found.position.y, found.position.z, found.gap);
    features[first] = 0;
}

/* Stores the entries of pairs list[m], which have one point each. */
kernel void contacts_store_balls(global const body_record *records, PAIR_LISTS, global const uint *list,
                                 global uint *totals,
                                 const uint pair_capacity, const uint point_capacity,
                                 global const uint *kinds, const float margin, const float h,
                                 global contact_head *heads, global float4 *places, global uint *features) {
    const uint total = totals[CONTACTS_PAIRS];
    const tile_range range = range_of_group(min(total, pair_capacity), TILE_GROUP);
    if (get_global_id(0) == 0) totals[CONTACTS_POINTS] = total;
    FOR_RANGE(m, range) {
        const uint i = list[m];
        const body_couple pair = PAIR_AT(i);
        store_single(heads, m, places, features, m, point_capacity, pair,
                     single_contact(records, pair, kinds[i], margin, h));
    }
}

/* Stores the entries of pairs list[m], whose points begin at firsts[list[m]]; slot_of: of each pair with
 * several points; counts: points of each pair. */
kernel void contacts_store(global const body_record *records, PAIR_LISTS, global const uint *list,
                           global const uint *totals,
                           const uint pair_capacity, const uint point_capacity, const uint slot_capacity,
                           global const float4 *slots, global const uint *slot_of, global const uint *counts,
                           global const uint *firsts, const float margin, const float h,
                           global contact_head *heads, global float4 *places, global uint *features) {
    const tile_range range = range_of_group(min(totals[CONTACTS_PAIRS], pair_capacity), TILE_GROUP);
    FOR_RANGE(m, range) {
        const uint i = list[m], first = firsts[i];
        const body_couple pair = PAIR_AT(i);
        const uint kind = (uint)pair_kind(record_kind(records, pair.a), record_kind(records, pair.b), 0);
        if (kind == PAIR_BALLS || kind == PAIR_BALL_PLANE) {
            store_single(heads, m, places, features, first, point_capacity, pair,
                         single_contact(records, pair, kind, margin, h));
            continue;
        }
        const uint count = counts[i], slot = slot_of[i];
        if (slot >= slot_capacity) continue;
        global const float4 *from = slots + CONTACT_SLOT_WORDS * (ulong)slot;
        global const uint *of = (global const uint *)(from + 5);
        heads[m] = head_of(pair, count, first, xyz(from[0]));
        for (uint k = 0; k < count && first + k < point_capacity; k++)
            places[first + k] = from[1 + k], features[first + k] = of[k];
    }
}

/* -- Matching --------------------------------------------------------------------------- */

/* Gives each entry what acted at its points in the last step without cohesion, its load and its colour. Bodies that are gone
 * pass on nothing. Does nothing if an entry or a point does not fit. */
kernel void contacts_match(MATCH_ARGUMENTS) {
    const tile_range range = range_of_group(MATCH_COUNT, TILE_GROUP);
    const match_sets of = MATCH_SETS;
    FOR_RANGE(m, range) {
        const contact_head now = heads[m];
        clear_actions(of, now);
        match_entry(of, m, entries_before(of, now, any_gone && (gone[now.a] | gone[now.b])), 0, 0);
    }
}

/* -- Skims ------------------------------------------------------------------------------ */

/* Writes the pairs of bodies list[k] that pass each other, each with its image and children, 0. */
kernel void contacts_skims(global const int *pair_a, global const int *pair_b, global const int *images, const int periodic, global const uint *list,
                           global const uint *totals, global int4 *pairs) {
    const tile_range range = range_of_group(totals[CONTACTS_SKIMS], TILE_GROUP);
    FOR_RANGE(k, range) pairs[k] = (int4)(pair_a[list[k]], pair_b[list[k]], periodic ? images[list[k]] : 0, 0);
}
