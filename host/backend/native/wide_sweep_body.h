/* The wide sweep in terms of the kernels' functions: included once by an object of each width, before the
 * other bodies. */
#include "wide_sweep.h"

#include "base/lanes.h"
#include "nesterov.h"
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

/* Of its A_cc what the law's solution reads. The inverse of A_NN is 0 and not 1 where nothing can move, which
 * nothing is pressed against. */
INLINE schur2 prepared_of(const float *at) {
    enum { W = SCREE_WIDTH };
    schur2 s;
    s.inverse_normal = load(at + FIELD_INVERSE_NORMAL * W);
    s.inverse_size = load(at + FIELD_INVERSE_SIZE * W);
    s.swapped = (scalar_mask)load(at + FIELD_SWAPPED * W);
    s.pivot = load(at + FIELD_PIVOT * W), s.rest = load(at + FIELD_REST * W);
    s.off = load(at + FIELD_OFF * W), s.trace = load(at + FIELD_TRACE * W);
    s.slope = load(at + FIELD_SLOPE * W);
    s.inverse_determinant = load(at + FIELD_INVERSE_DETERMINANT * W);
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

/* Of a round body the numbers that velocity_pushed asks for. */
INLINE body_mobility mobility_round(const float *mass, const float *inertia) {
    body_mobility m;
    m.inverse_mass = vec3_of(load(mass), scalar_of(0), scalar_of(0));
    m.diagonal = vec3_of(load(inertia), scalar_of(0), scalar_of(0));
    m.off_diagonal = glms_vec3_zero();
    return m;
}

INLINE block_impulse impulse_of(const float *base, const int *at) {
    const quad q = gather(base, at);
    block_impulse r;
    r.value = xyz(q), r.shift = q.w;
    return r;
}

INLINE void put_impulse(float *base, const int *at, uint32_t which, block_impulse r) {
    scatter(base, at, which, quad_of(r.value, r.shift));
}

/* One float a block, of which the quads are at `at`. */
INLINE void put_each(float *base, const int *at, uint32_t which, scalar x) {
    float each[SCREE_WIDTH];
    __builtin_memcpy(each, &x, sizeof each);
    if (which == (uint32_t)((1u << SCREE_WIDTH) - 1)) {
        for (int lane = 0; lane < SCREE_WIDTH; lane++) base[(unsigned)at[lane] / 4] = each[lane];
        return;
    }
    for (int lane = 0; lane < SCREE_WIDTH; lane++)
        if (which >> lane & 1) base[(unsigned)at[lane] / 4] = each[lane];
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
        ask_fields(at, kind.points, 0, kind.position ? FIELD_INVERSE_SIZE : POINT_FIELDS);
        return;
    }
    ask_fields(at, 1, 0, kind.position ? BALL_TANGENT : BALL_CORRECTION);
    if (kind.position)
        ask_fields(at, 1, BALL_CORRECTION, BALL_FIELDS);
    else if (kind.resists)
        ask_fields(at, 1, BALL_FIELDS, BALL_FIELDS + TURN_FIELDS);
}

INLINE void ask_for_sweep(const wide_job *job, const batch *of, const batch *end, sweep_kind kind) {
    const batch *next = batch_ahead(job, of, end, kind.points);
    if (!next) return;
    const float *fields = job->fields + next->first_field;
    if (kind.round) ask(fields - ROUND_FIELDS * SCREE_WIDTH, ROUND_FIELDS * SCREE_WIDTH);
    ask_points(fields, kind);
    ask_bodies(job->velocities, next);
    ask_blocks(job->impulses, next, kind.points);
    if (!job->momentum) return;
    ask_blocks(job->before, next, kind.points);
    ask(job->uphill + next->impulse[0] / 4, kind.points * SCREE_WIDTH);
}

