/* The memory that a scene needs, before it starts. */
#pragma once

#include <scree/scree.h>

#include <stdio.h>

/* Prints a line to `out` (may be NULL). `seconds`: in which inlets add grains. Errors: MEMORY and
 * DEVICE_MEMORY if the steps of `worlds` such worlds at once are expected to need more than the machine or
 * the device has; those of scree_world_prepare. */
scree_result memory_tell(scree_world *world, double seconds, int worlds, FILE *out);
