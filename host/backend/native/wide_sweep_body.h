/* The wide sweep in terms of the kernels' functions: included once by an object of each width, before the
 * other bodies. */
#include "wide_sweep.h"

#include "base/lanes.h"
#include "nesterov.h"
#include "round_velocity.h"
#include "wide_ahead.h"

/* The numbers of one point, and its A_cc. */
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
    p.diagonal.diagonal = load3(at + FIELD_DIAGONAL * W);
    p.diagonal.inverse_normal = load(at + FIELD_INVERSE_NORMAL * W);
    p.diagonal.off_diagonal = load3(at + FIELD_OFF_DIAGONAL * W);
    p.diagonal.inverse_tangent = load(at + FIELD_INVERSE_TANGENT * W);
    return p;
}

/* Of its A_cc what the law's solution reads. */
INLINE schur2 prepared_of(const float *at) {
    enum { W = SCREE_WIDTH };
    schur2 s;
    s.inverse_normal = load(at + FIELD_INVERSE_NORMAL * W);
#define LOAD(place) load(at + (FIELD_PREPARED + (place)) * W)
    SCHUR2_LOAD(s, LOAD);
#undef LOAD
    return s;
}

/* The same of a resistance. */
INLINE wide_point resistance_of(const float *at) {
    enum { W = SCREE_WIDTH };
    wide_point p = point_of(at);
    p.block.rolling = load(at + FIELD_ROLLING * W), p.block.spinning = load(at + FIELD_SPINNING * W);
    p.block.length = load(at + FIELD_LENGTH * W);
    return p;
}

/* The same of a contact of balls: of A_cc the trace, as if it were all in the first entry. */
INLINE wide_point ball_of(const float *at) {
    enum { W = SCREE_WIDTH };
    wide_point p;
    p.block.kind = BLOCK_CONTACT;
    p.block.normal = load3(at + BALL_NORMAL * W), p.block.tangent = load3(at + BALL_TANGENT * W);
    p.block.arm_a = glms_vec3_scale(p.block.normal, load(at + BALL_LENGTH_A * W));
    p.block.arm_b = glms_vec3_scale(glms_vec3_negate(p.block.normal), load(at + BALL_LENGTH_B * W));
    p.block.friction = load(at + BALL_FRICTION * W), p.block.compliance = load(at + BALL_COMPLIANCE * W);
    p.block.bias = load(at + BALL_BIAS * W), p.block.correction = load(at + BALL_CORRECTION * W);
    p.diagonal.diagonal = vec3_of(load(at + BALL_TRACE * W), scalar_of(0), scalar_of(0));
    p.diagonal.inverse_normal = load(at + BALL_INVERSE_NORMAL * W);
    p.diagonal.off_diagonal = glms_vec3_zero();
    p.diagonal.inverse_tangent = load(at + BALL_INVERSE_TANGENT * W);
    return p;
}

/* Its resistance, of which the frame is the contact's. */
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

/* Where the mobilities of bodies are whose velocities are at `at`: 12 floats each, and 8. */
INLINE void mobilities_at(int *out, const int *at) {
    for (int lane = 0; lane < SCREE_WIDTH; lane++) out[lane] = at[lane] / 8 * 12;
}

INLINE body_mobility mobility_of(const float *base, const int *velocity) {
    int at[SCREE_WIDTH];
    mobilities_at(at, velocity);
    return mobility_at(base, at);
}

/* In lanes whose blocks are in a row all of it is a few words of memory. */
INLINE block_impulse impulse_of(const float *base, const batch *of) {
    const quad q = of->row ? gather_row(base + of->impulse[0]) : gather(base, of->impulse);
    block_impulse r;
    r.value = xyz(q), r.shift = q.w;
    return r;
}

/* Four floats a block. */
INLINE void put_quad(float *base, const batch *of, quad q) {
    if (of->row)
        scatter_row(base + of->impulse[0], q);
    else
        scatter(base, of->impulse, of->lanes, q);
}

INLINE void put_impulse(float *base, const batch *of, block_impulse r) {
    put_quad(base, of, quad_of(r.value, r.shift));
}

/* One float a block. */
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

/* What is known of a batch when its sweep is compiled, once for each. */
typedef struct sweep_kind {
    int points, isotropic, resists, round, ball, position;
} sweep_kind;

