/* Order of a problem: one group of blocks for each pair of bodies, sorted by colour. */
#pragma once

#include "problem.h"

/* Fills groups, pair_group, colour_count, colour_first and remainder_first from the colours of self->pairs (0
 * … limit − 1, `limit` for the uncoloured remainder) and the block counts of the sources, and stores the
 * colours in the contacts. Within a colour, groups keep the order of the pairs; unused colours are left out.
 * The arrays have space for pairs.count groups. The result does not depend on the number of threads. */
void groups_sort(problem *self, const problem_input *from, int limit, int threads);
