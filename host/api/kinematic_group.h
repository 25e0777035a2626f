/* What a step does with assemblies. */
#ifndef SCREE_API_KINEMATIC_GROUP_H
#define SCREE_API_KINEMATIC_GROUP_H

#include "step/world.h"

/* Gives the bodies of assemblies the velocities that carry them to where they are at the end of the step;
 * undo gives them those that they had. */
void kinematic_group_step_begin(scree_world *world);
void kinematic_group_step_undo(scree_world *world);
/* Puts them there, among the poses of the step's end. */
void kinematic_group_step_place(scree_world *world);

/* Takes a body out of its assembly, if it is in one. */
void kinematic_group_leave(scree_world *world, int slot);
/* Refuses to set the state of a body that an assembly moves. Errors: ARGUMENT. */
scree_result kinematic_group_check_free(const scree_world *world, int slot);

#endif