INLINE wide_point point_of_kind(const float *fields, sweep_kind kind, int k) {
    const float *at = fields + (size_t)k * POINT_FIELDS * SCREE_WIDTH;
    if (kind.ball && k == 1) return turn_of(fields + BALL_FIELDS * SCREE_WIDTH, ball_of(fields));
    return kind.ball ? ball_of(at) : kind.resists && k == 1 ? resistance_of(at) : point_of(at);
}

/* Of a position pass not what only the law asks for. */
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

/* A batch while it is swept. */
typedef struct visit {
    const batch *of;
    const float *fields;
    body_mobility mobility_a, mobility_b;
    body_velocity a, b;
} visit;

/* Its impulses: apart, since what is asked for by number stays in memory. */
typedef struct visit_impulses {
    block_impulse r[BATCH_POINTS], before[BATCH_POINTS], start[BATCH_POINTS];
} visit_impulses;

INLINE void visit_begin(visit *at, visit_impulses *impulses, const wide_job *job, const batch *of,
                        sweep_kind kind, int momentum) {
    at->of = of;
    at->fields = job->fields + of->first_field;
    at->a = velocity_of(job->velocities, of->velocity_a);
    at->b = velocity_of(job->velocities, of->velocity_b);
    at->mobility_a = kind.round ? mobility_of_round(at->a) : mobility_of(job->mobility, of->velocity_a);
    at->mobility_b = kind.round ? mobility_of_round(at->b) : mobility_of(job->mobility, of->velocity_b);
    for (int k = 0; k < kind.points; k++) {
        impulses->r[k] = impulse_of(job->impulses + 4 * k, of);
        if (!momentum) continue;
        impulses->before[k] = impulse_of(job->before + 4 * k, of);
        impulses->start[k] = impulses->r[k] =
            impulse_extrapolated(impulses->before[k], impulses->r[k], scalar_of(job->extrapolation));
    }
}

INLINE void visit_end(const visit *at, const visit_impulses *impulses, const wide_job *job, sweep_kind kind,
                      int momentum) {
    const batch *of = at->of;
    for (int k = 0; k < kind.points; k++) {
        put_impulse(job->impulses + 4 * k, of, impulses->r[k]);
        if (!momentum) continue;
        put_each(job->uphill + k, of,
                 block_uphill(point_of_kind(at->fields, kind, k).diagonal, impulses->start[k], impulses->r[k],
                              impulses->before[k]));
    }
    put_velocity(job->velocities, of->velocity_a, of->moves_a, at->a);
    put_velocity(job->velocities, of->velocity_b, of->moves_b, at->b);
}

/* The k-th point in the order of the sweep. */
INLINE int point_at(sweep_kind kind, solve_parameters parameters, int i) {
    return parameters.backward ? kind.points - 1 - i : i;
}

/* Of a manifold's normal rows, as they are kept behind its points, or made where they are swept backward:
 * C_ij and C_ji are rounded otherwise. */
INLINE press_couplings couplings_of(const float *fields, const press *rows, int backward) {
    enum { W = SCREE_WIDTH };
    press_couplings out;
    if (backward) return press_coupled(rows);
    for (int k = 0; k < PRESS_COUPLINGS; k++)
        out.values[k] = k < batch_couplings(rows->count) ? load(fields + (rows->count * POINT_FIELDS + k) * W)
                                                         : scalar_of(0);
    return out;
}

INLINE void press_visit(visit *at, visit_impulses *impulses, sweep_kind kind, solve_parameters parameters,
                        int sweeps) {
    press rows;
    rows.count = kind.points;
    for (int i = 0; i < kind.points; i++) {
        const int k = point_at(kind, parameters, i);
        const wide_point p = point_of_kind(at->fields, kind, k);
        rows.rows[i] = press_row_of(p.block, p.diagonal, parameters, impulses->r[k], at->a, at->b,
                                    at->mobility_a, at->mobility_b, kind.round);
    }
    const press_impulses pressed = press_swept_coupled(
        &rows, couplings_of(at->fields, &rows, parameters.backward), sweeps, parameters.relaxation);
    at->a = press_applied(&rows, pressed, at->a, -1), at->b = press_applied(&rows, pressed, at->b, 1);
    for (int i = 0; i < kind.points; i++) {
        const int k = point_at(kind, parameters, i);
        impulses->r[k] = impulse_pressed(impulses->r[k], pressed.values[i], parameters);
    }
}