INLINE void sweep_batch(const wide_job *job, const batch *of, const batch *end, sweep_kind kind) {
    enum { W = SCREE_WIDTH };
    ask_for_sweep(job, of, end, kind);
    const int points = kind.points, isotropic = kind.isotropic, resists = kind.resists,
              position = kind.position, momentum = job->momentum;
    solve_parameters parameters = job->parameters;
    parameters.position_pass = position;
    const float *fields = job->fields + of->first_field, *round = fields - ROUND_FIELDS * W;
    const body_mobility mobility_a =
                            kind.round ? mobility_round(round + ROUND_MASS_A * W, round + ROUND_INERTIA_A * W)
                                       : mobility_of(job->mobility, of->velocity_a),
                        mobility_b =
                            kind.round ? mobility_round(round + ROUND_MASS_B * W, round + ROUND_INERTIA_B * W)
                                       : mobility_of(job->mobility, of->velocity_b);
    body_velocity a = velocity_of(job->velocities, of->velocity_a),
                  b = velocity_of(job->velocities, of->velocity_b);
    block_impulse r[BATCH_POINTS], before[BATCH_POINTS], start[BATCH_POINTS];
    for (int k = 0; k < points; k++) {
        r[k] = impulse_of(job->impulses + 4 * k, of->impulse);
        if (!momentum) continue;
        before[k] = impulse_of(job->before + 4 * k, of->impulse);
        start[k] = r[k] = impulse_extrapolated(before[k], r[k], scalar_of(job->extrapolation));
    }
    const local_sweeps sweeps = manifold_sweeps(resists ? 1 : points, parameters);
    if (points > 1 && sweeps.pressed > 0) {
        press rows;
        rows.count = points;
        for (int i = 0; i < points; i++) {
            const int k = parameters.backward ? points - 1 - i : i;
            const wide_point p = point_of_kind(fields, kind, k);
            rows.rows[i] =
                press_row_of(p.block, p.diagonal, parameters, r[k], a, b, mobility_a, mobility_b, kind.round);
        }
        const press_impulses pressed = press_swept(&rows, sweeps.pressed, parameters.relaxation);
        a = press_applied(&rows, pressed, a, -1), b = press_applied(&rows, pressed, b, 1);
        for (int i = 0; i < points; i++) {
            const int k = parameters.backward ? points - 1 - i : i;
            r[k] = impulse_pressed(r[k], pressed.values[i], parameters);
        }
    }
    for (int sweep = 0; sweep < sweeps.whole; sweep++)
        for (int i = 0; i < points; i++) {
            const int k = parameters.backward ? points - 1 - i : i;
            const wide_point p = point_of_kind(fields, kind, k);
            block_step step;
            if (resists && k == 1) {
                if (position) continue; /* which turns nothing back */
                step = resistance_swept_isotropic(p.block, p.diagonal, parameters, r[1], r[0].value.x, a, b,
                                                  mobility_a, mobility_b, kind.round);
            } else {
                const schur2 prepared =
                    isotropic || position
                        ? law_prepared(LAW_RADIAL, symmetric_of(p.diagonal.diagonal, p.diagonal.off_diagonal))
                        : prepared_of(fields + (size_t)k * POINT_FIELDS * W);
                step = contact_swept(p.block, p.diagonal, prepared, parameters, isotropic, r[k], a, b,
                                     mobility_a, mobility_b, kind.round);
            }
            r[k] = step.impulse, a = step.a, b = step.b;
        }
    for (int k = 0; k < points; k++) {
        put_impulse(job->impulses + 4 * k, of->impulse, of->lanes, r[k]);
        if (!momentum) continue;
        put_each(job->uphill + k, of->impulse, of->lanes,
                 block_uphill(point_of_kind(fields, kind, k).diagonal, start[k], r[k], before[k]));
    }
    put_velocity(job->velocities, of->velocity_a, of->moves_a, a);
    put_velocity(job->velocities, of->velocity_b, of->moves_b, b);
}

INLINE void sweep_all(const wide_job *job, int first, int last, int position) {
#define SWEEP(points, isotropic, resists, round, ball)                                                       \
    sweep_batch(job, of, job->items + last, (sweep_kind){points, isotropic, resists, round, ball, position})
    for (int i = first; i < last; i++) {
        const batch *of = &job->items[i];
        if (of->ball && of->resists)
            SWEEP(2, 1, 1, 1, 1);
        else if (of->ball)
            SWEEP(1, 1, 0, 1, 1);
        else if (of->resists && of->round)
            SWEEP(2, 1, 1, 1, 0);
        else if (of->resists)
            SWEEP(2, 1, 1, 0, 0);
        else if (of->isotropic && of->round)
            SWEEP(1, 1, 0, 1, 0);
        else if (of->isotropic)
            SWEEP(1, 1, 0, 0, 0);
        else if (of->round)
            SWEEP(of->points, 0, 0, 1, 0);
        else
            SWEEP(of->points, 0, 0, 0, 0);
    }
#undef SWEEP
}

static void sweep_batches(const wide_job *job, int first, int last) {
    if (job->parameters.position_pass)
        sweep_all(job, first, last, 1);
    else
        sweep_all(job, first, last, 0);
}
