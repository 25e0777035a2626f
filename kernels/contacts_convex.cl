/* Entry points of the narrow phase for convex shapes with each other, with balls and boxes, and with
 * half-spaces: detect/manifold.c, impact.c and skimming.c for a pair. Normals, gaps and points are found in
 * double precision (convex.h), motions in single precision. */
#include "double_begin.h"

#include "convex.h"

#include "double_end.h"

#include "bound_pair.h"
#include "contact_pairs.h"
#include "convex_singled.h"
#include "row_layout.h"

/* -- Shapes ----------------------------------------------------------------------------- */

/* A shape at its place. */
typedef struct placed_shape {
    convex_shape of;
    body_pose pose;
} placed_shape;

SHARED manifold_points points_turned(int turned, manifold_points found) {
    if (turned) found.normal = glms_vec3_negate(found.normal);
    return found;
}

/* Returns the contact points of two convex shapes, with the normal from a to b. */
CALLED manifold_points shapes_points(placed_shape a, placed_shape b, hull_tables tables, float reach,
                                     int level) {
    const int turned = a.of.kind > b.of.kind;
    const placed_shape first = turned ? b : a, second = turned ? a : b;
    return points_turned(
        turned, convex_points_found(first.of, first.pose, second.of, second.pose, tables, reach, level));
}

/* Returns the contact points of a convex shape with a half-space, with the normal from the shape. */
CALLED manifold_points shape_plane_points(placed_shape a, placed_shape plane, hull_tables tables,
                                          float reach) {
    return convex_plane_points(a.of, a.pose, plane.pose, tables, reach);
}

/* -- Flights ---------------------------------------------------------------------------- */

/* Two shapes of which the second moves. */
typedef struct shapes_flight {
    placed_shape a, b;
    hull_tables tables;
    float reach; /* m */
} shapes_flight;

SHARED manifold_points flight_at(shapes_flight of, vec3s motion) {
    of.b.pose.position = glms_vec3_add(of.b.pose.position, motion);
    return shapes_points(of.a, of.b, of.tables, of.reach, 0);
}

#define FLIGHT shapes_flight
#include "skimming.h"

/* A pair of convex shapes within the step. */
typedef struct shapes_pair {
    shapes_flight flight;
    encounter motion;
    skimming_motion skims;
    float share; /* of the motion that is b's */
} shapes_pair;

SHARED placed_shape placed_at(global const convex_shape *shapes, global const body_pose *poses,
                              const int at) {
    placed_shape out;
    out.of = shapes[at], out.pose = poses[at];
    return out;
}

SHARED int is_ball(placed_shape of) { return of.of.kind == SHAPE_SPHERE; }
SHARED int is_polyhedron(placed_shape of) { return of.of.kind == SHAPE_HULL || of.of.kind == SHAPE_BOX; }
SHARED int flies(shapes_pair of) { return is_ball(of.flight.a) || is_ball(of.flight.b); }

/* Returns the contact points at the start. */
SHARED manifold_points pair_points(shapes_pair of) {
    const shapes_flight at = of.flight;
    return shapes_points(at.a, at.b, at.tables, at.reach, is_polyhedron(at.a) && is_polyhedron(at.b));
}

/* Returns the contact of a ball at the time of impact, or of the closest approach. */
SHARED manifold_points pair_impact(shapes_pair of, manifold_points found, float h) {
    const flight_event event = flight_impact(of.flight, of.motion.velocity, h, of.skims.width, found);
    if (!(event.time > 0) || event.at.count == 0) return found;
    return flight_back(event.at, glms_vec3_scale(of.motion.velocity, event.time),
                       is_ball(of.flight.a) ? 1 : 0);
}

/* Returns the contact points, those of a ball with a gap at the time of impact. */
SHARED manifold_points pair_found(shapes_pair of, float h) {
    const manifold_points found = pair_points(of);
    const int early = flies(of) && found.count > 0 && flight_gap(found) > 0;
    return points_unmoved(early ? pair_impact(of, found, h) : found);
}

SHARED manifold_points pair_examined(shapes_pair of, manifold_points found, float h) {
    shapes_flight flight = of.flight;
    flight.reach = skimming_reach(of.skims, h);
    return skimming_examine(flight, found, of.skims, of.share, h);
}

/* -- Entry points ----------------------------------------------------------------------- */

#define SHAPES_ARGUMENTS                                                                                     \
    global const body_record *records, PAIR_LISTS, global const body_pose *poses,                            \
        global const convex_shape *shapes, LOOKUP hull_corner *corners, LOOKUP hull_side *sides,             \
        const float margin, const float h
#define SHAPES_PAIR_OF(pair) shapes_pair_of(records, pair, poses, shapes, corners, sides, margin, h)

SHARED shapes_pair shapes_pair_of(global const body_record *records, const body_couple pair,
                                  global const body_pose *poses, global const convex_shape *shapes,
                                  LOOKUP hull_corner *corners, LOOKUP hull_side *sides, const float margin,
                                  const float h) {
    shapes_pair out;
    out.motion = encounter_of(records, pair, margin, h);
    out.flight.a = placed_at(shapes, poses, pair.a), out.flight.b = placed_at(shapes, poses, pair.b);
    out.flight.b.pose.position = couple_moved(pair, out.flight.b.pose.position);
    out.flight.tables.corners = corners, out.flight.tables.sides = sides;
    out.flight.reach = out.motion.reach;
    out.skims.velocity = out.motion.velocity, out.skims.turning_speed = out.motion.turning_speed;
    out.skims.width = scalar_min(out.flight.a.of.width, out.flight.b.of.width);
    out.share = 0;
    return out;
}

