/* The contact problem of one step as arrays: bodies, blocks in colour order, and incidence. */
#pragma once

#include "joint_forest.h"
#include "joint_systems.h"
#include "pairs.h"

#include "base/memory.h"
#include "survey.h"

/* Those of the options, and further ones of joints (joint_colours.c). */
enum { PROBLEM_COLOURS = 32 + FURTHER_COLOURS };

/* Sizes of arrays. */
typedef enum problem_size {
    OF_BODIES,
    OF_BLOCKS,
    OF_OWN_BLOCKS,
    OF_ROWS,
    OF_JOINTS,
    OF_GROUPS,
    OF_SPLITS, /* as OF_FIRSTS to OF_REMAINDER, filled by problem_index */
    OF_FIRSTS,
    OF_INCIDENCE,
    OF_REMAINDER,
    PROBLEM_SIZES
} problem_size;

/* Bodies are indexed by slot. The blocks of a group are consecutive, and so are the groups of a colour. The
 * blocks of a group act between its two bodies, source by source (fill.h). After assembly only the solution
 * changes: velocities, impulses, and the corrections of blocks and rows (displacement.h). */
typedef struct problem {
    /* Whether a device has the blocks, impulses, groups, incidence and pairs; the host has their numbers and
     * colours (backend_operations.assemble), and those arrays of joints alone (linked_rows.h). */
    bool away;
    int linked; /* then: pairs with joints */
    scalar time_step;
    int mass_exponent; /* masses and impulses are in units of 2^mass_exponent kg (mass_unit.h) */
    scalar kilograms;  /* of the unit */
    bool rebounds;     /* a contact bounces (normal_row.h) */
    scalar smallest;   /* half size of the smallest movable body, m; infinite if there is none */
    /* Velocity that gravity, or the forces on most bodies, add in the step, m/s. */
    scalar drive_speed;

    /* One more than the number of bodies if a joint holds something to the world: the last is the immovable
     * ground. */
    int body_count;
    body_mobility *mobility;      /* M⁻¹, filled by predict */
    body_split *splits;           /* split counts, filled with the incidence */
    body_velocity *free_velocity; /* V*, filled by predict */
    bool predicted;               /* whether predict has filled it on the host (free_velocity_of, motion.h) */
    body_velocity *velocity;      /* V, the solution */
    body_velocity *pseudo_velocity; /* the position pass of `split`; zero otherwise */

    int block_count;
    /* In own_blocks, or in memory of the backend (`fetch` in backend.h). NULL: the backend fills them as it
     * solves (`place_blocks`), or keeps them in its own layout. */
    constraint_block *blocks;
    constraint_block *own_blocks; /* NULL until problem_own_blocks */
    int row_count;
    bounded_rows *rows; /* of bounded blocks */
    int system_count;   /* joints that are solved as systems (joint_systems.h), or 0 */
    int *row_systems;   /* of each of `rows`: number of its system plus 1, or SYSTEM_NONE, SYSTEM_CONTINUED */
    system_place *places;
    joint_system *systems;          /* of the current pass */
    block_impulse *impulses;        /* warm start before the solve, solution after it */
    block_impulse *pseudo_impulses; /* of the position pass of `split` */

    constraint_pairs pairs;
    int group_count;
    block_group *groups;
    int *pair_group;  /* of each of `pairs` */
    int colour_count; /* without the uncoloured remainder */
    /* Groups of colour c: colour_first[c] up to colour_first[c + 1]. Those of the uncoloured remainder start
     * at colour_first[colour_count]. */
    int colour_first[PROBLEM_COLOURS + 2];
    int remainder_first;  /* first block of the uncoloured remainder, or block_count */
    int remainder_points; /* contacts of the remainder; set only where the problem is away */

    /* Blocks of each movable body: incidence[incidence_first[body] … incidence_first[body + 1]), as 2 block +
     * side, side 1 for body_b, ascending. Static and kinematic bodies have none. Filled by problem_index. */
    int *incidence_first, *incidence;

    /* Movable bodies of the uncoloured remainder, ascending: the bodies whose velocities its update changes.
     */
    int remainder_body_count;
    int *remainder_bodies;

    /* Scratch of the solve, which other stages use between solves; may be null. */
    scratch_arena *scratch;

    joint_forest forest; /* empty unless joints are solved directly */
    bool crowded; /* many joints at one body are left to the sweeps, and momentum needs symmetric ones */

    int capacities[PROBLEM_SIZES]; /* of the arrays of each size */
} problem;

