/* Inlets and outlets of a checkpoint. */
#ifndef SCREE_IO_CHECKPOINT_FLOWS_H
#define SCREE_IO_CHECKPOINT_FLOWS_H

#include "checkpoint_state.h"

/* See checkpoint_kinematic_groups.h. */
void checkpoint_count_flows(const flow_array *all, checkpoint_state *out);
void checkpoint_take_flows(const flow_array *all, const geometry_list *geometries, checkpoint_state *out);
scree_result checkpoint_give_flows(const checkpoint_state *self, scree_world *world);

#endif
