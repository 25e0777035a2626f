/* Pairs of bodies with contacts or joints: the input of groups, colours and incidence. */
#pragma once

#include "problem_input.h"

#include "base/memory.h"
#include "base/parallel.h"

/* Colours that joints may have in addition to those of the options. */
enum { FURTHER_COLOURS = 64 };

/* The body is dynamic; the contacts have rolling or spinning friction; joints hold the bodies (pairs_links).
 */
enum { PAIR_MOVES_A = 1, PAIR_MOVES_B = 2, PAIR_RESISTS = 4, PAIR_HELD = 8 };

/* Kept small so that loops over all pairs stay in the cache. */
typedef struct constraint_pair {
    int a, b;           /* slots, a < b */
    int contact;        /* first of its contact pairs; −1: no contact */
    short points;       /* number of its contact points */
    signed char colour; /* in the last step, or −1: none; then the result of the colouring */
    uint8_t flags;      /* PAIR_… */
} constraint_pair;
_Static_assert(sizeof(constraint_pair) == 16, "constraint_pair");

typedef struct constraint_pairs {
    int count, capacity, link_capacity;
    constraint_pair *items; /* sorted by (a, b) */
    slice *links;           /* of each pair in a step with joints: their links; valid where PAIR_HELD is set */
    int remainder;          /* colour of the uncoloured remainder; filled by the colouring */
    int joined, crowd; /* pairs with joints; the largest number of them at a movable body (joint_colours.c) */
    scratch_arena own_scratch,
        *scratch; /* scratch of the next four arrays, which the colouring fills; null: own_scratch */
    uint32_t *masks, *marks_of_others, *highest; /* of each slot */
    int *candidates;                             /* of the pairs */
} constraint_pairs;

/* Returns the links of the joints of pair i. */
static inline slice pairs_links(const constraint_pairs *self, int i) {
    return self->items[i].flags & PAIR_HELD ? self->links[i] : (slice){0, 0};
}

/* Collects the pairs with contacts or joints and numbers the joints' rows. b may be the ground, the slot
 * after all bodies. Errors: MEMORY. */
scree_result pairs_collect(constraint_pairs *self, const problem_input *from, int threads, int *regrown);
/* Reserves the colours that contacts keep for the next step. Errors: MEMORY. */
scree_result pairs_reserve_colours(const problem_input *from);
/* Stores the colours of the pairs from `first` up to `end` in their contacts. Threads may call it for
 * disjoint ranges. */
void pairs_keep_colours(const constraint_pairs *self, const problem_input *from, int first, int end);
/* Assigns every pair a colour in 0 … limit − 1, or `limit` for the uncoloured remainder. A pair keeps its
 * colour of the last step unless it clashes; other pairs take the smallest free colour. The result does not
 * depend on the number of threads. `bodies`: number of slots. Errors: MEMORY. */
scree_result colouring_update(constraint_pairs *pairs, int bodies, int limit, int threads);
/* Counts the pairs with joints, and those of each body in `counts`, of `bodies` slots. Returns whether one
 * has the colour `limit`. */
bool joint_colours_count(constraint_pairs *pairs, uint32_t *counts, int bodies, int limit);
/* Does so, and gives those without a colour one of FURTHER_COLOURS more, after which the uncoloured remainder
 * comes. Uses scratch of the colouring that it follows. */
void joint_colours_add(constraint_pairs *pairs, int bodies, int limit);
void pairs_release(constraint_pairs *self);
