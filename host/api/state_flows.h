/* Inlets and outlets of a stored state. */
#pragma once

#include "state_rows.h"

/* See state_kinematic_groups.h. */
void state_count_flows(const flow_array *all, state_rows *out);
void state_take_flows(const flow_array *all, const geometry_list *geometries, state_rows *out);
scree_result state_give_flows(const state_rows *self, scree_world *world);
