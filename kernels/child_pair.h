/* The contact of two children within a step, as detect/narrow_phase.c finds it. A file that includes this one
 * first defines child_points(first, second, hulls, reach, level): the contact points of two shapes, whose
 * kinds are in the order of kinds.h, with the normal from the first to the second; along the mean normals of
 * sides if `level`. */
#ifndef SCREE_KERNELS_CHILD_PAIR_H
#define SCREE_KERNELS_CHILD_PAIR_H

#include "hull_tables.h"
#include "sphere_points.h"
#include "child_shapes.h"
#include "contact_pairs.h"

#ifdef __OPENCL_VERSION__

/* -- Flights ---------------------------------------------------------------------------- */

/* Two shapes of which the second moves. */
typedef struct child_flight {
    placed_child a, b;
    hull_tables hulls;
    float reach; /* m */
} child_flight;

/* Returns the contact points, with the normal from a to b. */
CALLED manifold_points flight_points(child_flight of, int level) {
    const int turned = of.a.of.kind > of.b.of.kind;
    const placed_child first = turned ? of.b : of.a, second = turned ? of.a : of.b;
    manifold_points found = child_points(first, second, of.hulls, of.reach, level);
    if (turned) found.normal = glms_vec3_negate(found.normal);
    return found;
}

SHARED manifold_points flight_at(child_flight of, vec3s motion) {
    of.b.pose.position = glms_vec3_add(of.b.pose.position, motion);
    return flight_points(of, 0);
}

#define FLIGHT child_flight
#include "skimming.h"

/* -- Edges of surfaces ------------------------------------------------------------------ */

/* A shape that meets a triangle, with the tables of hulls. */
typedef struct edge_shape {
    placed_child of;
    hull_tables hulls;
} edge_shape;

SHARED manifold_points edge_over_plane(edge_shape shape, body_pose plane, scalar reach) {
    child_flight of;
    of.a.of = shape_sized(SHAPE_HALF_SPACE, glms_vec3_zero(), 0), of.a.pose = plane;
    of.a.arm = glms_vec3_zero();
    of.b = shape.of, of.hulls = shape.hulls, of.reach = reach;
    return flight_points(of, 0);
}

#define EDGE_SHAPE edge_shape
#include "mesh_edges.h"

/* -- Pairs ------------------------------------------------------------------------------ */

typedef struct child_pair {
    body_couple bodies;
    child_numbers at;
    child_flight flight;
    encounter motion;
    skimming_motion skims;
    float share;              /* of the motion that is b's */
    body_pose pose_a, pose_b; /* of the bodies */
} child_pair;

#define CHILD_PAIR_ARGUMENTS                                                                                 \
    global const body_record *records, PAIR_LISTS, global const int *item_numbers,                           \
        global const body_pose *poses, global const body_velocity *velocities,                               \
        global const body_mass *masses, CHILD_TABLES, LOOKUP hull_side *sides, const float margin,           \
        const float h
#define CHILD_PAIR_AT(i)                                                                                     \
    child_pair_of(records, PAIR_AT(i), item_numbers[i], poses, velocities, masses, tables, sides, margin, h)

SHARED vec3s child_velocity(global const body_velocity *velocities, const int slot, const vec3s arm) {
    return glms_vec3_cross(velocities[slot].angular, arm);
}

SHARED child_pair child_pair_of(global const body_record *records, const body_couple pair, const int number,
                                global const body_pose *poses, global const body_velocity *velocities,
                                global const body_mass *masses, const child_tables tables,
                                LOOKUP hull_side *sides, const float margin, const float h) {
    child_pair out;
    out.bodies = pair, out.at = children_of(tables, pair.b, number);
    out.pose_a = poses[pair.a], out.pose_b = poses[pair.b];
    out.pose_b.position = couple_moved(pair, out.pose_b.position);
    out.motion = encounter_of(records, pair, margin, h);
    out.flight.a = child_place(tables, pair.a, out.pose_a, out.at.a);
    out.flight.b = child_place(tables, pair.b, out.pose_b, out.at.b);
    out.flight.hulls.corners = tables.corners, out.flight.hulls.sides = sides;
    out.flight.reach = out.motion.reach;
    out.skims.velocity = glms_vec3_add(out.motion.velocity,
                                       glms_vec3_sub(child_velocity(velocities, pair.b, out.flight.b.arm),
                                                     child_velocity(velocities, pair.a, out.flight.a.arm)));
    out.skims.turning_speed = out.motion.turning_speed;
    out.skims.width = scalar_min(out.flight.a.of.width, out.flight.b.of.width);
    out.share = share_of_b(masses, pair);
    return out;
}

SHARED int is_kind(const placed_child of, const int kind) { return of.of.kind == kind; }

SHARED int has_kind(const child_pair of, const int kind) {
    return is_kind(of.flight.a, kind) || is_kind(of.flight.b, kind);
}

/* Returns the fraction of the motion of which points are moved back. Those of a ball stay on the other shape.
 */
SHARED float share_back(const child_pair of) {
    return is_kind(of.flight.a, SHAPE_SPHERE) ? 1 : is_kind(of.flight.b, SHAPE_SPHERE) ? 0 : of.share;
}

/* -- Impact ----------------------------------------------------------------------------- */

/* Contact points, and the motion after which they were found, m. */
typedef struct child_impact {
    manifold_points points;
    vec3s motion;
} child_impact;

SHARED child_impact child_impact_of(const manifold_points points, const vec3s motion) {
    child_impact out;
    out.points = points, out.motion = motion;
    return out;
}

