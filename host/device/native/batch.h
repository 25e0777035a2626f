/* A batch is up to BATCH_LANES groups of one colour, one per lane, which a wide sweep updates at once.
 * Objects of every width include this file, so it uses no scalar of the dialect. */
#pragma once

#include "schur2_row.h"

#include <stdbool.h>
#include <stdint.h>

enum { BATCH_LANES = 16, BATCH_POINTS = 4, SEVERAL_POINTS = 24 };

/* Offsets of a point's fields; each field is [lane]. */
enum {
    FIELD_NORMAL = 0,
    FIELD_TANGENT = 3,
    FIELD_ARM_A = 6,
    FIELD_ARM_B = 9,
    FIELD_FRICTION = 12,
    FIELD_COMPLIANCE,
    FIELD_BIAS,
    FIELD_CORRECTION,
    FIELD_ROLLING,
    FIELD_SPINNING,
    FIELD_DIAGONAL,
    FIELD_INVERSE_NORMAL = 21,
    FIELD_OFF_DIAGONAL,
    FIELD_INVERSE_TANGENT = 25,
    FIELD_PREPARED,
    POINT_FIELDS = FIELD_PREPARED + SCHUR2_NUMBERS
};

/* Offsets of a contact of balls (`ball`). Its arms are length_a n and −length_b n, and of A_cc only the trace
 * is used. The fields of the position pass come first, up to the tangent, and its correction last, so that
 * the position pass does not load the fields between them. */
enum {
    BALL_COMPLIANCE = 0,
    BALL_INVERSE_NORMAL,
    BALL_NORMAL,
    BALL_LENGTH_A = 5,
    BALL_LENGTH_B,
    BALL_TANGENT,
    BALL_FRICTION = 10,
    BALL_BIAS,
    BALL_INVERSE_TANGENT,
    BALL_TRACE,
    BALL_CORRECTION,
    BALL_FIELDS
};

/* Offsets of the resistance that follows a contact of balls, in the contact's frame. */
enum {
    TURN_ROLLING = 0,
    TURN_SPINNING,
    TURN_LENGTH,
    TURN_INVERSE_NORMAL,
    TURN_INVERSE_TANGENT,
    TURN_TRACE,
    TURN_FIELDS
};

/* Offsets of a resistance of other bodies: the TURN_ fields, with all of A_cc instead of its trace, then the
 * numbers prepared for resistance_discs: 1/a and, per disc, the inverse of its normal row and the fields of
 * schur2_row.h. */
enum {
    RESISTANCE_DIAGONAL = TURN_TRACE,
    RESISTANCE_OFF_DIAGONAL = RESISTANCE_DIAGONAL + 3,
    RESISTANCE_INVERSE = RESISTANCE_OFF_DIAGONAL + 3,
    RESISTANCE_FREE,
    RESISTANCE_HELD = RESISTANCE_FREE + 1 + SCHUR2_NUMBERS,
    RESISTANCE_FIELDS = RESISTANCE_HELD + 1 + SCHUR2_NUMBERS
};

/* Returns the number of couplings between the normal rows of a manifold (press.h), stored after its points in
 * the order of a forward sweep. */
static inline int batch_couplings(int points) { return points * (points - 1) / 2; }

/* Indices are offsets in floats, into arrays of 8 (velocities) and 4 (impulses) floats per item. Unused lanes
 * repeat the first group and write nothing. Each sweep reads the whole struct, so it holds only what a sweep
 * needs.
 *
 * If `several`, the groups of a batch have similar but different numbers of points. Missing blocks are filled
 * with zeros, which change neither bodies nor impulses; the number of blocks of each lane follows all other
 * fields. */
typedef struct batch {
    short points;   /* blocks per group; the maximum over the lanes */
    bool row;       /* one block per lane, all lanes used, blocks consecutive */
    bool isotropic; /* A_cc = diag(a, t, t) in every lane */
    bool resists;   /* every second block is the resistance of the one before it */
    bool several;   /* lanes differ in their number of blocks, and A_cc is arbitrary */
    bool round;     /* both bodies of every lane have isotropic mobility */
    bool ball;      /* round and isotropic, with arms along the normal, without surface velocity */
    uint32_t lanes, moves_a, moves_b; /* bit masks: lanes in use; lanes that write body a, b */
    int first_field;                  /* offset of the points in `fields`, floats */
    int velocity_a[BATCH_LANES], velocity_b[BATCH_LANES];
    int impulse[BATCH_LANES]; /* of the first point */
} batch;

/* Returns whether both batches are of one kind. */
static inline bool batch_alike(const batch *one, const batch *other) {
    return one->points == other->points && one->isotropic == other->isotropic &&
           one->resists == other->resists && one->several == other->several && one->round == other->round &&
           one->ball == other->ball;
}

/* Returns the row of fields where block k begins, for bodies that are not balls; with k = points, the row
 * after all blocks. */
static inline int batch_block_at(int resists, int k) {
    return resists ? k / 2 * (POINT_FIELDS + RESISTANCE_FIELDS) + k % 2 * POINT_FIELDS : k * POINT_FIELDS;
}

/* Returns the number of rows of fields. */
static inline int batch_rows(const batch *of) {
    if (of->ball) return BALL_FIELDS + (of->resists ? TURN_FIELDS : 0);
    return batch_block_at(of->resists, of->points) + (of->several ? 1 : batch_couplings(of->points));
}
