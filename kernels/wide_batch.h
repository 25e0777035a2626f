/* The numbers of a batch: what sweeps in lanes read again and again of its contacts, of A_cc and of its
 * bodies' mobilities, a field after the other, each [lane]. They are put there once a solve (wide_blocks.cl),
 * so that a sweep loads them and does not gather them. Of OpenCL C at widths of 8 and 16 but for the places;
 * the native backend has its own (batch.h). */
#ifndef SCREE_KERNELS_WIDE_BATCH_H
#define SCREE_KERNELS_WIDE_BATCH_H

#include "schur2_row.h"

/* A batch is so many rows of numbers, each [lane]: body_a, body_b, first and count of its groups
 * (block_group), and its places: that of its fields, and whether it is of balls. Lanes beyond the last group
 * repeat the first one, but for their counts, which are 0. */
enum { BATCH_A, BATCH_B, BATCH_FIRST, BATCH_COUNT, BATCH_PLACES, BATCH_ROWS };
enum { PLACE_FIELDS, PLACE_BALLS };

/* Fields of a batch: of round bodies the inverse masses and inertias; of others, which a batch of balls has
 * not, the rest of their mobilities, and whether all are round nevertheless. */
enum {
    FIELD_MASS_A,
    FIELD_MASS_B,
    FIELD_INERTIA_A,
    FIELD_INERTIA_B,
    ROUND_FIELDS,
    FIELD_ROUND = ROUND_FIELDS,
    FIELD_MASSES_A, /* y and z */
    FIELD_MASSES_B = FIELD_MASSES_A + 2,
    FIELD_INERTIAS_A = FIELD_MASSES_B + 2, /* yy and zz, then the three others */
    FIELD_INERTIAS_B = FIELD_INERTIAS_A + 5,
    BODY_FIELDS = FIELD_INERTIAS_B + 5
};

/* Fields of a contact, which follow: the numbers of constraint_block and of A_cc; what Coulomb's law prepares
 * of it (schur2), which a contact of balls has not. */
enum {
    FIELD_ARM_A,
    FIELD_ARM_B = FIELD_ARM_A + 3,
    FIELD_NORMAL = FIELD_ARM_B + 3,
    FIELD_TANGENT = FIELD_NORMAL + 3,
    FIELD_BIAS = FIELD_TANGENT + 3,
    FIELD_CORRECTION,
    FIELD_FRICTION,
    FIELD_COMPLIANCE,
    FIELD_INVERSE_NORMAL,
    FIELD_INVERSE_TANGENT,
    FIELD_DIAGONAL,
    BALL_FIELDS = FIELD_DIAGONAL + 3,
    FIELD_OFF_DIAGONAL = BALL_FIELDS,
    FIELD_PREPARED = FIELD_OFF_DIAGONAL + 3,
    POINT_FIELDS = FIELD_PREPARED + SCHUR2_NUMBERS
};

/* Chunks whose terms one work-item adds up (sum_uphill), whatever the width. */
enum { SUMMED_CHUNKS = 8 };

#if defined __OPENCL_VERSION__ && SCREE_WIDTH > 1

#include "lanes.h"
#include "update.h"

/* Those of this work-item. */
SHARED int range_first(const batch_range of) { return of.first + of.each * (int)get_global_id(0); }
SHARED int range_end(const batch_range of) {
    const int end = range_first(of) + of.each;
    return end < of.end ? end : of.end;
}

typedef struct wide_batch {
    lane_places a, b, first;
    scalar_mask used;
    int points, balls;
    int fields; /* before its own */
} wide_batch;

SHARED lane_places batch_places(global const int *at, const int more) {
    return places_of(at, 1, more, SCREE_WIDTH - 1);
}

SHARED wide_batch batch_of(global const int *batches, const int number) {
    global const int *from = batches + (size_t)(BATCH_ROWS * SCREE_WIDTH) * (size_t)number;
    wide_batch out;
    out.a = batch_places(from + BATCH_A * SCREE_WIDTH, 0),
    out.b = batch_places(from + BATCH_B * SCREE_WIDTH, 0);
    out.first = batch_places(from + BATCH_FIRST * SCREE_WIDTH, 0);
    out.points = from[BATCH_COUNT * SCREE_WIDTH];
    out.used = mask_load(BATCH_COUNT, from) > 0;
    out.fields = from[BATCH_PLACES * SCREE_WIDTH + PLACE_FIELDS];
    out.balls = from[BATCH_PLACES * SCREE_WIDTH + PLACE_BALLS];
    return out;
}

SHARED global const float *fields_at(global const float *fields, const int first) {
    return fields + (size_t)SCREE_WIDTH * (size_t)first;
}

