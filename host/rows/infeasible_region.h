/* A subset of the contacts of a problem, as a problem of its own. */
#pragma once

#include "problem.h"

/* `subproblem` has blocks, mobilities, free velocities and incidence, but not what only a solve needs. */
typedef struct patch {
    problem subproblem;
    bool whole; /* no connected contact was left out */

    int origin_capacity, body_capacity, place_capacity, taken_capacity;
    int *origin; /* of each block of the subproblem, its index in the problem */
    int *bodies; /* of each body of the subproblem, its slot */

    /* All zero between calls. */
    int *place;     /* of each slot, 1 + its body in the subproblem */
    uint8_t *taken; /* of each block of the problem */
} patch;

/* Selects up to `most` contacts nearest to contact `seed` in the contact graph: the seed, contacts that share
 * a movable body with it, and so on. Errors: MEMORY. */
scree_result infeasible_region_around(patch *self, const problem *p, int seed, int most);
void infeasible_region_release(patch *self);
