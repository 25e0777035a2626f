/* The pairs of bodies between which something acts: what groups, colours and incidence are made from. */
#ifndef SCREE_ROWS_PAIRS_H
#define SCREE_ROWS_PAIRS_H

#include "problem_input.h"

#include "base/memory.h"

enum { PAIR_MOVES_A = 1, PAIR_MOVES_B = 2, PAIR_RESISTS = 4 };

/* Small, so that walks over all pairs stay in the cache. */
typedef struct constraint_pair {
    int a, b;                /* slots, a < b */
    int contact;             /* first of its contact pairs; −1: the bodies do not touch */
    int first_joint;         /* of the links of the joints between them */
    short points;            /* of its contact pairs; 0: none */
    signed char last_colour; /* in the step before; −1: none */
    signed char colour;      /* by the colouring */
    unsigned joints : 29;    /* how many links */
    unsigned flags : 3;      /* PAIR_MOVES_A, PAIR_MOVES_B: which of the bodies is dynamic; PAIR_RESISTS: its
                                contacts have rolling or spinning friction */
} constraint_pair;
_Static_assert(sizeof(constraint_pair) == 24, "constraint_pair");

typedef struct constraint_pairs {
    int count, capacity;
    constraint_pair *items; /* sorted by (a, b) */
    scratch_arena own_scratch,
        *scratch; /* of the next four, that others use too when all have colours; null: its own */
    uint32_t *masks, *marks_of_others; /* of each slot, by the colouring */
    int *candidates, *spare;           /* of the pairs, likewise */
} constraint_pairs;

/* What touches and what joints hold; b may be the ground, the slot behind all bodies. Numbers the joints'
 * rows. Errors: MEMORY. */
scree_result pairs_collect(constraint_pairs *self, const problem_input *from, int threads, int *regrown);
/* Room for the colours that the sources keep for the next step. Errors: MEMORY. */
scree_result pairs_reserve_colours(const problem_input *from);
/* Gives them those of the pairs from `first` on; for others at the same time. */
void pairs_keep_colours(const constraint_pairs *self, const problem_input *from, int first, int end);
void pairs_release(constraint_pairs *self);

#endif