INLINE void visit_take(visit *at, visit_impulses *impulses, int k, block_step step) {
    impulses->r[k] = step.impulse, at->a = step.a, at->b = step.b;
}

INLINE void sweep_point(visit *at, visit_impulses *impulses, sweep_kind kind, solve_parameters parameters,
                        int k) {
    enum { W = SCREE_WIDTH };
    const wide_point p = point_of_kind(at->fields, kind, k);
    if (kind.resists && k == 1) {
        if (kind.position) return; /* which turns nothing back */
        visit_take(at, impulses, k,
                   resistance_swept_isotropic(p.block, p.diagonal, parameters, impulses->r[1],
                                              impulses->r[0].value.x, at->a, at->b, at->mobility_a,
                                              at->mobility_b, kind.round));
        return;
    }
    const schur2 prepared =
        kind.isotropic || kind.position
            ? law_prepared(LAW_RADIAL, symmetric_of(p.diagonal.diagonal, p.diagonal.off_diagonal))
            : prepared_of(at->fields + (size_t)k * POINT_FIELDS * W);
    visit_take(at, impulses, k,
               contact_swept(p.block, p.diagonal, prepared, parameters, kind.isotropic, impulses->r[k], at->a,
                             at->b, at->mobility_a, at->mobility_b, kind.round));
}

/* Point k of both under Coulomb's law, whose solution waits for its own roots and quotients most of the time:
 * the processor has those of two batches under way at once. */
INLINE void slide_points(visit *two, visit_impulses *impulses, sweep_kind kind, solve_parameters parameters,
                         int k) {
    enum { W = SCREE_WIDTH };
    wide_point p[2];
    schur2 prepared[2];
    symmetric3 delassus[2];
    vec3s q[2];
    slip_search search[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        const visit *at = &two[i];
        p[i] = point_of_kind(at->fields, kind, k);
        prepared[i] = prepared_of(at->fields + (size_t)k * POINT_FIELDS * W);
        delassus[i] = symmetric_of(p[i].diagonal.diagonal, p[i].diagonal.off_diagonal);
        const vec3s u = contact_velocity(p[i].block, parameters, impulses[i].r[k], at->a, at->b);
        q[i] = glms_vec3_sub(u, symmetric_times(delassus[i], impulses[i].r[k].value));
        search[i] = slip_begin(delassus[i], prepared[i], q[i], p[i].block.friction);
    }
    if (any_lane(search[0].todo | search[1].todo))
        search[0] = slip_aimed(search[0]), search[1] = slip_aimed(search[1]);
    for (int step = 0; step < COULOMB_STEPS && any_lane(search[0].todo | search[1].todo); step++)
        search[0] = slip_turned(search[0], prepared[0]), search[1] = slip_turned(search[1], prepared[1]);
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        visit *at = &two[i];
        const scalar friction = p[i].block.friction;
        const vec3s solved =
            block_relaxed(parameters, impulses[i].r[k].value,
                          slip_solved(search[i], delassus[i], prepared[i], q[i], friction), friction);
        visit_take(at, &impulses[i], k,
                   contact_applied(p[i].block, impulses[i].r[k], solved, at->a, at->b, at->mobility_a,
                                   at->mobility_b, kind.round));
    }
}

INLINE void sweep_together(const wide_job *job, const batch *first, const batch *end, sweep_kind kind,
                           int together) {
    solve_parameters parameters = job->parameters;
    parameters.position_pass = kind.position;
    const int momentum = job->momentum;
    visit at[2];
    visit_impulses impulses[2];
#pragma GCC unroll 2
    for (int i = 0; i < together; i++) ask_for_sweep(job, first + i, end, kind, together);
#pragma GCC unroll 2
    for (int i = 0; i < together; i++) visit_begin(&at[i], &impulses[i], job, first + i, kind, momentum);
    const local_sweeps sweeps = manifold_sweeps(kind.resists ? 1 : kind.points, parameters);
    if (kind.points > 1 && sweeps.pressed > 0)
#pragma GCC unroll 2
        for (int i = 0; i < together; i++)
            press_visit(&at[i], &impulses[i], kind, parameters, sweeps.pressed);
    const int slides = together == 2 && !kind.isotropic && !kind.position && parameters.law == LAW_COULOMB;
    for (int sweep = 0; sweep < sweeps.whole; sweep++)
        for (int j = 0; j < kind.points; j++) {
            const int k = point_at(kind, parameters, j);
            if (slides)
                slide_points(at, impulses, kind, parameters, k);
            else
#pragma GCC unroll 2
                for (int i = 0; i < together; i++) sweep_point(&at[i], &impulses[i], kind, parameters, k);
        }
#pragma GCC unroll 2
    for (int i = 0; i < together; i++) visit_end(&at[i], &impulses[i], job, kind, momentum);
}

