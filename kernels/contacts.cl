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
#include "contact_match.h"
#include "contact_set.h"
#include "make_record.h"
#include "moving_pair.h"
#include "sphere_points.h"
#include "tiles.h"

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

/* Kinds of pairs: apart, single points, then those with slots. */
enum { PAIR_APART, PAIR_BALLS, PAIR_BALL_PLANE, PAIR_BOX_PLANE, PAIR_FACES, PAIR_EDGES, PAIR_KIND_BITS = 3 };
#define PAIR_KIND(word) ((word) & ((1u << PAIR_KIND_BITS) - 1))

/* Writes the record of each body, and clears the counts. Spin moves no point of a ball, and every point of the other shapes. */
kernel void contacts_records(global const record_shape *shapes, global const body_pose *poses,
                             global const body_velocity *velocities, const uint bodies,
                             global body_record *records, global uint *totals) {
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    for (int k = 0; k < CONTACTS_COUNTS && get_global_id(0) == 0; k++) totals[k] = 0;
    FOR_RANGE(i, range) {
        const body_velocity velocity = velocities[i];
        records[i] = body_record_of(shapes[i], poses[i], velocity, glms_vec3_norm(velocity.angular));
    }
}

/* -- Records ---------------------------------------------------------------------------- */

SHARED float4 record_word(global const body_record *records, const int at, const int word) {
    return ((global const float4 *)(records + at))[word];
}

SHARED vec3s xyz(const float4 word) { return vec3_of(word.x, word.y, word.z); }

SHARED int record_kind(global const body_record *records, const int at) { return records[at].kind; }

SHARED moving_ball ball_at(global const body_record *records, const int at) {
    const float4 place = record_word(records, at, 0), size = record_word(records, at, 1),
                 velocity = record_word(records, at, 2);
    moving_ball out;
    out.of.centre = xyz(place), out.of.radius = size.x, out.half_width = size.w;
    out.velocity = xyz(velocity), out.square_speed = velocity.w;
    return out;
}

SHARED vec3s centre_at(global const body_record *records, const int at) {
    return xyz(record_word(records, at, 0));
}

SHARED moving_box motion_at(global const body_record *records, const int at) {
    const float4 velocity = record_word(records, at, 2);
    moving_box out;
    out.radius = records[at].radius, out.half_width = records[at].half_width;
    out.velocity = xyz(velocity), out.square_speed = velocity.w;
    out.turning_speed = records[at].turning_speed;
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
    int body, plane, turned; /* indices; turned: the half-space comes first */
    float margin, reach;     /* m */
    float turning_speed;     /* m/s */
    vec3s velocity;          /* of b relative to a */
} plane_pair;

/* A half-space rotates about a point as far away as the other body. */
SHARED float turning_at(global const body_record *records, const int at, const float distance) {
    const moving_box motion = motion_at(records, at);
    return motion.radius < INFINITY ? motion.turning_speed : motion.turning_speed * distance;
}

SHARED plane_pair plane_pair_of(global const body_record *records, const int a, const int b,
                                const float margin, const float h) {
    const moving_box of_a = motion_at(records, a), of_b = motion_at(records, b);
    const float distance =
        glms_vec3_norm(glms_vec3_sub(centre_at(records, b), centre_at(records, a)));
    plane_pair out;
    out.turned = record_kind(records, a) == RECORD_HALF_SPACE;
    out.body = out.turned ? b : a, out.plane = out.turned ? a : b;
    out.velocity = glms_vec3_sub(of_b.velocity, of_a.velocity);
    out.turning_speed = turning_at(records, a, distance) + turning_at(records, b, distance);
    out.margin = moving_boxes_margin(of_a, of_b, margin, h);
    out.reach = reach_of(out.margin, out.velocity, out.turning_speed, h);
    return out;
}

SHARED vec3s plane_normal(global const body_record *records, const plane_pair pair) {
    return xyz(record_word(records, pair.plane, 5));
}

/* Turns the normal if the half-space comes first, and returns the largest gap that can close. */
SHARED float plane_closing(const plane_pair pair, manifold_points *found, const float h) {
    if (pair.turned) found->normal = glms_vec3_negate(found->normal);
    return reach_along(pair.margin, found->normal, pair.velocity, pair.turning_speed, h);
}

