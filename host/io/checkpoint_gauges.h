/* The gauges of a checkpoint. */
#ifndef SCREE_IO_CHECKPOINT_GAUGES_H
#define SCREE_IO_CHECKPOINT_GAUGES_H

#include "checkpoint_state.h"

/* As in checkpoint_assemblies.h. */
void checkpoint_count_gauges(const gauge_array *all, checkpoint_state *out);
void checkpoint_take_gauges(const gauge_array *all, checkpoint_state *out);
scree_result checkpoint_give_gauges(const checkpoint_state *self, scree_world *world);

#endif
