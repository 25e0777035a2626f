/* Gauges of a checkpoint. */
#pragma once

#include <scree/state.h>

/* Errors: MEMORY, those of the sink. */
scree_result checkpoint_save_measurements(const scree_world *world, const scree_state_sink *sink);
/* Creates the gauges in a world that has its bodies and materials. Errors: FORMAT (with a message), MEMORY,
 * those of the source. */
scree_result checkpoint_load_measurements(const scree_state_source *source, scree_world *world);
