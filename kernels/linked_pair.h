/* Pairs of bodies with joints, as the arrangement on a device reads them. */
#ifndef SCREE_KERNELS_LINKED_PAIR_H
#define SCREE_KERNELS_LINKED_PAIR_H

#include "dialect.h"

/* The joints between two bodies; pairs are sorted by their slots. */
typedef struct linked_pair {
    unsigned int a, b; /* pair_ends.h */
    int blocks;        /* of the joints */
    int last_colour;   /* of the joints in the last step; negative: none */
} WORDS linked_pair;

/* Where the arrangement has put the blocks of such a pair. */
typedef struct linked_place {
    int first_block, colour;
} linked_place;

#if SCREE_WIDTH == 1
STATIC_ASSERT(sizeof(linked_pair) == 16, "linked_pair");
STATIC_ASSERT(sizeof(linked_place) == 8, "linked_place");
#endif

#endif
