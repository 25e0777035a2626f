/* Kinematic groups of a stored state. */
#pragma once

#include "state_rows.h"

/* These count the rows that kinematic groups take, fill the rows, and create kinematic groups from rows in a
 * world that has its bodies. Errors: FORMAT (with a message), MEMORY. */
void state_count_kinematic_groups(const kinematic_group_array *all, const int *group_numbers,
                                  state_rows *out);
void state_take_kinematic_groups(const kinematic_group_array *all, const int *group_numbers, state_rows *out);
scree_result state_give_kinematic_groups(const state_rows *self, scree_world *world);
