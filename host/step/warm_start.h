/* Scales back impulses of islands, before or after a solve, that would add energy. */
#pragma once

#include "rows/problem_input.h"
#include "rows/problem.h"

struct body_impulse;
struct start_energy;

/* Per slot: the first slot of the island, V*, the sum of impulses on the body, and the terms ½ r·A r and q·r
 * that it adds to the island's energy. `sums` holds the sum of these at an island's first slot. */
typedef struct warm_start_scratch {
    int island_capacity, free_capacity, action_capacity, energy_capacity, sum_capacity;
    int *islands;
    body_velocity *own_free;   /* used unless the problem has V* */
    const body_velocity *free; /* own_free, or those of the problem */
    struct body_impulse *actions;
    struct start_energy *energies, *sums;
    scratch_arena own_scratch; /* of the test for an excess, unless the problem has one */
} warm_start_scratch;

/* Finds the islands of a step's problem: sets of dynamic bodies connected by contacts and joints. Errors:
 * MEMORY. */
scree_result warm_start_begin(warm_start_scratch *self, const problem *p, int threads, int *regrown);
/* Clears the warm start (p->impulses) of each island for which it is worse than none. `from`: assembly of the
 * problem. */
void warm_start_choose(warm_start_scratch *self, problem *p, const problem_input *from, int threads);
/* Tests, from the energy of the bodies, whether a solve may have ended with impulses in some island larger
 * than those that stop its bodies. `from` as above. The result does not depend on the number of threads, and
 * is that of opencl_excess_find. Errors: MEMORY. */
scree_result warm_start_find_excess(warm_start_scratch *self, const problem *p, const problem_input *from,
                                    int threads, bool *suspected, int *regrown);
/* Scales the impulses (p->impulses) of such islands to their energy minimum. Returns false if there are none.
 * Call after warm_start_begin. */
bool warm_start_scale(warm_start_scratch *self, problem *p, const problem_input *from, int threads);
void warm_start_release(warm_start_scratch *self);
