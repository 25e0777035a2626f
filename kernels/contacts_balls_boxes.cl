/* Entry point of the narrow phase for balls with boxes: their contact at the time of impact. */
#include "contact_pairs.h"
#include "sphere_points.h"

/* A ball and a box, of which the second body moves. */
typedef struct ball_box_flight {
    float radius;
    vec3s centre, halves; /* m */
    body_pose box;
    int ball_first;
    float reach; /* m */
} ball_box_flight;

/* Returns the contact points, with the normal from the first body to the second. */
SHARED manifold_points ball_box_points(ball_box_flight of) {
    manifold_points found = sphere_box_points(of.radius, of.centre, of.halves, of.box, of.reach);
    if (!of.ball_first) found.normal = glms_vec3_negate(found.normal);
    return found;
}

/* Returns those after a motion of the second body. */
CALLED manifold_points flight_at(ball_box_flight of, vec3s motion) {
    if (of.ball_first)
        of.box.position = glms_vec3_add(of.box.position, motion);
    else
        of.centre = glms_vec3_add(of.centre, motion);
    return ball_box_points(of);
}

#define FLIGHT ball_box_flight
#include "straight_flight.h"

SHARED ball_box_flight ball_box_of(global const body_record *records, global const body_pose *poses,
                                   const body_couple pair, const float reach) {
    ball_box_flight out;
    out.ball_first = record_kind(records, pair.a) == RECORD_BALL;
    const int ball = out.ball_first ? pair.a : pair.b, box = out.ball_first ? pair.b : pair.a;
    out.centre = centre_at(records, ball), out.box = poses[box];
    if (out.ball_first)
        out.box.position = couple_moved(pair, out.box.position);
    else
        out.centre = couple_moved(pair, out.centre);
    out.radius = records[ball].halves[0];
    out.halves = xyz(record_word(records, box, 1));
    out.reach = reach;
    return out;
}

SHARED float width_at(global const body_record *records, const int at) {
    const float4 size = record_word(records, at, 1);
    return records[at].kind == RECORD_BALL ? size.x : scalar_min(size.x, scalar_min(size.y, size.z));
}

/* Returns the contact at the time of impact or of the closest approach if there is a gap, else at the start.
 * The point stays on the box. */
SHARED manifold_points ball_box_impact(const ball_box_flight of, const vec3s velocity, const float width,
                                       const float h) {
    const manifold_points found = ball_box_points(of);
    if (found.count == 0 || !(flight_gap(found) > 0)) return found;
    const flight_event event = flight_impact(of, velocity, h, width, found);
    if (!(event.time > 0) || event.at.count == 0) return found;
    return flight_back(event.at, glms_vec3_scale(velocity, event.time), of.ball_first ? 1 : 0);
}

/* Finds the points of balls with boxes, as contacts_points does. */
kernel void contacts_balls_boxes(global const body_record *records, PAIR_LISTS, global const body_pose *poses,
                                 global const uint *count, const uint count_at, const uint capacity,
                                 global const uint *kinds, global const uint *order, const float margin,
                                 const float h, const uint slot_capacity, global float4 *slots,
                                 global uint *places, global uint *counts) {
    const uint n = min(count[count_at], capacity), slot_begin = slots_begin(kinds, n),
               begin = lower_bound(kinds, slot_begin, n, PAIR_BALL_BOX),
               end = lower_bound(kinds, begin, n, PAIR_BALL_BOX + 1);
    const tile_range range = range_of_group(end - begin, TILE_GROUP);
    FOR_RANGE(j, range) {
        const uint i = order[begin + j], slot = begin + j - slot_begin;
        const body_couple pair = PAIR_AT(i);
        const encounter e = encounter_of(records, pair, margin, h);
        const float width = scalar_min(width_at(records, pair.a), width_at(records, pair.b));
        const manifold_points found =
            points_unmoved(ball_box_impact(ball_box_of(records, poses, pair, e.reach), e.velocity, width, h));
        places[i] = slot;
        counts[i] =
            slot_store(slots + CONTACT_SLOT_WORDS * (ulong)slot,
                       slot_points_of(found, encounter_closing(e, found.normal, h)), slot < slot_capacity);
    }
}
