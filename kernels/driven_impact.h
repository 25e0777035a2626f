/* Impacts that another impact of the same step causes (host/rows/deferred_impact.c): which contacts wait for
 * the next step. */
#ifndef SCREE_KERNELS_DRIVEN_IMPACT_H
#define SCREE_KERNELS_DRIVEN_IMPACT_H

#include "contact_block.h"

#if SCREE_WIDTH == 1

/* A contact that rebounds itself is deferred if the speed at which others drive it exceeds its own approach
 * by this factor, so that the sign of an approach by rounding decides nothing. Otherwise both impacts are
 * simultaneous. With a factor of 1 an elastic gas (test_rest.c) loses 0.15 % of its energy instead of 0.003
 * %.
 */
#define IMPACT_OWN_APPROACH 100

/* A point with the impulse on b that a solve left there, and the bias of its row. */
typedef struct impact_point {
    vec3s normal, arm_a, arm_b, impulse;
    scalar bias;
} impact_point;

/* Velocities of two bodies. */
typedef struct impact_velocities {
    body_velocity a, b;
} impact_velocities;

/* Two bodies alone: their mobilities, and their velocities before the step. */
typedef struct impact_bodies {
    body_mobility a, b;
    impact_velocities before;
} impact_bodies;

SHARED int impact_rebounds(impact_point at) {
    return at.bias < 0 && glms_vec3_dot(at.impulse, at.normal) > 0;
}

SHARED scalar impact_closing(impact_point at, impact_velocities v) {
    return glms_vec3_dot(at.normal, glms_vec3_sub(velocity_at(v.a, at.arm_a), velocity_at(v.b, at.arm_b)));
}

/* Returns a body's velocity after an impulse at an arm. */
SHARED body_velocity impact_struck(body_velocity v, body_mobility mobility, vec3s arm, vec3s impulse) {
    return velocity_after(v, mobility, impulse, glms_vec3_cross(arm, impulse));
}

/* Returns the velocity that a normal impulse of 1 N s gives to a contact, 1/kg. */
SHARED scalar impact_mobility(impact_point at, impact_bodies of) {
    body_velocity rest;
    rest.linear = rest.angular = glms_vec3_zero(), rest.reserved = rest.reserved_angular = 0;
    impact_velocities after;
    after.a = impact_struck(rest, of.a, at.arm_a, glms_vec3_negate(at.normal));
    after.b = impact_struck(rest, of.b, at.arm_b, at.normal);
    return -impact_closing(at, after);
}

/* Returns the impulse on b by which two bodies alone would rebound, N s: without loads, and without the
 * bodies that they touch. */
SHARED vec3s impact_rebound(impact_point at, impact_bodies of) {
    const scalar change = impact_closing(at, of.before) - at.bias,
                 most = glms_vec3_dot(at.impulse, at.normal),
                 alone = scalar_max(change, 0) / impact_mobility(at, of);
    return glms_vec3_scale(at.normal, scalar_min(most, alone));
}

/* Whether an impact waits for the next step, and the bias of its row then. */
typedef struct impact_wait {
    int waits;
    scalar bias;
} impact_wait;

/* Returns whether the rebounds of other pairs drive a point together. `struck`: velocities that all rebounds
 * of the step have given to its bodies; `others`: those of other pairs; `least`: a speed that must be
 * exceeded. */
SHARED impact_wait impact_deferred(impact_point at, impact_velocities before, impact_velocities struck,
                                   impact_velocities others, scalar least) {
    const int own_rebound = at.bias < 0;
    const scalar speed = own_rebound ? impact_closing(at, others) : impact_closing(at, struck),
                 approach = scalar_max(impact_closing(at, before), 0), own = own_rebound ? approach : 0;
    impact_wait out;
    out.waits = glms_vec3_dot(at.impulse, at.normal) > 0 && speed > least + IMPACT_OWN_APPROACH * own;
    out.bias = scalar_max(at.bias, speed + approach);
    return out;
}

#endif

#endif