/* -- Single points ---------------------------------------------------------------------- */

/* Returns the contact of two balls, or of a ball and a half-space; `touches` if its gap can close. */
SHARED ball_contact single_contact(global const body_record *records, const int a, const int b,
                                   const uint kind, const float margin, const float h) {
    if (kind == PAIR_BALLS) return moving_balls_contact(ball_at(records, a), ball_at(records, b), margin, h);
    const plane_pair pair = plane_pair_of(records, a, b, margin, h);
    const moving_ball ball = ball_at(records, pair.body);
    manifold_points found =
        sphere_plane_points(ball.of.radius, ball.of.centre, plane_normal(records, pair),
                            centre_at(records, pair.plane), pair.reach);
    ball_contact out;
    out.touches = found.count > 0;
    out.normal = out.position = glms_vec3_zero(), out.gap = 0;
    if (!out.touches) return out;
    const float closing = plane_closing(pair, &found, h);
    out.normal = found.normal, out.position = found.points[0].position, out.gap = found.points[0].gap;
    out.touches = out.gap <= closing;
    return out;
}

/* -- Kinds ------------------------------------------------------------------------------ */

/* Returns whether a joint keeps two bodies from touching; `apart` is sorted by (a, b). */
SHARED int held_apart(global const int2 *apart, const uint count, const int a, const int b) {
    uint low = 0, high = count;
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        const int2 at = apart[middle];
        if (at.x < a || (at.x == a && at.y < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && apart[low].x == a && apart[low].y == b;
}

/* Bodies that may touch according to their groups and masks, .x and .y. */
SHARED int may_touch(global const uint2 *groups, const int a, const int b) {
    const uint2 of_a = groups[a], of_b = groups[b];
    return (of_a.x & of_b.y) != 0 && (of_b.x & of_a.y) != 0;
}

/* Returns the kind of a pair by its bodies alone; PAIR_APART if the host must test it. */
SHARED uint pair_kind(const int a, const int b) {
    const int first = min(a, b), second = max(a, b);
    if (first == RECORD_BALL && second == RECORD_BALL) return PAIR_BALLS;
    if (first == RECORD_BOX && second == RECORD_BOX) return PAIR_FACES;
    if (first == RECORD_BALL && second == RECORD_HALF_SPACE) return PAIR_BALL_PLANE;
    return first == RECORD_BOX && second == RECORD_HALF_SPACE ? PAIR_BOX_PLANE : PAIR_APART;
}

SHARED uint boxes_kind(global const body_record *records, const int a, const int b, const float margin,
                       const float h) {
    const vec3s between = glms_vec3_sub(centre_at(records, b), centre_at(records, a));
    const box_test test =
        moving_boxes_test(box_at(records, a, glms_vec3_zero()), box_at(records, b, between),
                          motion_at(records, a), motion_at(records, b), margin, h);
    return test.parted ? PAIR_APART : test.crossed ? PAIR_EDGES : PAIR_FACES;
}

/* Finds each pair's kind, the number of its points if it is at most one, and whether it is left to the host.
 * `boxes`: pairs of boxes are tested for separating axes; else there are none. */
SHARED void find_kinds(global const body_record *records, global const int *pair_a, global const int *pair_b,
                       global const int *images, const int periodic, global const uint *count,
                       const uint count_at, const uint capacity, global const uint2 *groups,
                       const int filtered, global const int2 *apart, const uint apart_count,
                       const float margin, const float h, global uint *kinds, global uint *order,
                       global uint *counts, global uint *left, global uint *examined, const int boxes) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    FOR_RANGE(i, range) {
        const int a = pair_a[i], b = pair_b[i];
        uint kind = pair_kind(record_kind(records, a), record_kind(records, b));
        const int held = (filtered && !may_touch(groups, a, b)) ||
                         (apart_count && held_apart(apart, apart_count, a, b));
        const int other = kind == PAIR_APART || (periodic && images[i]);
        if (held || other) kind = PAIR_APART;
        const int single = kind == PAIR_BALLS || kind == PAIR_BALL_PLANE;
        if (single && !single_contact(records, a, b, kind, margin, h).touches) kind = PAIR_APART;
        if (boxes && kind == PAIR_FACES) kind = boxes_kind(records, a, b, margin, h);
        kinds[i] = kind, counts[i] = single && kind != PAIR_APART;
        left[i] = other && !held;
        if (boxes) order[i] = i, examined[i] = 0;
    }
}

#define KINDS_ARGUMENTS \
    global const body_record *records, global const int *pair_a, global const int *pair_b, global const int *images, \
        const int periodic, global const uint *count, const uint count_at, const uint capacity, \
        global const uint2 *groups, const int filtered, global const int2 *apart, const uint apart_count, \
        const float margin, const float h, global uint *kinds, global uint *order, global uint *counts, \
        global uint *left, global uint *examined

kernel void contacts_kinds_of_balls(KINDS_ARGUMENTS) {
    find_kinds(records, pair_a, pair_b, images, periodic, count, count_at, capacity, groups, filtered, apart,
               apart_count, margin, h, kinds, order, counts, left, examined, 0);
}

kernel void contacts_kinds(KINDS_ARGUMENTS) {
    find_kinds(records, pair_a, pair_b, images, periodic, count, count_at, capacity, groups, filtered, apart,
               apart_count, margin, h, kinds, order, counts, left, examined, 1);
}

/* -- Points of boxes -------------------------------------------------------------------- */

/* Contact points with the largest gap that can close. */
typedef struct slot_points {
    manifold_points points;
    float closing;
} slot_points;

SHARED slot_points box_plane_found(global const body_record *records, const int a, const int b,
                                   const float margin, const float h) {
    const plane_pair pair = plane_pair_of(records, a, b, margin, h);
    slot_points out;
    out.points = box_plane_points(box_at(records, pair.body, glms_vec3_zero()), centre_at(records, pair.body),
                                  plane_normal(records, pair), centre_at(records, pair.plane), pair.reach);
    out.closing = plane_closing(pair, &out.points, h);
    return out;
}

/* Two boxes in motion; a's centre is the origin. */
typedef struct boxes_pair {
    oriented_box a, b;
    moving_box of_a, of_b;
    vec3s centre_a, centre_b; /* m */
    skimming_motion motion;
} boxes_pair;

SHARED boxes_pair boxes_pair_of(global const body_record *records, const int a, const int b) {
    boxes_pair out;
    out.centre_a = centre_at(records, a), out.centre_b = centre_at(records, b);
    out.a = box_at(records, a, glms_vec3_zero());
    out.b = box_at(records, b, glms_vec3_sub(out.centre_b, out.centre_a));
    out.of_a = motion_at(records, a), out.of_b = motion_at(records, b);
    out.motion = moving_boxes_motion(out.a, out.b, out.of_a, out.of_b);
    return out;
}

SHARED manifold_points boxes_found(const boxes_pair of, const float margin, const float h) {
    const box_test test = moving_boxes_test(of.a, of.b, of.of_a, of.of_b, margin, h);
    const box_separation best = box_separation_of(of.a, of.b, test.axes),
                         separation = box_levelled(of.a, of.b, test.axes, best);
    return manifold_points_moved(box_points(of.a, of.b, separation, test.reach), of.centre_a);
}

SHARED slot_points boxes_closing(const boxes_pair of, const manifold_points points, const float margin,
                                 const float h) {
    slot_points out;
    out.points = points;
    out.closing = moving_boxes_closing(of.motion, of.of_a, of.of_b, points.normal, margin, h);
    return out;
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

/* Stores the points that can close, and returns their number. */
SHARED uint slot_store(global float4 *slot, const slot_points found, const int stored) {
    uint count = 0, features[MANIFOLD_POINTS] = {0, 0, 0, 0};
    for (int k = 0; k < found.points.count; k++) {
        const manifold_point point = found.points.points[k];
        if (!(point.gap <= found.closing)) continue;
        if (stored) slot[1 + count] = (float4)(point.position.x, point.position.y, point.position.z, point.gap);
        features[count++] = point.feature;
    }
    const vec3s normal = found.points.normal;
    if (stored) slot[0] = (float4)(normal.x, normal.y, normal.z, 0);
    if (stored) slot[5] = (float4)(as_float(features[0]), as_float(features[1]), as_float(features[2]),
                                   as_float(features[3]));
    return count;
}

/* Finds the points of the pairs with slots, the last ones of the sorted kinds; order[j]: index of the pair.
 * Writes the number of a pair's points to counts and its slot to places, and marks boxes that may pass each
 * other. */
kernel void contacts_points(global const body_record *records, global const int *pair_a,
                            global const int *pair_b, global const uint *count, const uint count_at,
                            const uint capacity, global const uint *kinds, global const uint *order,
                            const float margin, const float h, const uint slot_capacity,
                            global float4 *slots, global uint *places, global uint *counts,
                            global uint *examined, global uint *totals) {
    const uint n = min(count[count_at], capacity), begin = lower_bound(kinds, 0, n, PAIR_BOX_PLANE);
    const tile_range range = range_of_group(n - begin, TILE_GROUP);
    if (get_global_id(0) == 0) totals[CONTACTS_SLOTS] = n - begin;
    FOR_RANGE(j, range) {
        const uint i = order[begin + j];
        const int a = pair_a[i], b = pair_b[i];
        slot_points found;
        if (kinds[begin + j] == PAIR_BOX_PLANE) {
            found = box_plane_found(records, a, b, margin, h);
        } else {
            const boxes_pair of = boxes_pair_of(records, a, b);
            found = boxes_closing(of, boxes_found(of, margin, h), margin, h);
            examined[i] = boxes_may_pass(of, found.points, h);
        }
        places[i] = j;
        counts[i] = slot_store(slots + CONTACT_SLOT_WORDS * (ulong)j, found, j < slot_capacity);
    }
}

/* Finds the points again of pairs list[k], boxes that may pass each other, and marks those that do. Bodies
 * without mass cannot move. */
kernel void contacts_examine(global const body_record *records, global const int *pair_a,
                             global const int *pair_b, global const body_mass *masses,
                             global const uint *list, global const uint *totals, const float margin,
                             const float h, const uint slot_capacity, global float4 *slots, global const uint *places, global uint *counts,
                             global uint *examined) {
    const tile_range range = range_of_group(totals[CONTACTS_EXAMINED], TILE_GROUP);
    FOR_RANGE(k, range) {
        const uint i = list[k], slot = places[i];
        const int a = pair_a[i], b = pair_b[i];
        const boxes_pair of = boxes_pair_of(records, a, b);
        const float of_b = (float)(1 + (masses[b].mass > 0) - (masses[a].mass > 0)) / 2;
        const manifold_points points = boxes_examined(of, boxes_found(of, margin, h), of_b, h);
        counts[i] = slot_store(slots + CONTACT_SLOT_WORDS * (ulong)slot, boxes_closing(of, points, margin, h),
                               slot < slot_capacity);
        examined[i] = points.count == 0;
    }
}

/* -- Contacts --------------------------------------------------------------------------- */

SHARED contact_head head_of(const int a, const int b, const uint count, const uint first, const vec3s normal) {
    contact_head out;
    out.a = a, out.b = b, out.image_count = head_image_count(0, (int)count), out.first = (int)first;
    out.normal = normal, out.load = 0;
    return out;
}

/* Stores an entry of one point. */
SHARED void store_single(global contact_head *heads, const uint m, global float4 *places,
                         global uint *features, const uint first, const uint point_capacity, const int a,
                         const int b, const ball_contact found) {
    heads[m] = head_of(a, b, 1, first, found.normal);
    if (first >= point_capacity) return;
    places[first] = (float4)(found.position.x, found.position.y, found.position.z, found.gap);
    features[first] = 0;
}

/* Stores the entries of pairs list[m], which have one point each. */
kernel void contacts_store_balls(global const body_record *records, global const int *pair_a,
                                 global const int *pair_b, global const uint *list, global uint *totals,
                                 const uint pair_capacity, const uint point_capacity,
                                 global const uint *kinds, const float margin, const float h,
                                 global contact_head *heads, global float4 *places, global uint *features) {
    const uint total = totals[CONTACTS_PAIRS];
    const tile_range range = range_of_group(min(total, pair_capacity), TILE_GROUP);
    if (get_global_id(0) == 0) totals[CONTACTS_POINTS] = total;
    FOR_RANGE(m, range) {
        const uint i = list[m];
        const int a = pair_a[i], b = pair_b[i];
        store_single(heads, m, places, features, m, point_capacity, a, b,
                     single_contact(records, a, b, kinds[i], margin, h));
    }
}

/* Stores the entries of pairs list[m], whose points begin at firsts[list[m]]; slot_of: of each pair with
 * several points; counts: points of each pair. */
kernel void contacts_store(global const body_record *records, global const int *pair_a,
                           global const int *pair_b, global const uint *list, global const uint *totals,
                           const uint pair_capacity, const uint point_capacity, const uint slot_capacity,
                           global const float4 *slots, global const uint *slot_of, global const uint *counts,
                           global const uint *firsts, const float margin, const float h,
                           global contact_head *heads, global float4 *places, global uint *features) {
    const tile_range range = range_of_group(min(totals[CONTACTS_PAIRS], pair_capacity), TILE_GROUP);
    FOR_RANGE(m, range) {
        const uint i = list[m], first = firsts[i];
        const int a = pair_a[i], b = pair_b[i];
        const uint kind = pair_kind(record_kind(records, a), record_kind(records, b));
        if (kind == PAIR_BALLS || kind == PAIR_BALL_PLANE) {
            store_single(heads, m, places, features, first, point_capacity, a, b,
                         single_contact(records, a, b, kind, margin, h));
            continue;
        }
        const uint count = counts[i], slot = slot_of[i];
        if (slot >= slot_capacity) continue;
        global const float4 *from = slots + CONTACT_SLOT_WORDS * (ulong)slot;
        global const uint *of = (global const uint *)(from + 5);
        heads[m] = head_of(a, b, count, first, xyz(from[0]));
        for (uint k = 0; k < count && first + k < point_capacity; k++)
            places[first + k] = from[1 + k], features[first + k] = of[k];
    }
}

/* -- Matching --------------------------------------------------------------------------- */

/* Compares entries by (a, b, image). */
SHARED int is_before(const contact_head one, const contact_head other) {
    if (one.a != other.a) return one.a < other.a;
    if (one.b != other.b) return one.b < other.b;
    return head_image(one) < head_image(other);
}

SHARED int is_same(const contact_head one, const contact_head other) {
    return one.a == other.a && one.b == other.b && head_image(one) == head_image(other);
}

/* Returns the first of n sorted entries that is not before `of`. */
SHARED uint entry_of(global const contact_head *heads, const uint n, const contact_head of) {
    uint low = 0, high = n;
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if (is_before(heads[middle], of))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

SHARED point_features features_at(global const uint *features, const contact_head head) {
    point_features out;
    out.count = head_count(head);
    for (int k = 0; k < MANIFOLD_POINTS; k++) out.at[k] = k < out.count ? features[head.first + k] : 0;
    return out;
}

SHARED point_places places_at(global const float4 *places, const contact_head head) {
    point_places out;
    for (int k = 0; k < MANIFOLD_POINTS; k++)
        out.at[k] = k < head_count(head) ? xyz(places[head.first + k]) : glms_vec3_zero();
    return out;
}

SHARED contact_load load_with(contact_load load, global const float4 *impulses, global const contact_row *rows,
                              const contact_head head) {
    for (int k = 0; k < head_count(head); k++)
        load = contact_load_with(load, xyz(impulses[head.first + k]), head.normal, rows[head.first + k].bias);
    return load;
}

/* Copies what acted at the sources of an entry's points. */
SHARED void take_sources(const scalar_bits sources, const contact_head now, const contact_head old,
                         global const float4 *old_impulses, global const contact_row *old_rows,
                         global const float4 *old_torques, const int resists, global float4 *impulses,
                         global contact_row *rows, global float4 *torques) {
    for (int i = 0; i < head_count(now); i++) {
        const int k = match_source(sources, i);
        if (k < 0) continue;
        impulses[now.first + i] = old_impulses[old.first + k];
        rows[now.first + i] = old_rows[old.first + k];
        if (resists) torques[now.first + i] = old_torques[old.first + k];
    }
}

SHARED void clear_actions(const contact_head now, const int resists, global float4 *impulses,
                          global contact_row *rows, global float4 *torques) {
    contact_row none;
    none.bias = none.compliance = 0;
    for (int i = 0; i < head_count(now); i++) {
        impulses[now.first + i] = (float4)(0), rows[now.first + i] = none;
        if (resists) torques[now.first + i] = (float4)(0);
    }
}

/* Gives each entry what acted at its points in the last step, its load and its colour. Bodies that are gone
 * pass on nothing. Does nothing if an entry or a point does not fit. */
kernel void contacts_match(global contact_head *heads, global contact_tag *tags, global const float4 *places,
                           global const uint *features, global const uint *totals, const uint pair_capacity,
                           const uint point_capacity, const uint slot_capacity, global float4 *impulses,
                           global contact_row *rows, global float4 *torques, const int resists,
                           global const contact_head *old_heads, global const contact_tag *old_tags,
                           global const float4 *old_places, global const uint *old_features,
                           global const uint *old_totals, global const float4 *old_impulses,
                           global const contact_row *old_rows, global const float4 *old_torques,
                           global const char *old_colours, global const uchar *gone, const int any_gone) {
    const uint n = old_totals[CONTACTS_PAIRS], total = totals[CONTACTS_PAIRS];
    const int fits = total <= pair_capacity && totals[CONTACTS_POINTS] <= point_capacity &&
                     totals[CONTACTS_SLOTS] <= slot_capacity;
    const tile_range range = range_of_group(fits ? total : 0, TILE_GROUP);
    FOR_RANGE(m, range) {
        const contact_head now = heads[m];
        contact_tag tag;
        tag.children = 0, tag.bits = tag_bits(-1, 0);
        clear_actions(now, resists, impulses, rows, torques);
        const uint first = any_gone && (gone[now.a] | gone[now.b]) ? n : entry_of(old_heads, n, now);
        uint end = first, taken = 0, own = n;
        contact_load load = contact_load_none();
        const point_features of = features_at(features, now);
        for (; end < n && is_same(old_heads[end], now); end++) {
            const contact_head old = old_heads[end];
            load = load_with(load, old_impulses, old_rows, old);
            if (old_tags[end].children != 0) continue;
            if (own == n) own = end;
            const uint sources = match_features(of, features_at(old_features, old), 0);
            take_sources(sources, now, old, old_impulses, old_rows, old_torques, resists, impulses, rows,
                         torques);
            taken |= sources;
        }
        for (uint i = own; i < end && match_count(taken) < of.count; i++) {
            const contact_tag old_tag = old_tags[i];
            if (old_tag.children != 0 || old_tag.bits & TAG_PREDICTED) continue;
            const contact_head old = old_heads[i];
            const uint sources = match_nearest(of, places_at(places, now), features_at(old_features, old),
                                               places_at(old_places, old), taken);
            take_sources(sources, now, old, old_impulses, old_rows, old_torques, resists, impulses, rows,
                         torques);
            taken |= sources;
        }
        if (end > first) {
            tag.bits = tag_bits(old_colours[first], match_count(taken));
            heads[m].load = contact_load_value(load);
        }
        tags[m] = tag;
    }
}

/* -- Skims ------------------------------------------------------------------------------ */

/* Writes the pairs of bodies list[k] that pass each other, each with its image and children, 0. */
kernel void contacts_skims(global const int *pair_a, global const int *pair_b, global const uint *list,
                           global const uint *totals, global int4 *pairs) {
    const tile_range range = range_of_group(totals[CONTACTS_SKIMS], TILE_GROUP);
    FOR_RANGE(k, range) pairs[k] = (int4)(pair_a[list[k]], pair_b[list[k]], 0, 0);
}
