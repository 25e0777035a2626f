/* Which blocks act on which movable body, and into how many shares its mass is split. */
#ifndef SCREE_ROWS_INCIDENCE_H
#define SCREE_ROWS_INCIDENCE_H

#include "problem.h"

/* Fills incidence_first, incidence, remainder_bodies and the shares of bodies from the groups. Bodies with
 * mass count, others have no entries and share 1. The same for every number of threads. Errors: MEMORY,
 * CAPACITY.
 */
scree_result incidence_build(problem *self, const body_array *bodies, int threads, int *regrown);

#endif
