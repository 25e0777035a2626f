/* Operations on batches at one width. Each width is compiled to objects of its own, and the processor's
 * features decide which are used. */
#pragma once

#include "batch.h"
#include "layout.h"

enum { BATCH_MOVES = 1, BATCH_ROUND = 2 };
/* Marks of a block: A_cc = diag(a, t, t); both arms are exactly a length times n and −n. */
enum { MARK_ISOTROPIC = 1, MARK_ALONG = 2 };

/* Blocks, bodies and groups of a problem as floats, and results made from them. */
typedef struct wide_source {
    const float *blocks;         /* constraint_block of each block */
    const float *mobility;       /* body_mobility of each body */
    const unsigned char *bodies; /* BATCH_MOVES and BATCH_ROUND of each body */
    unsigned char *marks;        /* MARK_… of each block; NULL: not kept */
    const block_group *groups;
    float *diagonals; /* block_diagonal of each block; NULL: not kept, so batches recompute theirs */
    float *fields;
} wide_source;

/* Arguments of a sweep over batches [first, last) of one colour. With `momentum`, `before` is the iterate r
 * and `impulses` the one before it, r_old: a point starts at y = r + β (r − r_old), overwrites r_old with its
 * new impulse, and writes its term of the restart test (nesterov.h). */
typedef struct wide_job {
    const batch *items;
    float *fields;
    float *impulses, *before; /* block_impulse of each block, as floats */
    float *uphill;            /* of each block: term of the restart test */
    float *velocities;        /* body_velocity of each body, with its mobility if it is round
                                 (round_velocity.h) */
    const float *mobility;    /* body_mobility of each body */
    solve_parameters parameters;
    bool far; /* batches come from memory and are prefetched (wide_ahead.h) */
    bool momentum;
    float extrapolation; /* β */
    /* Used by the residual and the sums over bodies. */
    const float *kept; /* impulses that the change is measured against; NULL: none */
    const float *free_velocities;
    float *residuals;         /* of each block: ‖F‖², ‖r‖², change, violation */
    float *drives;            /* of each block: ‖ρ q‖² and ‖q‖²; NULL: already known */
    float *sums;              /* of each body: linear and angular impulse, in the layout of a velocity */
    float *velocities_before; /* shifted along with gathered velocities; NULL: none */
    const float *rebounds;    /* velocities to add; NULL: none */
    float *blocks; /* constraint_block of each block, which also get their corrections; NULL: none */
} wide_job;

/* Processes batches [first, last). */
typedef void wide_pass(const wide_job *job, int first, int last);

/* The bodies of a step as floats, one record per slot: body_pose and so on. */
typedef struct wide_bodies {
    const float *poses, *remainders, *velocities, *masses, *loads;
    float *mobility, *free_velocities;
    const float *solved, *pseudo;
    float *next_poses, *next_remainders, *next_velocities;
    const float *gravity;
    float time_step;
    float unit_factor; /* of masses and loads (mass_unit.h) */
} wide_bodies;

typedef struct wide_code {
    wide_pass *sweep;
    wide_pass *residual;
    wide_pass *push;    /* adds impulses to the sums, for batches of one colour */
    wide_pass *correct; /* computes corrections from closings, in place (displacement.h) */
    /* Computes velocities from sums (velocity_gathered), of one slot per lane from `first` on. */
    void (*gather)(const wide_job *job, int first);
    /* Computes A_cc of one contact, or resistance, per lane, and their marks. */
    void (*prepare)(const wide_source *from, const int *blocks, bool resistances);
    /* Fills a batch of `count` groups; its head already has the kind. */
    void (*fill)(const wide_source *from, batch *out, const int *groups, int count);
    /* Free motion and integration (motion.h) of one slot per lane from `first` on. Return false, and do
     * nothing, if a body's inertia is not isotropic or the body has locks. */
    bool (*predict)(const wide_bodies *bodies, int first);
    bool (*integrate)(const wide_bodies *bodies, int first);
} wide_code;

extern const wide_code wide_code_4, wide_code_8, wide_code_16; /* 128 bits, AVX2, AVX-512 */

/* Returns the code of the widest vectors that this processor supports, or of the width in the environment
 * variable SCREE_WIDTH (1, 4, 8 or 16) if it supports that; NULL at width 1. */
const wide_code *wide_code_choose(int *width);
