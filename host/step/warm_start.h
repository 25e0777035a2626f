/* Whether the impulses that a solve begins with, or ends at, are better than none. */
#ifndef SCREE_STEP_WARM_START_H
#define SCREE_STEP_WARM_START_H

#include "rows/problem_input.h"
#include "rows/problem.h"

struct body_impulse;

/* Two parts of an energy, J. */
typedef struct warm_start_energy {
    double kinetic, driven;
} warm_start_energy;

/* Of each slot: the first one of its island, V*, what impulses do to the body, and what is counted to it of
 * its island's energy, ½ r·A r and q·r; at an island's first slot the sum of these. */
typedef struct warm_start_scratch {
    int island_capacity, free_capacity, action_capacity, share_capacity, sum_capacity;
    _Atomic int *islands;
    body_velocity *free;
    struct body_impulse *actions;
    warm_start_energy *shares, *sums;
} warm_start_scratch;

/* Finds the islands of a step's problem: bodies that contacts and joints connect by bodies that move. Errors:
 * MEMORY. */
scree_result warm_start_begin(warm_start_scratch *self, const problem *p, int threads, int *regrown);
/* Takes from each island its start impulses (p->impulses) where they are worse than none; `from` says what
 * the problem is filled from. */
void warm_start_choose(warm_start_scratch *self, problem *p, const problem_input *from, int threads);
/* Whether a solve of the problem may have ended with more of some island's impulses than what they are there
 * to stop, by the energy of its bodies. `from` as above. Errors: MEMORY. */
scree_result warm_start_find_excess(warm_start_scratch *self, const problem *p, const problem_input *from,
                                    int threads, bool *suspected, int *regrown);
/* Makes the impulses (p->impulses) of islands of which that is so as much smaller as is best for them; false:
 * there are none. Behind warm_start_find_excess. */
bool warm_start_scale(warm_start_scratch *self, problem *p, const problem_input *from, int threads);
void warm_start_release(warm_start_scratch *self);

#endif
