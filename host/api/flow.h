#pragma once

#include "step/flow.h"

/* Checks an item read from a file. Errors: ARGUMENT. */
scree_result flow_validate(const scree_world *world, const flow_item *item);
