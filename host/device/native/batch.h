/* Groups of one colour side by side, one a lane: what a wide sweep updates at once. Known to objects of every
 * width, so nothing in it is a scalar of the dialect. */
#ifndef SCREE_DEVICE_NATIVE_BATCH_H
#define SCREE_DEVICE_NATIVE_BATCH_H

#include "schur2_row.h"

#include <stdbool.h>
#include <stdint.h>

enum { BATCH_LANES = 16, BATCH_POINTS = 4, SEVERAL_POINTS = 24 };

/* Where the numbers of a point stand among its fields, each [lane]. */
enum {
    FIELD_NORMAL = 0,
    FIELD_TANGENT = 3,
    FIELD_ARM_A = 6,
    FIELD_ARM_B = 9,
    FIELD_FRICTION = 12,
    FIELD_COMPLIANCE,
    FIELD_BIAS,
    FIELD_CORRECTION,
    FIELD_DIAGONAL,
    FIELD_INVERSE_NORMAL = 19,
    FIELD_OFF_DIAGONAL,
    FIELD_INVERSE_TANGENT = 23,
    FIELD_PREPARED,
    POINT_FIELDS = FIELD_PREPARED + SCHUR2_NUMBERS
};

/* The same of a contact of balls (`ball`), whose arms are length_a n and −length_b n, and of which only the
 * trace of A_cc is asked for. What the position pass reads stands before the tangent, and behind all what the
 * velocity pass does not: what lies between is not moved for it. */
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

/* Behind a contact of balls its resistance, in the contact's frame. */
enum {
    TURN_ROLLING = 0,
    TURN_SPINNING,
    TURN_LENGTH,
    TURN_INVERSE_NORMAL,
    TURN_INVERSE_TANGENT,
    TURN_TRACE,
    TURN_FIELDS
};

/* The same of other bodies: first a contact of balls' numbers, with all of A_cc; then what resistance_discs
 * prepares of it, 1/a and of each disc the inverse of its normal row and a row of schur2_row.h. */
enum {
    RESISTANCE_DIAGONAL = TURN_TRACE,
    RESISTANCE_OFF_DIAGONAL = RESISTANCE_DIAGONAL + 3,
    RESISTANCE_INVERSE = RESISTANCE_OFF_DIAGONAL + 3,
    RESISTANCE_FREE,
    RESISTANCE_HELD = RESISTANCE_FREE + 1 + SCHUR2_NUMBERS,
    RESISTANCE_FIELDS = RESISTANCE_HELD + 1 + SCHUR2_NUMBERS
};

/* Behind the points of a manifold: what its normal rows see of each other (press.h), in the order of a
 * forward sweep. */
static inline int batch_couplings(int points) { return points * (points - 1) / 2; }

/* Offsets in floats, in what lies in arrays of 8 and 4 floats an item. Lanes beyond the last group repeat the
 * first one and write nothing. All of it is read in each sweep, so that it is no more than a sweep needs.
 *
 * Groups that meet with all sorts of numbers of points lie side by side where these are nearly alike
 * (`several`). What one lacks of the most are blocks of zeros, which do nothing to their bodies and have no
 * impulses; how many a lane has stands behind all other fields. */
typedef struct batch {
    short points;                     /* blocks of a group, the most of any lane */
    bool row;                         /* one, in all lanes, of which the blocks stand one after the other */
    bool isotropic;                   /* A_cc = diag(a, t, t) in every lane */
    bool resists;                     /* every second block is the resistance of the one before it */
    bool several;                     /* lanes have their own numbers of blocks, and A_cc of any kind */
    bool round;                       /* both bodies of every lane move alike in all directions */
    bool ball;                        /* round and isotropic, with arms along the normal */
    uint32_t lanes, moves_a, moves_b; /* bits: in use; whose body is written */
    int first_field;                  /* of the points, among `fields`, in floats */
    int velocity_a[BATCH_LANES], velocity_b[BATCH_LANES];
    int impulse[BATCH_LANES]; /* of the first point */
} batch;

/* Whether both are of one kind. */
static inline bool batch_alike(const batch *one, const batch *other) {
    return one->points == other->points && one->isotropic == other->isotropic &&
           one->resists == other->resists && one->several == other->several && one->round == other->round &&
           one->ball == other->ball;
}

/* Where block k of bodies that are no balls begins among a batch's fields, in rows of lanes; of k = points
 * where what lies behind them all does. */
static inline int batch_block_at(int resists, int k) {
    return resists ? k / 2 * (POINT_FIELDS + RESISTANCE_FIELDS) + k % 2 * POINT_FIELDS : k * POINT_FIELDS;
}

/* Rows of fields in all. */
static inline int batch_rows(const batch *of) {
    if (of->ball) return BALL_FIELDS + (of->resists ? TURN_FIELDS : 0);
    return batch_block_at(of->resists, of->points) + (of->several ? 1 : batch_couplings(of->points));
}

#endif
