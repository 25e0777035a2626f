/* Loads and stores of points and bodies for loops over batches; included once by an object of each width,
 * before the other bodies. */
#include "wide_sweep.h"

#include "base/lanes.h"
#include "nesterov.h"
#include "round_velocity.h"
#include "wide_ahead.h"

INLINE void store(float *to, scalar x) { __builtin_memcpy(to, &x, sizeof x); }

/* A point and its A_cc. */
typedef struct wide_point {
    constraint_block block;
    block_diagonal diagonal;
} wide_point;

INLINE wide_point point_of(const float *at) {
    enum { W = SCREE_WIDTH };
    wide_point p;
    p.block.kind = BLOCK_CONTACT;
    p.block.normal = load3(at + FIELD_NORMAL * W), p.block.tangent = load3(at + FIELD_TANGENT * W);
    p.block.arm_a = load3(at + FIELD_ARM_A * W), p.block.arm_b = load3(at + FIELD_ARM_B * W);
    p.block.friction = load(at + FIELD_FRICTION * W), p.block.compliance = load(at + FIELD_COMPLIANCE * W);
    p.block.bias = load(at + FIELD_BIAS * W), p.block.correction = load(at + FIELD_CORRECTION * W);
    p.block.rolling = load(at + FIELD_ROLLING * W), p.block.spinning = load(at + FIELD_SPINNING * W);
    p.diagonal.diagonal = load3(at + FIELD_DIAGONAL * W);
    p.diagonal.inverse_normal = load(at + FIELD_INVERSE_NORMAL * W);
    p.diagonal.off_diagonal = load3(at + FIELD_OFF_DIAGONAL * W);
    p.diagonal.inverse_tangent = load(at + FIELD_INVERSE_TANGENT * W);
    return p;
}

/* Loads the numbers of A_cc that the law's solution uses. */
INLINE schur2 prepared_of(const float *at) {
    enum { W = SCREE_WIDTH };
    schur2 s;
    s.inverse_normal = load(at + FIELD_INVERSE_NORMAL * W);
#define LOAD(place) load(at + (FIELD_PREPARED + (place)) * W)
    SCHUR2_LOAD(s, LOAD);
#undef LOAD
    return s;
}

/* Loads a contact of balls. The trace of A_cc stands in the first entry of its diagonal. */
INLINE wide_point ball_of(const float *at) {
    enum { W = SCREE_WIDTH };
    wide_point p;
    p.block.kind = BLOCK_CONTACT;
    p.block.normal = load3(at + BALL_NORMAL * W), p.block.tangent = load3(at + BALL_TANGENT * W);
    p.block.arm_a = glms_vec3_scale(p.block.normal, load(at + BALL_LENGTH_A * W));
    p.block.arm_b = glms_vec3_scale(glms_vec3_negate(p.block.normal), load(at + BALL_LENGTH_B * W));
    p.block.friction = load(at + BALL_FRICTION * W), p.block.compliance = load(at + BALL_COMPLIANCE * W);
    p.block.bias = load(at + BALL_BIAS * W), p.block.correction = load(at + BALL_CORRECTION * W);
    p.block.rolling = p.block.spinning = scalar_of(0);
    p.diagonal.diagonal = vec3_of(load(at + BALL_TRACE * W), scalar_of(0), scalar_of(0));
    p.diagonal.inverse_normal = load(at + BALL_INVERSE_NORMAL * W);
    p.diagonal.off_diagonal = glms_vec3_zero();
    p.diagonal.inverse_tangent = load(at + BALL_INVERSE_TANGENT * W);
    return p;
}

/* Loads its resistance; the frame is the contact's. */
INLINE wide_point turn_of(const float *at, wide_point contact) {
    enum { W = SCREE_WIDTH };
    wide_point p = contact;
    p.block.rolling = load(at + TURN_ROLLING * W), p.block.spinning = load(at + TURN_SPINNING * W);
    p.block.length = load(at + TURN_LENGTH * W);
    p.diagonal.diagonal = vec3_of(load(at + TURN_TRACE * W), scalar_of(0), scalar_of(0));
    p.diagonal.inverse_normal = load(at + TURN_INVERSE_NORMAL * W);
    p.diagonal.inverse_tangent = load(at + TURN_INVERSE_TANGENT * W);
    return p;
}

