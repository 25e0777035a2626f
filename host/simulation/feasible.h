/* Whether a step that leaves bodies pressed into each other has a solution at all. */
#ifndef SCREE_SIMULATION_FEASIBLE_H
#define SCREE_SIMULATION_FEASIBLE_H

#include "world.h"

/* After a solve: where a large violation lasts, looks now and then for the proof that the step's problem has
 * no solution, and says so in `s`. Errors: as the backend's fetch; MEMORY. */
scree_result feasible_check(scree_world *world, scree_statistics *s);

#endif
