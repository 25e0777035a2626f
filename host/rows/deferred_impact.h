/* Impacts that another impact of the same step causes. */
#pragma once

#include "problem_input.h"

typedef struct deferred_impact {
    int capacity;
    body_velocity *struck; /* of each body: the velocity that rebounds of the step have given it */
} deferred_impact;

/* Marks the contacts that rebounds of the step have closed (contact_pair.deferred), from the impulses that
 * the contacts hold after a solve, and returns the number of new marks. Only schemes with a position pass
 * defer impacts. Errors: MEMORY. */
scree_result deferred_impact_mark(deferred_impact *self, const problem_input *from, int threads, int *marked,
                                  int *regrown);
void deferred_impact_release(deferred_impact *self);
