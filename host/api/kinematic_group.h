#pragma once

#include "step/world.h"

/* Fails if a kinematic group prescribes the body's motion, so that its state cannot be set. Errors: ARGUMENT.
 */
scree_result kinematic_group_check_free(const scree_world *world, int slot);