/* Returns whether the time of impact decides (impact.c). */
SHARED int needs_time(const child_pair of, const manifold_points found, const float h) {
    const float gap = flight_gap(found);
    if (found.count == 0 || has_kind(of, SHAPE_HALF_SPACE) || !(gap > 0)) return 0;
    if (has_kind(of, SHAPE_SPHERE)) return 1;
    return has_kind(of, SHAPE_TRIANGLE) && gap < h * -glms_vec3_dot(found.normal, of.skims.velocity);
}

SHARED manifold_points balls_impact(const child_pair of, const float h) {
    ball a, b;
    a.centre = of.flight.a.pose.position, a.radius = of.flight.a.of.size.x;
    b.centre = of.flight.b.pose.position, b.radius = of.flight.b.of.size.x;
    return ball_points(ball_impact(a, b, of.skims.velocity, h, of.flight.reach));
}

/* Does what impact_manifold does. */
SHARED child_impact impact_of(const child_pair of, const float h) {
    if (is_kind(of.flight.a, SHAPE_SPHERE) && is_kind(of.flight.b, SHAPE_SPHERE))
        return child_impact_of(balls_impact(of, h), glms_vec3_zero());
    const manifold_points found = flight_points(of.flight, 1);
    if (!needs_time(of, found, h)) return child_impact_of(found, glms_vec3_zero());
    const flight_event event = flight_impact(of.flight, of.skims.velocity, h, of.skims.width, found);
    if (!(event.time > 0) || event.at.count == 0) return child_impact_of(found, glms_vec3_zero());
    const vec3s until = glms_vec3_scale(of.skims.velocity, event.time);
    if (has_kind(of, SHAPE_SPHERE))
        return child_impact_of(flight_back(event.at, until, share_back(of)), glms_vec3_zero());
    return child_impact_of(event.at, until);
}

/* -- Surfaces --------------------------------------------------------------------------- */

/* Returns the points of a triangle, or of another child, of body `slot` where neighbouring triangles take
 * precedence (child_contacts.c). `outward`: 1 if the normal points away from this body. */
SHARED manifold_points surface_settled(const child_tables tables, const int slot, const body_pose pose,
                                       const int child, const edge_shape other, const scalar outward,
                                       manifold_points touch) {
    const child_body body = tables.bodies[slot];
    const child_geometry geometry = tables.geometries[body.geometry];
    if (geometry.kind == SHAPE_SOLID && child == geometry.count - 1) return touch; /* the hull of a solid */
    edge_triangle at;
    at.of = surface_table(tables, body.geometry), at.triangle = child, at.scale = body.scale;
    at.pose = pose, at.outward = outward;
    edge_body of;
    of.kind = other.of.of.kind, of.half_width = other.of.of.width, of.radius = other.of.of.size.x;
    of.pose = other.of.pose;
    touch = mesh_edges_reduced(at, of, other, touch);
    const vec3s normal = rotate(pose.rotation, at.of.triangles[child].normal);
    if (geometry.kind == SHAPE_SOLID && outward * glms_vec3_dot(normal, touch.normal) < -0.99f)
        touch.count = 0;
    return touch;
}

/* Returns the points of two children, at the poses of their bodies, where neighbours do not take precedence.
 */
SHARED manifold_points neighbours_settled(const child_tables tables, const body_couple bodies,
                                          const child_numbers at, const child_flight of,
                                          const body_pose pose_a, const body_pose pose_b,
                                          manifold_points touch) {
    edge_shape a, b;
    a.of = of.a, b.of = of.b, a.hulls = b.hulls = of.hulls;
    if (touch.count > 0 && tables.bodies[bodies.a].surface)
        touch = surface_settled(tables, bodies.a, pose_a, at.a, b, 1, touch);
    if (touch.count > 0 && tables.bodies[bodies.b].surface)
        touch = surface_settled(tables, bodies.b, pose_b, at.b, a, -1, touch);
    return touch;
}

/* Returns what impact_of has found where neighbours do not take precedence, moved back. */
SHARED manifold_points pair_settled(const child_tables tables, child_pair of, child_impact found) {
    of.pose_b.position = glms_vec3_add(of.pose_b.position, found.motion);
    of.flight.b = child_place(tables, of.bodies.b, of.pose_b, of.at.b);
    return flight_back(
        neighbours_settled(tables, of.bodies, of.at, of.flight, of.pose_a, of.pose_b, found.points),
        found.motion, share_back(of));
}

/* -- Slots ------------------------------------------------------------------------------ */

SHARED slot_points closing_points(const child_pair of, const manifold_points points, const float h) {
    return slot_points_of(points, encounter_closing(of.motion, points.normal, h));
}

SHARED int any_closes(const slot_points of) {
    int any = 0;
    for (int k = 0; k < of.points.count; k++) any |= of.points.points[k].gap <= of.closing;
    return any;
}

/* Flags of an item: its bodies may pass each other; they do, or another child takes precedence. */
enum { ITEM_MAY_PASS = 1, ITEM_PASSES = 2 };

/* Stores the points of an item; `closes`: whether there were any before neighbours took precedence. Returns
 * their number. */
SHARED uint store_item(global float4 *slot, const slot_points found, const int stored, const int closes,
                       global uint *flag) {
    const uint count = slot_store(slot, found, stored);
    *flag = closes && count == 0 ? ITEM_PASSES : 0;
    return count;
}

#endif

#endif
