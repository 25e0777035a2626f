/* Connected components of blocks: sets of blocks that act on each other directly or through others.
 * Components do not influence each other. */
#pragma once

#include "delassus.h"

typedef struct components {
    int count;
    int *first; /* rows of component c: rows[first[c] … first[c + 1]) */
    int *rows;  /* ascending within a component; components in the order of their first rows */
} components;

/* Finds the connected components of A; entries that are all zero do not connect. Errors: MEMORY. */
scree_result components_find(components *self, const delassus *a);
void components_release(components *self);
