/* The contact problem of one step as arrays: bodies, blocks in colour order, and incidence. */
#pragma once

#include "joint_forest.h"
#include "pairs.h"

#include "base/memory.h"

enum { PROBLEM_COLOURS = 32 };

/* Bodies are indexed by slot. The blocks of a group are consecutive, and so are the groups of a colour. The
 * blocks of a group act between its two bodies, source by source (source.h). */
typedef struct problem {
    scalar time_step;
    bool rebounds;   /* a contact bounces (stabilisation.c) */
    scalar smallest; /* half size of the smallest movable body, m; infinite if there is none */
    scalar fastest;  /* largest linear speed of a movable body before the step, m/s */
    /* Velocity that gravity, or the forces on most bodies, add in the step, m/s. */
    scalar drive_speed;
    /* Smallest and largest e of movable bodies' masses, which lie in [2^e, 2^(e + 1)) kg; INT_MAX and INT_MIN
     * if there is none. */
    int lightest, heaviest;

    /* One more than the number of bodies if a joint holds something to the world: the last is the immovable
     * ground. */
    int body_count, body_capacity;
    body_mobility *mobility;        /* M⁻¹, filled by predict */
    body_split *shares;             /* split counts, filled by assembly */
    body_velocity *free_velocity;   /* V*, filled by predict */
    body_velocity *velocity;        /* V, the solution */
    body_velocity *pseudo_velocity; /* the position pass of `split`; zero otherwise */

    int block_count, block_capacity;
    constraint_block *blocks;
    /* While blocks lie in scratch memory (`lodged`), their permanent array stays reserved but untouched. A
     * solve that has packed the blocks does not read them again; `fetch` writes them back to scratch, where
     * they last until its next user. */
    bool lodged, packed;
    constraint_block *blocks_aside;
    int row_count, row_capacity;
    bounded_rows *rows;        /* of bounded blocks */
    block_diagonal *diagonals; /* A_cc of each block that the solve has not packed; filled by the solve */
    block_impulse *impulses;   /* warm start before the solve, solution after it */
    block_impulse *pseudo_impulses; /* of the position pass of `split` */

    constraint_pairs pairs;
    int group_count, group_capacity;
    block_group *groups;
    int *pair_group;  /* of each of `pairs` */
    int colour_count; /* without the uncoloured remainder */
    /* Groups of colour c: colour_first[c] up to colour_first[c + 1]. Those of the uncoloured remainder start
     * at colour_first[colour_count]. */
    int colour_first[PROBLEM_COLOURS + 2];
    int remainder_first; /* first block of the uncoloured remainder, or block_count */

    /* Blocks of each movable body: incidence[incidence_first[body] … incidence_first[body + 1]), as 2 block +
     * side, side 1 for body_b, ascending. Static and kinematic bodies have none. */
    bool indexed; /* incidence and split counts are valid */
    int incidence_capacity, incidence_first_capacity;
    int *incidence_first, *incidence;

    /* Movable bodies of the uncoloured remainder, ascending: the bodies whose velocities its update changes.
     */
    int remainder_body_count, remainder_body_capacity;
    int *remainder_bodies;

    /* Scratch of the solve, which other stages use between solves; may be null. */
    scratch_arena *scratch;

    joint_forest forest; /* empty unless joints are solved directly */
} problem;

/* Assembles the blocks: pairs, colours (kept from the last step), order, frames, arms, stabilisation bias,
 * restitution from the velocities before the step and from the change that `motion` and the loads make, warm
 * start in block frames, incidence and split counts. The result does not depend on the number of threads.
 * Errors: MEMORY, CAPACITY. */
scree_result problem_assemble(problem *self, const problem_input *from, int threads, int *regrown);
/* Builds incidence and split counts unless they are valid. Errors: MEMORY, CAPACITY. */
scree_result problem_index(problem *self, const body_array *bodies, int threads, int *regrown);
/* Must be called before another stage uses the scratch memory. Drops blocks that lie there and have not been
 * packed: the problem then has no blocks. */
void problem_leave_scratch(problem *self);
/* Moves blocks from scratch memory to their permanent array. */
void problem_settle(problem *self);
/* Switches a problem whose blocks were packed to the permanent array, which the caller must fill. */
void problem_take_aside(problem *self);
/* Recomputes blocks and warm start for bodies that have moved (assembly.collided), in the existing order. */
void problem_refill(problem *self, const problem_input *from, int threads);
/* Turns an assembled problem into that of a relax sweep (`substep`, stabilisation.c). */
void problem_relax(problem *self, int threads);
/* Impulses to write back. Those of a whole step and of the sum of its substeps differ in all three. */
typedef struct problem_solution {
    const block_impulse *impulses; /* of each block, in its frame, N s */
    const vec3s *on_b; /* of each block, on body_b in world axes, N s; NULL: follows from impulses */
    scalar time_step;  /* in which the impulses acted, s */
} problem_solution;
/* Returns the solution that the last solve left in the problem. */
problem_solution problem_solved(const problem *self);
/* Writes a solution back to the contacts and joints of the assembly. */
void problem_scatter(const problem *self, const problem_input *from, problem_solution solution, int threads);
/* Sets mobility and free velocity of the ground, if it exists, to zero. Called by `predict`. */
void problem_clear_ground(problem *self, const body_array *bodies);
/* Checks colours, groups and incidence. Returns SCREE_ERROR_ARGUMENT with a message if one is invalid. For
 * debug builds and tests. */
scree_result problem_validate(const problem *self, const body_array *bodies);
/* Makes a deep copy of a problem with incidence; reuses the arrays of `self`. Errors: MEMORY. */
scree_result problem_copy(problem *self, const problem *from);
void problem_release(problem *self);
