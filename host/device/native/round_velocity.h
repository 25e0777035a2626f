/* Velocities of a solve that also store the mobility of a round body: a sweep loads them anyway. */
#pragma once

#include "layout.h"

/* Returns a velocity with the first number of each part of M⁻¹ in its reserved members; these two numbers are
 * the whole mobility of a round body (velocity_pushed). */
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

/* Returns the velocity with zeros in the reserved members. */
SHARED body_velocity velocity_alone(body_velocity velocity) {
    velocity.reserved = velocity.reserved_angular = scalar_of(0);
    return velocity;
}
