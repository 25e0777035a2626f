/* Free motion and integration of one body, in double precision. */
#pragma once

#include "base/real3.h"

/* One body at the start of a step. */
typedef struct reference_body {
    body_pose pose;
    body_remainder remainder;
    body_velocity velocity;
    body_mass mass;
    body_load load;
} reference_body;

/* Returns M⁻¹ in world axes. */
body_mobility reference_mobility(reference_body body);
/* Returns V* = V + h M⁻¹ f. */
body_velocity reference_free_velocity(reference_body body, motion_parameters motion);
/* Returns the body with its pose and remainder after the step, from the solution V⁺ and the pseudo-velocity,
 * with an implicit gyroscopic term. */
reference_body reference_moved(reference_body body, body_velocity after, body_velocity pseudo,
                               double time_step);
/* Returns ω of a body that was at `pose` with the spin `omega` and has turned to the orientation `turned`.
 * The part of that rotation beyond its free motion carries the spin along. */
vec3s reference_spin_after(body_pose pose, vec3s omega, body_mass mass, versors turned, scalar time_step);
