/* Assemblies during a step. */
#pragma once

#include "step/world.h"

/* Sets the velocities of assemblies' bodies to those that reach their prescribed poses at the end of the
 * step. `undo` restores their previous velocities. */
void kinematic_group_step_begin(scree_world *world);
void kinematic_group_step_undo(scree_world *world);
/* Writes the prescribed end poses of these bodies to the world's next poses. */
void kinematic_group_step_place(scree_world *world);

/* Removes a body from its assembly, if it is in one. */
void kinematic_group_leave(scree_world *world, int slot);
/* Fails if an assembly prescribes the body's motion, so that its state cannot be set. Errors: ARGUMENT. */
scree_result kinematic_group_check_free(const scree_world *world, int slot);
