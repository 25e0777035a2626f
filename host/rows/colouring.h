/* Colours for pairs: no two pairs of a colour share a dynamic body. */
#ifndef SCREE_ROWS_COLOURING_H
#define SCREE_ROWS_COLOURING_H

#include "pairs.h"

/* Gives every pair its colour in 0 … limit − 1, or `limit` for the tail. Colours from the last step are kept
 * where they do not clash; the others get the smallest one free. Equal inputs give equal colours, whatever
 * the number of threads. `bodies`: slots there are. Errors: MEMORY. */
scree_result colouring_update(constraint_pairs *pairs, int bodies, int limit, int threads);

#endif
