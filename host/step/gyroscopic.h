/* What spins become while bodies turn (motion.h). */
#ifndef SCREE_STEP_GYROSCOPIC_H
#define SCREE_STEP_GYROSCOPIC_H

#include "device/backend.h"

/* From the velocities that a solve left to bodies at their poses to those that they have at the poses after
 * it, `time_step` (s) later, in place. */
void gyroscopic_update(const backend *engine, const body_array *bodies, const body_pose *after,
                       scalar time_step, int threads, body_velocity *velocities);

#endif
