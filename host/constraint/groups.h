/* The order of a problem: one group of blocks for each touching pair, sorted by colour. */
#ifndef SCREE_CONSTRAINT_GROUPS_H
#define SCREE_CONSTRAINT_GROUPS_H

#include "problem.h"

/* Fills groups, group_pair, colour_count, colour_first and tail_first from the pairs' colours (0 … limit − 1,
 * `limit` for the tail). Within a colour, groups keep the order of the pairs; colours that no pair has are
 * left out. The arrays have room for contacts->count groups. */
void groups_sort(problem *self, const contact_set *contacts, const body_array *bodies,
                 const material_table *materials, int limit);

#endif
