/* Colours of pairs: no two pairs of a colour share a dynamic body. */
#pragma once

#include "pairs.h"

/* Assigns every pair a colour in 0 … limit − 1, or `limit` for the uncoloured remainder. A pair keeps its
 * colour of the last step unless it clashes; other pairs take the smallest free colour. The result does not
 * depend on the number of threads. `bodies`: number of slots. Errors: MEMORY. */
scree_result colouring_update(constraint_pairs *pairs, int bodies, int limit, int threads);
