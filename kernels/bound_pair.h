/* Bodies that cohesion holds together: when a contact is cohesive, where that of two balls is, the arms of
 * its force, and what returns their angular momentum. host/rows/cohesion.c and held_pair.c have the loops of
 * the host, cohesion.cl those of a device. */
#ifndef SCREE_KERNELS_BOUND_PAIR_H
#define SCREE_KERNELS_BOUND_PAIR_H

#include "motion.h"
#include "rotation.h"

#if SCREE_WIDTH == 1

/* Returns how far the gap of a contact may be from that at the start of the step, m: the gap c of a row is
 * linearised about the closest approach, with the gap c' there. As |c − c'| ≤ |s| for the motion s until
 * then, of two steps at most, the gap at the start is at most c + 2 |s|. */
SHARED scalar cohesion_way(vec3s velocity_a, vec3s velocity_b, scalar time_step) {
    return 4 * time_step * glms_vec3_norm(glms_vec3_sub(velocity_b, velocity_a));
}

/* Marks of a contact: a bit for each point that touches, and above these for each that does if the bodies are
 * within the distance of their cohesion at the start of the step. */
enum { TOUCH_BITS = 4, TOUCH_ALL = (1 << TOUCH_BITS) - 1 };

/* Words of cohesion on a device: entries with a force; entries, or 0 if contacts did not fit into their set.
 */
enum { COHESION_LISTED, COHESION_ENTRIES, COHESION_WORDS };

/* -- Balls ------------------------------------------------------------------------------ */

/* Two balls that cohesion holds together in this step. */
typedef struct held_balls {
    vec3s centre;  /* of a, m */
    vec3s between; /* from there to the centre of b, m */
    scalar distance, radius_a, radii;
    int near; /* whether the balls are at most the smaller radius from touching, on either side */
} held_balls;

SHARED held_balls held_balls_of(vec3s centre_a, scalar radius_a, vec3s centre_b, scalar radius_b) {
    held_balls out;
    out.centre = centre_a, out.between = glms_vec3_sub(centre_b, centre_a);
    out.distance = glms_vec3_norm(out.between);
    out.radius_a = radius_a, out.radii = radius_a + radius_b;
    out.near = scalar_abs(out.distance - out.radii) <= scalar_min(radius_a, radius_b);
    return out;
}

/* Returns v, turned as the unit vector `from` turns to `to` about the axis normal to both. */
SHARED vec3s turned_with(vec3s from, vec3s to, vec3s v) {
    const vec3s axis = glms_vec3_cross(from, to);
    return rotate(rotation_normalised(versor_of(axis.x, axis.y, axis.z, 1 + glms_vec3_dot(from, to))), v);
}

/* Impulses along another line than that between the centres have a moment on the pair. With the normal of the
 * start of the step, substeps take 12 to 40 % of the angular momentum in a second; with that of the closest
 * approach, which detection finds, agglomerates change it by 10 %. Balls that pass each other keep the
 * normal, which is then far from that line: beyond the half turn at which bends begin to end
 * (bound_bend.h). */
#define COS_PASSING ((scalar)0.968f) /* cos(0.5 rad/2) */

/* The contact of such balls. */
typedef struct held_contact {
    vec3s normal, impulse, position;
    scalar gap;
} held_contact;

/* Returns the contact at the balls' places, from its normal and impulse before. */
SHARED held_contact held_contact_of(held_balls balls, vec3s normal, vec3s impulse) {
    held_contact out;
    out.normal = normal, out.impulse = impulse;
    if (balls.near && glms_vec3_dot(balls.between, normal) > COS_PASSING * balls.distance) {
        out.normal = glms_vec3_scale(balls.between, 1 / balls.distance);
        out.impulse = turned_with(normal, out.normal, impulse);
    }
    out.gap = glms_vec3_dot(out.normal, balls.between) - balls.radii;
    out.position =
        glms_vec3_add(balls.centre, glms_vec3_scale(out.normal, balls.radius_a + (scalar)0.5 * out.gap));
    return out;
}

/* -- Arms ------------------------------------------------------------------------------- */

typedef struct joined_arms {
    vec3s a, b;
} joined_arms;

/* Returns arms that end midway between the ends of those given. `between`: from the centre of a to that of b;
 * `on_b`: whether that of b is exact to rounding, else that of a. */
SHARED joined_arms arms_joined(vec3s normal, vec3s between, int on_b, vec3s arm_a, vec3s arm_b) {
    const vec3s apart = glms_vec3_add(between, glms_vec3_sub(arm_b, arm_a)),
                midway = glms_vec3_scale(normal, glms_vec3_dot(normal, apart) / 2);
    joined_arms out;
    if (on_b) {
        out.b = glms_vec3_sub(arm_b, midway);
        out.a = glms_vec3_add(between, out.b);
        return out;
    }
    out.a = glms_vec3_add(arm_a, midway);
    out.b = glms_vec3_sub(out.a, between);
    return out;
}

/* -- Settling --------------------------------------------------------------------------- */

/* Pushes of the position pass move the centres of two bodies along the normal. If they turn about each other
 * at the relative velocity v, that changes their angular momentum by h p n × v, for the push p. Returns the
 * impulse on the centre of b that takes the change back. */
SHARED vec3s settling_impulse(vec3s normal, vec3s between, vec3s relative, scalar push, scalar time_step) {
    const vec3s change = glms_vec3_scale(glms_vec3_cross(normal, relative), time_step * push);
    return glms_vec3_scale(glms_vec3_cross(between, change), 1 / glms_vec3_norm2(between));
}

#endif

#endif