SHARED scalar field_load(global const float *fields, const int k) { return scalar_load(k, fields); }
SHARED vec3s field3_load(global const float *fields, const int k) {
    return vec3_of(scalar_load(k, fields), scalar_load(k + 1, fields), scalar_load(k + 2, fields));
}
SHARED void field_store(global float *fields, const int k, const scalar x) { scalar_store(x, k, fields); }
SHARED void field3_store(global float *fields, const int k, const vec3s v) {
    scalar_store(v.x, k, fields), scalar_store(v.y, k + 1, fields), scalar_store(v.z, k + 2, fields);
}

SHARED constraint_block field_contact(global const float *at) {
    constraint_block block;
    block.kind = BLOCK_CONTACT, block.angular = 0;
    block.arm_a = field3_load(at, FIELD_ARM_A), block.arm_b = field3_load(at, FIELD_ARM_B);
    block.normal = field3_load(at, FIELD_NORMAL), block.tangent = field3_load(at, FIELD_TANGENT);
    block.bias = field_load(at, FIELD_BIAS), block.correction = field_load(at, FIELD_CORRECTION);
    block.friction = field_load(at, FIELD_FRICTION), block.compliance = field_load(at, FIELD_COMPLIANCE);
    return block;
}

/* Of balls without what is 0. */
SHARED block_diagonal field_diagonal(global const float *at, const int balls) {
    block_diagonal out;
    out.diagonal = field3_load(at, FIELD_DIAGONAL);
    out.off_diagonal = balls ? glms_vec3_zero() : field3_load(at, FIELD_OFF_DIAGONAL);
    out.inverse_normal = field_load(at, FIELD_INVERSE_NORMAL);
    out.inverse_tangent = field_load(at, FIELD_INVERSE_TANGENT);
    return out;
}

SHARED schur2 field_prepared(global const float *at) {
    schur2 s;
    s.inverse_normal = field_load(at, FIELD_INVERSE_NORMAL);
#define LOAD(place) field_load(at, FIELD_PREPARED + (place))
    SCHUR2_LOAD(s, LOAD);
#undef LOAD
    return s;
}

SHARED void field_point_store(global float *at, const constraint_block block, const block_diagonal delassus,
                              const int balls) {
    field3_store(at, FIELD_ARM_A, block.arm_a), field3_store(at, FIELD_ARM_B, block.arm_b);
    field3_store(at, FIELD_NORMAL, block.normal), field3_store(at, FIELD_TANGENT, block.tangent);
    field_store(at, FIELD_BIAS, block.bias), field_store(at, FIELD_CORRECTION, block.correction);
    field_store(at, FIELD_FRICTION, block.friction), field_store(at, FIELD_COMPLIANCE, block.compliance);
    field_store(at, FIELD_INVERSE_NORMAL, delassus.inverse_normal);
    field_store(at, FIELD_INVERSE_TANGENT, delassus.inverse_tangent);
    field3_store(at, FIELD_DIAGONAL, delassus.diagonal);
    if (balls) return;
    const schur2 s = coulomb_prepared(symmetric_of(delassus.diagonal, delassus.off_diagonal));
    field3_store(at, FIELD_OFF_DIAGONAL, delassus.off_diagonal);
#define STORE(place, x) field_store(at, FIELD_PREPARED + (place), x)
    SCHUR2_STORE(s, STORE);
#undef STORE
}

/* Of a round body the numbers that velocity_pushed asks for. */
SHARED body_mobility field_mobility(global const float *at, const int side, const int round) {
    body_mobility m;
    const scalar zero = scalar_of(0), mass = field_load(at, FIELD_MASS_A + side),
                 inertia = field_load(at, FIELD_INERTIA_A + side);
    if (round) {
        m.inverse_mass = vec3_of(mass, zero, zero), m.diagonal = vec3_of(inertia, zero, zero);
        m.off_diagonal = glms_vec3_zero();
        return m;
    }
    const int masses = FIELD_MASSES_A + 2 * side, inertias = FIELD_INERTIAS_A + 5 * side;
    m.inverse_mass = vec3_of(mass, field_load(at, masses), field_load(at, masses + 1));
    m.diagonal = vec3_of(inertia, field_load(at, inertias), field_load(at, inertias + 1));
    m.off_diagonal = field3_load(at, inertias + 2);
    return m;
}

SHARED void field_mobility_store(global float *at, const int side, const int balls, const body_mobility m) {
    const int masses = FIELD_MASSES_A + 2 * side, inertias = FIELD_INERTIAS_A + 5 * side;
    field_store(at, FIELD_MASS_A + side, m.inverse_mass.x),
        field_store(at, FIELD_INERTIA_A + side, m.diagonal.x);
    if (balls) return;
    field_store(at, masses, m.inverse_mass.y), field_store(at, masses + 1, m.inverse_mass.z);
    field_store(at, inertias, m.diagonal.y), field_store(at, inertias + 1, m.diagonal.z);
    field3_store(at, inertias + 2, m.off_diagonal);
}

#endif

#endif
