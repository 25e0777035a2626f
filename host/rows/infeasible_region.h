/* A few contacts of a problem, as a problem of their own. */
#ifndef SCREE_ROWS_INFEASIBLE_REGION_H
#define SCREE_ROWS_INFEASIBLE_REGION_H

#include "problem.h"

/* Blocks, mobilities, free velocities and incidence; what only a solve needs is missing. */
typedef struct patch {
    problem part;
    bool whole; /* nothing that hangs together with it was left out */

    int origin_capacity, body_capacity, place_capacity, taken_capacity;
    int *origin; /* of each block of the part, its number in the problem */
    int *bodies; /* of each body of the part, its slot */

    /* All zero between calls. */
    int *place;     /* of each slot, 1 + its body of the part */
    uint8_t *taken; /* of each block of the problem */
} patch;

/* The `most` contacts that are nearest to contact `seed`: itself, those that share a movable body with it,
 * and so on. Errors: MEMORY. */
scree_result infeasible_region_around(patch *self, const problem *p, int seed, int most);
void infeasible_region_release(patch *self);

#endif
