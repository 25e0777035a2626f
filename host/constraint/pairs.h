/* The pairs of bodies between which something acts: what groups, colours and incidence are made from. */
#ifndef SCREE_CONSTRAINT_PAIRS_H
#define SCREE_CONSTRAINT_PAIRS_H

#include "assembly.h"

enum { PAIR_MOVES_A = 1, PAIR_MOVES_B = 2, PAIR_RESISTS = 4 };

/* 32 bytes, so that walks over all pairs stay in the cache. */
typedef struct constraint_pair {
    int a, b;                /* slots, a < b */
    int contact;             /* first of its contact pairs; −1: the bodies do not touch */
    short flags;             /* PAIR_MOVES_A, PAIR_MOVES_B: which of the bodies is dynamic; PAIR_RESISTS: its
                                contacts have rolling or spinning friction */
    short points;            /* of its contact pairs; 0: none */
    int last_colour;         /* in the step before; −1: none */
    int colour;              /* by the colouring */
    int first_joint, joints; /* links of the joints between them */
} constraint_pair;

typedef struct constraint_pairs {
    int count, capacity;
    constraint_pair *items; /* sorted by (a, b) */
    int mask_capacity, mark_capacity, candidate_capacity, spare_capacity;
    uint32_t *masks, *marks_of_others; /* of each slot, by the colouring */
    int *candidates, *spare;           /* of the pairs, likewise */
} constraint_pairs;

/* What touches and what joints hold; b may be the ground, the slot behind all bodies. Numbers the joints'
 * rows. Errors: MEMORY. */
scree_result pairs_collect(constraint_pairs *self, const assembly *from, int threads, int *regrown);
/* Gives the colours to the sources, which keep them for the next step. Errors: MEMORY. */
scree_result pairs_keep_colours(const constraint_pairs *self, const assembly *from, int threads);
void pairs_release(constraint_pairs *self);

#endif