/* A function for each kind of batches side by side, `together` at a time: in one for all of them the compiler
 * gives up on what they have in registers. */
#define SWEEPS(name, points, isotropic, resists, round, ball, position, together)                            \
    __attribute__((noinline)) static void name(const wide_job *job, const batch *of, int count) {            \
        for (const batch *end = of + count; of < end; of += together)                                        \
            sweep_together(job, of, end, (sweep_kind){points, isotropic, resists, round, ball, position},    \
                           together);                                                                        \
    }
#define PASSES(name, points, isotropic, resists, round, ball)                                                \
    SWEEPS(sweep_##name, points, isotropic, resists, round, ball, 0, 1)                                      \
    SWEEPS(push_##name, points, isotropic, resists, round, ball, 1, 1)
PASSES(balls, 1, 1, 0, 1, 1)
PASSES(rolling_balls, 2, 1, 1, 1, 1)
PASSES(round_resisted, 2, 1, 1, 1, 0)
PASSES(resisted, 2, 1, 1, 0, 0)
PASSES(round_singles, 1, 1, 0, 1, 0)
PASSES(singles, 1, 1, 0, 0, 0)
#define MANIFOLDS(points)                                                                                    \
    PASSES(manifolds_##points, points, 0, 0, 0, 0)                                                           \
    PASSES(round_manifolds_##points, points, 0, 0, 1, 0)                                                     \
    SWEEPS(sweep_pairs_##points, points, 0, 0, 0, 0, 0, 2)                                                   \
    SWEEPS(sweep_round_pairs_##points, points, 0, 0, 1, 0, 0, 2)
MANIFOLDS(1)
MANIFOLDS(2)
MANIFOLDS(3)
MANIFOLDS(4)
_Static_assert(BATCH_POINTS == 4, "manifolds of every number of points have their sweeps");
#undef MANIFOLDS
#undef PASSES
#undef SWEEPS

/* Batches of one kind, side by side. In the position pass, where nothing slips, two at once are slower. */
INLINE void sweep_run(const wide_job *job, const batch *of, int count, int position) {
#define SWEEP(name, from, count) (position ? push_##name(job, from, count) : sweep_##name(job, from, count))
#define MANIFOLDS(points)                                                                                    \
    case points:                                                                                             \
        if (of->round)                                                                                       \
            sweep_round_pairs_##points(job, of, even), SWEEP(round_manifolds_##points, of + even, odd);      \
        else                                                                                                 \
            sweep_pairs_##points(job, of, even), SWEEP(manifolds_##points, of + even, odd);                  \
        return
    const int odd = position ? count : count % 2, even = count - odd;
    if (of->ball)
        of->resists ? SWEEP(rolling_balls, of, count) : SWEEP(balls, of, count);
    else if (of->resists)
        of->round ? SWEEP(round_resisted, of, count) : SWEEP(resisted, of, count);
    else if (of->isotropic)
        of->round ? SWEEP(round_singles, of, count) : SWEEP(singles, of, count);
    else
        switch (of->points) {
            MANIFOLDS(1);
            MANIFOLDS(2);
            MANIFOLDS(3);
            MANIFOLDS(4);
        }
#undef MANIFOLDS
#undef SWEEP
}

static void sweep_batches(const wide_job *job, int first, int last) {
    for (int i = first, end; i < last; i = end) {
        for (end = i + 1; end < last && batch_alike(&job->items[i], &job->items[end]);) end++;
        sweep_run(job, &job->items[i], end - i, job->parameters.position_pass);
    }
}