/* Loads the resistance of other bodies, with all of A_cc. */
INLINE wide_point resistance_of(const float *at, wide_point contact) {
    enum { W = SCREE_WIDTH };
    wide_point p = turn_of(at, contact);
    p.diagonal.diagonal = load3(at + RESISTANCE_DIAGONAL * W);
    p.diagonal.off_diagonal = load3(at + RESISTANCE_OFF_DIAGONAL * W);
    return p;
}

INLINE schur2 disc_at(const float *at) {
    enum { W = SCREE_WIDTH };
    schur2 s;
    s.inverse_normal = load(at);
#define LOAD(place) load(at + (1 + (place)) * W)
    SCHUR2_LOAD(s, LOAD);
#undef LOAD
    return s;
}

/* Loads the numbers of A_cc that the solution of a resistance uses. */
INLINE resistance_discs discs_of(const float *at) {
    enum { W = SCREE_WIDTH };
    resistance_discs discs;
    discs.inverse = load(at + RESISTANCE_INVERSE * W);
    discs.free = disc_at(at + RESISTANCE_FREE * W), discs.held = disc_at(at + RESISTANCE_HELD * W);
    return discs;
}

INLINE vec3s xyz(quad q) { return vec3_of(q.x, q.y, q.z); }
INLINE quad quad_of(vec3s v, scalar w) { return (quad){v.x, v.y, v.z, w}; }

INLINE body_velocity velocity_of(const float *base, const int *at) {
    const quad_pair q = gather_pair(base, at);
    body_velocity v;
    v.linear = xyz(q.first), v.reserved = q.first.w;
    v.angular = xyz(q.second), v.reserved_angular = q.second.w;
    return v;
}

INLINE void put_velocity(float *base, const int *at, uint32_t which, body_velocity v) {
    scatter_pair(base, at, which,
                 (quad_pair){quad_of(v.linear, v.reserved), quad_of(v.angular, v.reserved_angular)});
}

INLINE body_mobility mobility_at(const float *base, const int *at) {
    body_mobility m;
    const quad_pair q = gather_pair(base, at);
    m.inverse_mass = xyz(q.first), m.diagonal = xyz(q.second), m.off_diagonal = xyz(gather(base + 8, at));
    return m;
}

/* Converts offsets of velocities (8 floats per body) to offsets of mobilities (12 floats). */
INLINE void mobilities_at(int *out, const int *at) {
    for (int lane = 0; lane < SCREE_WIDTH; lane++) out[lane] = at[lane] / 8 * 12;
}

INLINE body_mobility mobility_of(const float *base, const int *velocity) {
    int at[SCREE_WIDTH];
    mobilities_at(at, velocity);
    return mobility_at(base, at);
}

/* If the lanes' blocks are consecutive, they are a few words of memory. */
INLINE block_impulse impulse_of(const float *base, const batch *of) {
    const quad q = of->row ? gather_row(base + of->impulse[0]) : gather(base, of->impulse);
    block_impulse r;
    r.value = xyz(q), r.shift = q.w;
    return r;
}

/* Stores four floats per block. */
INLINE void put_quad(float *base, const batch *of, quad q) {
    if (of->row)
        scatter_row(base + of->impulse[0], q);
    else
        scatter(base, of->impulse, of->lanes, q);
}

INLINE void put_impulse(float *base, const batch *of, block_impulse r) {
    put_quad(base, of, quad_of(r.value, r.shift));
}

/* Stores one float per block. */
INLINE void put_each(float *base, const batch *of, scalar x) {
    float each[SCREE_WIDTH];
    if (of->row) {
        __builtin_memcpy(base + of->impulse[0] / 4, &x, sizeof x);
        return;
    }
    __builtin_memcpy(each, &x, sizeof each);
    if (of->lanes == (uint32_t)((1u << SCREE_WIDTH) - 1)) {
        for (int lane = 0; lane < SCREE_WIDTH; lane++) base[(unsigned)of->impulse[lane] / 4] = each[lane];
        return;
    }
    for (int lane = 0; lane < SCREE_WIDTH; lane++)
        if (of->lanes >> lane & 1) base[(unsigned)of->impulse[lane] / 4] = each[lane];
}

