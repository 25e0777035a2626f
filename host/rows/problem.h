/* The contact problem of one step as arrays: bodies, blocks in colour order, and who touches whom. */
#ifndef SCREE_ROWS_PROBLEM_H
#define SCREE_ROWS_PROBLEM_H

#include "joint_forest.h"
#include "pairs.h"

#include "base/memory.h"

enum { PROBLEM_COLOURS = 32 };

/* Bodies are indexed by slot. Blocks of a group are consecutive; groups of a colour are consecutive. A
 * group's blocks are what acts between its two bodies, source by source (source.h). */
typedef struct problem {
    scalar time_step;
    bool blind;         /* sweeps alone are asked for: the solve measures no residual */
    int least;          /* iterations that a solve makes at least */
    bool rebounds;      /* whether a contact is to leave at a speed of its own */
    scalar smallest;    /* half size of the smallest movable body, m; infinite: there is none */
    scalar fastest;     /* speed of the fastest one before the step, m/s */
    scalar drive_speed; /* what gravity, or the forces on most bodies, add to a velocity in the step, m/s */
    int lightest, heaviest; /* exponents of movable bodies' masses, which are from 2^e on; INT_MAX and
                               INT_MIN: there is none */

    int body_count, body_capacity;  /* where something is held by the world, one more than there are bodies:
                                       the last is the ground, which nothing moves */
    body_mobility *mobility;        /* M⁻¹, by predict */
    body_split *shares;             /* by assembly */
    body_velocity *free_velocity;   /* V*, by predict */
    body_velocity *velocity;        /* V, the solution */
    body_velocity *pseudo_velocity; /* the position pass of `split`; zero otherwise */

    int block_count, block_capacity;
    constraint_block *blocks;
    /* Where blocks lie in the room, their own array waits aside, and takes no memory as long as nobody writes
     * to it. A solve that has taken them over needs them no more and has packed them; `fetch` brings them to
     * the room again, until others use that. */
    bool lodged, packed;
    constraint_block *blocks_aside;
    int row_count, row_capacity;
    bounded_rows *rows;             /* of bounded blocks */
    block_diagonal *diagonals;      /* A_cc of each block, by the solve; not of those that it has packed */
    block_impulse *impulses;        /* start in, solution out */
    block_impulse *pseudo_impulses; /* the position pass of `split` */
    const vec3s
        *acted; /* what impulses did to body_b in all parts of a step, in world axes; null: impulses says */

    constraint_pairs pairs;
    int group_count, group_capacity;
    block_group *groups;
    int *pair_group;                       /* of each of `pairs` */
    int colour_count;                      /* colours in use, the tail not counted */
    int colour_first[PROBLEM_COLOURS + 2]; /* groups of colour c: [c], … [c + 1]); the tail: [colour_count], …
                                              [colour_count + 1]) */
    int remainder_first;                   /* first block of the tail; block_count if there is none */

    /* Blocks of each movable body: incidence[incidence_first[body] … incidence_first[body + 1]), as 2 block +
     * side, side 1 for body_b, ascending by block. Static and kinematic bodies have none. */
    bool indexed; /* they are there */
    int incidence_capacity, incidence_first_capacity;
    int *incidence_first, *incidence;

    /* The movable bodies of the tail's blocks, ascending: those whose velocities an update of the tail
     * changes. */
    int remainder_body_count, remainder_body_capacity;
    int *remainder_bodies;

    scratch_arena *scratch; /* that a solve may use, and others when none runs; null: there is none */

    joint_forest forest; /* without trees where joints are not solved directly */
} problem;

/* Assembles the blocks: pairs, colours (kept from the step before), order, frames, arms, bias by the
 * stabilisation, restitution from the velocities before the step and from what `motion` and the bodies' loads
 * do to them, start impulses in block frames, incidence and shares. Equal results for every number of
 * threads. Errors: MEMORY, CAPACITY. */
scree_result problem_assemble(problem *self, const problem_input *from, int threads, int *regrown);
/* Incidence and shares, unless they are there. Errors: MEMORY, CAPACITY. */
scree_result problem_index(problem *self, const body_array *bodies, int threads, int *regrown);
/* Before others use the room: blocks that no solve has packed are lost, and the problem has none. */
void problem_leave_scratch(problem *self);
/* Blocks in the room, which no solve has packed, move to their own array. */
void problem_settle(problem *self);
/* The blocks' own array in the place of the room: of a problem that has packed them, yet to be filled. */
void problem_take_aside(problem *self);
/* Fills blocks and start impulses anew for bodies that have moved on (assembly.collided), in the order that
 * there is.
 */
void problem_refill(problem *self, const problem_input *from, int threads);
/* Makes of an assembled problem that of a relax sweep (`substep`, stabilisation.c). */
void problem_relax(problem *self, int threads);
/* Writes the solution's impulses back to what the problem was assembled from. */
void problem_scatter(const problem *self, const problem_input *from, int threads);
/* Mobility and free velocity of the ground, if there is one: zero. For `predict`. */
void problem_clear_ground(problem *self, const body_array *bodies);
/* Colours clash, groups overlap, incidence wrong: SCREE_ERROR_ARGUMENT with a sentence. For debug builds and
 * tests. */
scree_result problem_validate(const problem *self, const body_array *bodies);
/* A deep copy of a problem with incidence: the same problem in arrays of its own (those of `self` are
 * reused). Errors: MEMORY. */
scree_result problem_copy(problem *self, const problem *from);
void problem_release(problem *self);

#endif
