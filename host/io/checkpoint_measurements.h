/* Gauges of a checkpoint. */
#ifndef SCREE_IO_CHECKPOINT_MEASUREMENTS_H
#define SCREE_IO_CHECKPOINT_MEASUREMENTS_H

#include "checkpoint_state.h"
#include "measure/measurements.h"

/* See checkpoint_kinematic_groups.h. */
void checkpoint_count_measurements(const measurement_array *all, checkpoint_state *out);
void checkpoint_take_measurements(const measurement_array *all, checkpoint_state *out);
scree_result checkpoint_give_measurements(const checkpoint_state *self, scree_world *world);

#endif
