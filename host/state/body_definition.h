/* Definition of bodies: checks and mass properties. */
#pragma once

#include "bodies.h"

/* Checks every field but the material. Errors: ARGUMENT. */
scree_result body_check_def(const scree_body_def *def);
scree_result body_check_state(const scree_body_state *state);
/* Computes the mass properties of a dynamic body; all zero for other bodies. Errors: ARGUMENT (outside single
 * precision). */
scree_result body_mass_of(const scree_body_def *def, float density, body_mass *out);
body_pose body_pose_in(const scree_body_state *state);
body_velocity body_velocity_in(const scree_body_state *state);
/* Rejects states that leave the range of single precision within a step without contacts; computes the free
 * motion as the step does. A step that failed on such a state would fail again each time. Errors: ARGUMENT.
 */
scree_result body_check_motion(motion_parameters motion, body_pose pose, body_velocity velocity,
                               body_mass mass, body_load load);