SHARED slot_points plane_found(shapes_pair of, const int turned, const float h) {
    const shapes_flight at = of.flight;
    const manifold_points found = points_unmoved(points_turned(
        turned, shape_plane_points(turned ? at.b : at.a, turned ? at.a : at.b, at.tables, at.reach)));
    return slot_points_of(found, encounter_closing(of.motion, found.normal, h));
}

/* Finds the points of the kinds of convex shapes, as contacts_points does. */
kernel void contacts_convex(SHAPES_ARGUMENTS, global const uint *count, const uint count_at,
                            const uint capacity, global const uint *kinds, global const uint *order,
                            const uint slot_capacity, global float4 *slots, global uint *places,
                            global uint *counts, global uint *examined, global uint *totals) {
    const uint n = min(count[count_at], capacity), slot_begin = slots_begin(kinds, n),
               begin = lower_bound(kinds, slot_begin, n, PAIR_CONVEX_PLANE),
               end = lower_bound(kinds, begin, n, PAIR_CHILD);
    const tile_range range = range_of_group(end - begin, (uint)get_local_size(0));
    if (get_global_id(0) == 0) totals[CONTACTS_SLOTS] = n - slot_begin;
    FOR_RANGE(j, range) {
        const uint i = order[begin + j], slot = begin + j - slot_begin;
        const body_couple pair = PAIR_AT(i);
        const shapes_pair of = SHAPES_PAIR_OF(pair);
        slot_points found;
        if (kinds[begin + j] == PAIR_CONVEX_PLANE) {
            found = plane_found(of, record_kind(records, pair.a) == RECORD_HALF_SPACE, h);
        } else {
            const manifold_points points = pair_found(of, h);
            found = slot_points_of(points, encounter_closing(of.motion, points.normal, h));
            examined[i] = !flies(of) && skimming_possible(of.skims, points.normal, points.points,
                                                          points.count, points.mean != 0, h);
        }
        places[i] = slot;
        counts[i] = slot_store(slots + CONTACT_SLOT_WORDS * (ulong)slot, found, slot < slot_capacity);
    }
}

/* Finds the points again of the pairs list[k] of other shapes than two boxes, as contacts_examine does. */
kernel void contacts_convex_examine(SHAPES_ARGUMENTS, global const body_mass *masses, global const uint *list,
                                    global const uint *totals, const uint slot_capacity, global float4 *slots,
                                    global const uint *places, global uint *counts, global uint *examined) {
    const tile_range range = range_of_group(totals[CONTACTS_EXAMINED], (uint)get_local_size(0));
    FOR_RANGE(k, range) {
        const uint i = list[k], slot = places[i];
        const body_couple pair = PAIR_AT(i);
        const int a = record_kind(records, pair.a), b = record_kind(records, pair.b);
        if ((a == RECORD_BOX && b == RECORD_BOX) || a == RECORD_OTHER || b == RECORD_OTHER) continue;
        shapes_pair of = SHAPES_PAIR_OF(pair);
        of.share = share_of_b(masses, pair);
        const manifold_points points = pair_examined(of, pair_found(of, h), h);
        const slot_points found = slot_points_of(points, encounter_closing(of.motion, points.normal, h));
        counts[i] = slot_store(slots + CONTACT_SLOT_WORDS * (ulong)slot, found, slot < slot_capacity);
        examined[i] = points.count == 0;
    }
}

/* Completes the marks of cohesion.cl (touch_marks) of the bodies without children that it cannot test: their open marks
 * touch if the bodies are within the distance of their cohesion at the start of the step. */
kernel void cohesion_near(global const contact_head *heads, global const uint *words,
                          global const row_body *constants, global const row_material *materials,
                          const int material_count, const vec3s period, global const body_pose *poses,
                          global const convex_shape *shapes, LOOKUP hull_corner *corners, LOOKUP hull_side *sides,
                          global uint *marks) {
    const tile_range range = range_of_group(words[COHESION_ENTRIES], (uint)get_local_size(0));
    hull_tables tables;
    tables.corners = corners, tables.sides = sides;
    FOR_RANGE(i, range) {
        const uint open = marks[i] >> TOUCH_BITS;
        if (!open) continue;
        const contact_head head = heads[i];
        const scalar distance =
            materials[row_material_of(constants[head.a]) * material_count + row_material_of(constants[head.b])]
                .cohesion_distance;
        const placed_shape a = placed_at(shapes, poses, head.a);
        placed_shape b = placed_at(shapes, poses, head.b);
        b.pose.position = image_position(b.pose.position, head_image(head), period);
        const int plane_a = a.of.kind == SHAPE_HALF_SPACE, plane = plane_a || b.of.kind == SHAPE_HALF_SPACE;
        const manifold_points found = plane ? shape_plane_points(plane_a ? b : a, plane_a ? a : b, tables, distance)
                                            : shapes_points(a, b, tables, distance, 0);
        marks[i] = (marks[i] & TOUCH_ALL) | (found.count > 0 ? open : 0);
    }
}
