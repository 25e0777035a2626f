/* Free motion and integration of one body, in double precision. */
#ifndef SCREE_REFERENCE_REFERENCE_MOTION_H
#define SCREE_REFERENCE_REFERENCE_MOTION_H

#include "base/real3.h"

/* One body at the start of a step. */
typedef struct reference_body {
    body_pose pose;
    body_velocity velocity;
    body_mass mass;
    body_load load;
} reference_body;

/* M⁻¹ in world axes. */
body_mobility reference_mobility(reference_body body);
/* V* = V + h M⁻¹ f, the gyroscopic term implicit. */
body_velocity reference_free_velocity(reference_body body, motion_parameters motion);
/* The pose after the step from the free velocity V*, the solution V⁺ and the pseudo-velocity. */
body_pose reference_pose_after(reference_body body, body_velocity free_velocity, body_velocity after,
                               body_velocity pseudo, double time_step);

#endif
