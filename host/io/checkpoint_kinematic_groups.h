/* Assemblies of a checkpoint. */
#ifndef SCREE_IO_CHECKPOINT_KINEMATIC_GROUPS_H
#define SCREE_IO_CHECKPOINT_KINEMATIC_GROUPS_H

#include "checkpoint_state.h"

/* These count the rows that assemblies take, fill the rows, and create assemblies from rows in a world
 * that has its bodies. Errors: FORMAT (with a message), MEMORY. */
void checkpoint_count_kinematic_groups(const kinematic_group_array *all, checkpoint_state *out);
void checkpoint_take_kinematic_groups(const kinematic_group_array *all, checkpoint_state *out);
scree_result checkpoint_give_kinematic_groups(const checkpoint_state *self, scree_world *world);

#endif
