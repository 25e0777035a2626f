/* Blocks that act on each movable body, and the split counts of bodies. */
#pragma once

#include "problem.h"

/* Fills incidence_first, incidence, remainder_bodies and the bodies' split counts from the groups. Bodies
 * without mass have no entries and split count 1. The result does not depend on the number of threads.
 * Errors: MEMORY, CAPACITY. */
scree_result incidence_build(problem *self, const body_array *bodies, int threads, int *regrown);
