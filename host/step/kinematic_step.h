/* Kinematic groups during a step. */
#pragma once

#include "world.h"

/* Fills scratch.bodies, the bodies of the step: those of the state, with the velocities that bring the bodies
 * of kinematic groups to their prescribed poses at the end of the step. Errors: MEMORY. */
scree_result kinematic_step_begin(step_context *step);
/* Sets the velocities of these bodies for part number `part` of `parts` of the step. Their places follow
 * chords: with one of the whole step, friction would have to turn a load by its whole angle within the first
 * substep. */
void kinematic_step_part(const step_context *step, int part, int parts, body_velocity *velocities);
/* Writes the prescribed end poses of these bodies to the world's next poses. */
void kinematic_step_set_end_poses(step_context *step);
