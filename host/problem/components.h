/* Blocks that act on each other, directly or through others: what one component does, none of the others
 * sees.
 */
#ifndef SCREE_PROBLEM_COMPONENTS_H
#define SCREE_PROBLEM_COMPONENTS_H

#include "delassus.h"

typedef struct components {
    int count;
    int *first; /* rows of component c: rows[first[c] … first[c + 1]) */
    int *rows;  /* ascending within a component; components in the order of their first rows */
} components;

/* The connected components of A, of which entries that are all zero connect nothing. Errors: MEMORY. */
scree_result components_find(components *self, const delassus *a);
void components_release(components *self);

#endif