/* Properties of a batch that are compile-time constants of its sweep. */
typedef struct sweep_kind {
    int points, isotropic, resists, round, ball, position, several;
} sweep_kind;

/* Returns the fields of block k, for bodies that are not balls. */
INLINE const float *fields_of_block(const float *fields, sweep_kind kind, int k) {
    return fields + (size_t)batch_block_at(kind.resists, k) * SCREE_WIDTH;
}

INLINE wide_point point_of_kind(const float *fields, sweep_kind kind, int k) {
    if (kind.ball)
        return k == 1 ? turn_of(fields + BALL_FIELDS * SCREE_WIDTH, ball_of(fields)) : ball_of(fields);
    if (kind.resists && k % 2)
        return resistance_of(fields_of_block(fields, kind, k),
                             point_of(fields_of_block(fields, kind, k - 1)));
    return point_of(fields_of_block(fields, kind, k));
}

/* Offsets of block k in each lane, and the lanes that have one; the others read their first block. */
typedef struct block_places {
    int at[SCREE_WIDTH];
    uint32_t lanes;
    scalar_mask used;
} block_places;

/* Returns the number of blocks of each lane of a batch that is `several`. */
INLINE scalar counts_of(const float *fields, sweep_kind kind) {
    return load(fields_of_block(fields, kind, kind.points));
}

INLINE block_places places_of(const batch *of, scalar counts, int k) {
    block_places out;
    scalar_int first;
    __builtin_memcpy(&first, of->impulse, sizeof first);
    out.used = counts > (float)k;
    const scalar_int at = first + (out.used & (4 * k));
    __builtin_memcpy(out.at, &at, sizeof out.at);
    out.lanes = mask_bits(out.used) & of->lanes;
    return out;
}

/* Loads impulses; zero in lanes without the block. */
INLINE block_impulse impulse_at(const float *base, const block_places *at) {
    const quad q = gather(base, at->at);
    block_impulse r;
    r.value = vec3_choose(at->used, xyz(q), glms_vec3_zero()), r.shift = choose(at->used, q.w, scalar_of(0));
    return r;
}

INLINE void put_each_at(float *base, const block_places *at, scalar x) {
    for (int lane = 0; lane < SCREE_WIDTH; lane++)
        if (at->lanes >> lane & 1) base[(unsigned)at->at[lane] / 4] = x[lane];
}

/* Prefetches points; for the position pass without the fields that only the law uses. */
INLINE void ask_points(const float *at, sweep_kind kind) {
    if (!kind.ball) {
        ask_fields(at, kind.points, 0, kind.position ? FIELD_PREPARED : POINT_FIELDS);
        return;
    }
    ask_fields(at, 1, 0, kind.position ? BALL_TANGENT : BALL_CORRECTION);
    if (kind.position)
        ask_fields(at, 1, BALL_CORRECTION, BALL_FIELDS);
    else if (kind.resists)
        ask_fields(at, 1, BALL_FIELDS, BALL_FIELDS + TURN_FIELDS);
}

INLINE void ask_for_sweep(const wide_job *job, const batch *of, const batch *end, sweep_kind kind,
                          int together) {
    const batch *next = batch_ahead(job, of, end, kind.points, together);
    if (!next) return;
    const float *fields = job->fields + next->first_field;
    ask_points(fields, kind);
    if (!kind.ball && !kind.resists)
        ask(fields + kind.points * POINT_FIELDS * SCREE_WIDTH, batch_couplings(kind.points) * SCREE_WIDTH);
    ask_bodies(job->velocities, next);
    ask_blocks(job->impulses, next, kind.points);
    if (!job->momentum) return;
    ask_blocks(job->before, next, kind.points);
    ask(job->uphill + next->impulse[0] / 4, kind.points * SCREE_WIDTH);
}
