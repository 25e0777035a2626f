/* The end of a step whose bodies are on the host; away_commit is that of bodies on a device. */
#pragma once

#include "world.h"

/* Makes the poses, remainders and velocities of the step those of the bodies, and drops what held for it
 * alone. */
void body_commit(body_array *bodies, const step_scratch *scratch, int threads);
