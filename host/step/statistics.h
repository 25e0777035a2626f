/* The figures of a step that come from the world's state: counts, penetration, energies, momenta. */
#ifndef SCREE_STEP_STATISTICS_H
#define SCREE_STEP_STATISTICS_H

#include "world.h"

/* Fills everything in `s` but pairs, the solve report, the verification and the timing. Sums are made in slot
 * order in double, so they do not depend on threads. */
void statistics_fill(const scree_world *world, scree_statistics *s);

#endif
