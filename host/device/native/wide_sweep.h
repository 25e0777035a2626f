/* What is done to batches at one width; widths are objects of their own, of which the processor decides. */
#ifndef SCREE_DEVICE_NATIVE_WIDE_SWEEP_H
#define SCREE_DEVICE_NATIVE_WIDE_SWEEP_H

#include "batch.h"
#include "layout.h"

enum { BATCH_MOVES = 1, BATCH_ROUND = 2 };
/* Of a block: A_cc = diag(a, t, t); both arms are lengths times n and −n, to the bit. */
enum { MARK_ISOTROPIC = 1, MARK_ALONG = 2 };

/* Blocks, bodies and groups of a problem as floats, and what is made of them. */
typedef struct wide_source {
    const float *blocks;         /* constraint_block of each block */
    const float *mobility;       /* body_mobility of each body */
    const unsigned char *bodies; /* BATCH_MOVES and BATCH_ROUND of each body */
    unsigned char *marks;        /* MARK_… of each block */
    const block_group *groups;
    float *diagonals; /* block_diagonal of each block; null: none are kept, and batches make theirs anew */
    float *fields;
} wide_source;

/* What batches [first, last) of one colour are swept with. With `momentum` `before` is
 * the iterate r and `impulses` the one before it, r_old: a point goes on from y = r + β (r − r_old), leaves
 * what it comes to in the place of r_old, and its share of the restart test (nesterov.h). */
typedef struct wide_job {
    const batch *items;
    float *fields;
    float *impulses, *before; /* block_impulse of each block, as floats */
    float *uphill;            /* of each block */
    float *velocities;        /* body_velocity of each body, with its mobility if it is round
                                 (round_velocity.h) */
    const float *mobility;    /* body_mobility likewise */
    solve_parameters parameters;
    bool far; /* batches come from memory: they are asked for ahead (wide_ahead.h) */
    bool momentum;
    float extrapolation; /* β */
    /* Of the residual and of sums over bodies. */
    const float *kept; /* impulses that the change is measured against, or null: there is none */
    const float *free_velocities;
    float *residuals; /* of each block ‖F‖², ‖r‖², the change and the violation */
    float *drives;    /* of each block ‖ρ q‖² and ‖q‖²; null: they are known */
    float *sums;      /* of each body the linear and the angular impulse, in the places of a velocity */
    float *velocities_before; /* to be moved along with velocities that are gathered, or null */
    const float *rebounds;    /* velocities to be added, or null */
    float *blocks;            /* constraint_block of each, which get their corrections too; or null */
} wide_job;

/* All of batches [first, last). */
typedef void wide_pass(const wide_job *job, int first, int last);

/* Bodies of a step as floats, slot by slot: body_pose and so on. */
typedef struct wide_bodies {
    const float *poses, *velocities, *masses, *loads;
    float *mobility, *free_velocities;
    const float *solved, *pseudo;
    float *next_poses, *next_velocities;
    const float *gravity;
    float time_step;
} wide_bodies;

typedef struct wide_code {
    wide_pass *sweep;
    wide_pass *residual;
    wide_pass *push;    /* adds impulses to the sums; of one colour */
    wide_pass *correct; /* corrections from closings, in place (displacement.h) */
    /* Velocities from sums (velocity_gathered), of as many slots as there are lanes from `first` on. */
    void (*gather)(const wide_job *job, int first);
    /* A_cc of as many contacts, or resistances, as there are lanes, and their marks. */
    void (*prepare)(const wide_source *from, const int *blocks, bool resistances);
    /* The numbers of a batch of `count` groups, whose head has the kind. */
    void (*fill)(const wide_source *from, batch *out, const int *groups, int count);
    /* The free motion and the integration (motion.h) of as many slots as there are lanes, from `first` on;
     * false: some do not turn alike about all axes or are locked, and nothing has been done. */
    bool (*predict)(const wide_bodies *bodies, int first);
    bool (*integrate)(const wide_bodies *bodies, int first);
} wide_code;

extern const wide_code wide_code_4, wide_code_8, wide_code_16; /* 128 bits, AVX2, AVX-512 */

/* The widest that this processor can do, or what the environment variable SCREE_WIDTH asks for (1, 4, 8 or
 * 16) if it can; null at width 1. */
const wide_code *wide_code_choose(int *width);

#endif
