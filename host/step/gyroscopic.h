/* Gyroscopic update of angular velocities (motion.h). */
#pragma once

#include "device/backend.h"

/* Advances the angular velocities, in place, from the bodies' poses, where the solve left them, to the poses
 * `after`, `time_step` (s) later. */
void gyroscopic_update(const backend *engine, const body_array *bodies, const body_pose *after,
                       scalar time_step, int threads, body_velocity *velocities);
