/* Velocities of a solve, which say what impulses do to a round body: a sweep reads them anyway. */
#ifndef SCREE_DEVICE_NATIVE_ROUND_VELOCITY_H
#define SCREE_DEVICE_NATIVE_ROUND_VELOCITY_H

#include "layout.h"

/* A velocity with the first number of each kind of M⁻¹, which are all that a round body has
 * (velocity_pushed). */
SHARED body_velocity velocity_with_mobility(body_velocity velocity, body_mobility mobility) {
    velocity.reserved = mobility.inverse_mass.x;
    velocity.reserved_angular = mobility.diagonal.x;
    return velocity;
}

SHARED body_mobility mobility_of_round(body_velocity velocity) {
    body_mobility m;
    m.inverse_mass = vec3_of(velocity.reserved, scalar_of(0), scalar_of(0));
    m.diagonal = vec3_of(velocity.reserved_angular, scalar_of(0), scalar_of(0));
    m.off_diagonal = glms_vec3_zero();
    return m;
}

/* The velocity alone. */
SHARED body_velocity velocity_alone(body_velocity velocity) {
    velocity.reserved = velocity.reserved_angular = scalar_of(0);
    return velocity;
}

#endif
