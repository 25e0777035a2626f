/* Whether what the parts of a step begin with is better than nothing. */
#ifndef SCREE_SIMULATION_START_H
#define SCREE_SIMULATION_START_H

#include "constraint/assembly.h"
#include "constraint/problem.h"

struct body_impulse;

/* Of each slot: the first one of its island, V*, what the start does to the body, and of the island's f(r)
 * what is counted to it, J; at an island's first slot the sum of these. */
typedef struct start_room {
    int island_capacity, free_capacity, action_capacity, share_capacity, sum_capacity;
    _Atomic int *islands;
    body_velocity *free;
    struct body_impulse *actions;
    double *shares, *sums;
} start_room;

/* Finds the islands of a step's problem: bodies that contacts and joints connect by bodies that move. Errors:
 * MEMORY. */
scree_result start_begin(start_room *self, const problem *p, int threads, int *regrown);
/* Takes from each island its start impulses (p->impulses) where they are worse than none; `from` says what
 * the problem is filled from. */
void start_weigh(start_room *self, problem *p, const assembly *from, int threads);
void start_release(start_room *self);

#endif
