/* The end of a step whose bodies are on the host; away_commit is that of bodies on a device. */
#pragma once

#include "world.h"

/* Copies the poses, remainders and velocities of the step to the bodies, and removes the loads and marks that
 * held for this step only. */
void body_commit(body_array *bodies, const step_scratch *scratch, int threads);
