/* Step statistics from the world's state: counts, penetration, energies, momenta. */
#pragma once

#include "world.h"

/* Fills all of `s` except pairs, the solve report, the verification and the timing. Sums are made in double,
 * in an order that does not depend on the number of threads. */
void statistics_fill(const scree_world *world, scree_statistics *s);
