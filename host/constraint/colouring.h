/* Colours for pairs: no two pairs of a colour share a dynamic body. */
#ifndef SCREE_CONSTRAINT_COLOURING_H
#define SCREE_CONSTRAINT_COLOURING_H

#include "collide/contacts.h"

/* Gives every pair of `contacts` its colour (contacts->colours) in 0 … limit − 1, or `limit` for the tail.
 * Colours from the last step are kept where they do not clash; the others get the smallest one free, in the
 * order of the pairs, so that equal inputs give equal colours. Errors: MEMORY. */
scree_result colouring_update(contact_set *contacts, const body_array *bodies, int limit);

#endif