/* Assembly has three stages, each of which needs those before it: the order of the blocks, their memory, and
 * the blocks. Their results do not depend on the number of threads.
 *
 * Orders the blocks: pairs, colours (kept from the last step), groups. Errors: MEMORY, CAPACITY. */
scree_result problem_arrange(problem *self, const problem_input *from, int threads, int *regrown);
/* Sets time_step, smallest, drive_speed, mass_exponent and kilograms. */
void problem_take_unit(problem *self, scalar smallest, survey_unit unit, scalar time_step);
/* Fills colour_count and colour_first; firsts[c]: the first group of colour c, for 0 ≤ c ≤ limit (the
 * uncoloured remainder); firsts[limit + 1]: the number of groups. */
void problem_take_colours(problem *self, const int *firsts, int limit);
/* Fills groups, pair_group, colour_count, colour_first and remainder_first from the colours of self->pairs (0
 * … limit − 1, `limit` for the uncoloured remainder) and the block counts of the sources, and stores the
 * colours in the contacts. Within a colour, groups keep the order of the pairs; unused colours are left out.
 * The arrays have space for pairs.count groups. The result does not depend on the number of threads. */
void groups_sort(problem *self, const problem_input *from, int limit, int threads);
/* Puts the blocks into memory of the problem's own, with undefined contents. Errors: MEMORY. */
scree_result problem_own_blocks(problem *self, int *regrown);
/* Fills the blocks, if there is memory for them, and rows: frames, arms, stabilisation bias, restitution from
 * the velocities before the step and from the change that `motion` and the loads make, warm start in block
 * frames; and the trees of joints. Errors: MEMORY. */
scree_result problem_fill(problem *self, const problem_input *from, int threads, int *regrown);
/* Grows the arrays of a size. Errors: MEMORY. */
scree_result problem_reserve(problem *self, problem_size of, int count, int *regrown);
/* Does all three, in memory of the problem's own, and problem_index. Errors: MEMORY, CAPACITY. */
scree_result problem_assemble(problem *self, const problem_input *from, int threads, int *regrown);
/* Fills incidence_first, incidence, remainder_bodies and the bodies' split counts from the groups. Bodies
 * without mass have no entries and split count 1. The result does not depend on the number of threads.
 * Errors: MEMORY, CAPACITY. */
scree_result problem_index(problem *self, const body_array *bodies, int threads, int *regrown);
/* Sets the warm start of blocks to zero. */
void problem_clear_starts(problem *self, slice blocks);
/* Fills the blocks of the groups [groups.first, groups.end) alone, and their warm start. Those of the first
 * group are written to `at`; self->blocks then is the array of which that is a part. Adds to self->rebounds.
 */
void problem_fill_groups(problem *self, const problem_input *from, slice groups, constraint_block *at,
                         int threads);
/* Recomputes blocks and warm start for bodies that have moved (problem_input.collided), in the existing
 * order. */
void problem_refill(problem *self, const problem_input *from, int threads);
/* Turns an assembled problem into that of a relax sweep (`substep`, normal_row.h). */
void problem_relax(problem *self, int threads);
/* Impulses to write back. Those of a whole step and of the sum of its substeps differ in all three. */
typedef struct problem_solution {
    const block_impulse *impulses; /* of each block, in its frame and the problem's unit of mass */
    const vec3s *on_b; /* of each block, on body_b in world axes, N s; NULL: follows from impulses */
    scalar time_step;  /* in which the impulses acted, s */
} problem_solution;
/* Returns the solution that the last solve left in the problem. */
problem_solution problem_solved(const problem *self);
/* Sets `crowded`, once the trees are built. */
void problem_take_crowd(problem *self);
/* Writes a solution back to the contacts and joints of the assembly. */
void problem_scatter(const problem *self, const problem_input *from, problem_solution solution, int threads);
/* Sets mobility and free velocity of the ground, if it exists, to zero. Called by `predict`. */
void problem_clear_ground(problem *self, const body_array *bodies);
/* Checks colours, groups and incidence. Returns SCREE_ERROR_ARGUMENT with a message if one is invalid. For
 * debug builds and tests. */
scree_result problem_validate(const problem *self, const body_array *bodies);
/* Makes a deep copy of a problem with blocks and incidence; reuses the arrays of `self`. Errors: MEMORY. */
scree_result problem_copy(problem *self, const problem *from);
void problem_release(problem *self);
