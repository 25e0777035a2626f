/* Kinematic groups during a step. */
#pragma once

#include "world.h"

/* Fills scratch.bodies, the bodies of the step: those of the state, with the velocities that bring the bodies
 * of kinematic groups to their prescribed poses at the end of the step. Errors: MEMORY. */
scree_result kinematic_step_begin(step_context *step);
/* Writes the prescribed end poses of these bodies to the world's next poses. */
void kinematic_step_set_end_poses(step_context *step);
