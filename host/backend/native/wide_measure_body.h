/* Residuals, sums over bodies and corrections of batches: included by an object of each width, behind
 * wide_fill_body.h. */
#include "displacement.h"

/* Two kinds of batches that most are of, and any other: known when a pass over batches is compiled. */
#define OF_EACH_KIND(of, pass)                                                                               \
    do {                                                                                                     \
        if ((of)->ball && !(of)->resists)                                                                    \
            pass(((sweep_kind){.points = 1, .ball = 1}));                                                    \
        else if (!(of)->ball && !(of)->resists)                                                              \
            pass(((sweep_kind){.points = (of)->points}));                                                    \
        else                                                                                                 \
            pass(((sweep_kind){.points = 2, .ball = (of)->ball, .resists = 1}));                             \
    } while (0)

INLINE void measure_batch(const wide_job *job, const batch *of, const batch *end, sweep_kind kind,
                          int position) {
    const batch *next = batch_ahead(job, of, end, kind.points, 1);
    if (next) {
        kind.position = position;
        ask_points(job->fields + next->first_field, kind);
        ask_bodies(job->velocities, next);
        ask_blocks(job->impulses, next, kind.points), ask_blocks(job->residuals, next, kind.points);
        if (job->kept) ask_blocks(job->kept, next, kind.points);
    }
    solve_parameters parameters = job->parameters;
    parameters.position_pass = position;
    const body_velocity a = velocity_of(job->velocities, of->velocity_a),
                        b = velocity_of(job->velocities, of->velocity_b);
    body_velocity free_a = a, free_b = b;
    if (job->drives) {
        free_a = velocity_of_pass(velocity_of(job->free_velocities, of->velocity_a), parameters);
        free_b = velocity_of_pass(velocity_of(job->free_velocities, of->velocity_b), parameters);
    }
    scalar normal = scalar_of(0);
    for (int k = 0; k < kind.points; k++) {
        const wide_point p = point_of_kind(job->fields + of->first_field, kind, k);
        const block_impulse r = impulse_of(job->impulses + 4 * k, of);
        const block_impulse kept = job->kept ? impulse_of(job->kept + 4 * k, of) : r;
        const block_residual one =
            kind.resists && k == 1
                ? resistance_residual_of(p.block, p.diagonal, parameters, r, kept, normal, a, b, free_a,
                                         free_b)
                : contact_residual_of(p.block, p.diagonal, parameters, r, kept, a, b, free_a, free_b);
        normal = r.value.x;
        put_quad(job->residuals + 4 * k, of, (quad){one.map, one.impulse, one.change, one.violation});
        if (job->drives) put_quad(job->drives + 4 * k, of, (quad){one.drive, one.free, normal, normal});
    }
}

INLINE void measure_all(const wide_job *job, int first, int last, int position) {
#define MEASURE(kind) measure_batch(job, &job->items[i], job->items + last, kind, position)
    for (int i = first; i < last; i++) OF_EACH_KIND(&job->items[i], MEASURE);
#undef MEASURE
}

static void measure_batches(const wide_job *job, int first, int last) {
    if (job->parameters.position_pass)
        measure_all(job, first, last, 1);
    else
        measure_all(job, first, last, 0);
}

INLINE body_impulse sum_of(const float *base, const int *at) {
    const quad_pair q = gather_pair(base, at);
    return (body_impulse){xyz(q.first), xyz(q.second)};
}

INLINE void put_sum(float *base, const int *at, uint32_t which, body_impulse sum) {
    const scalar zero = scalar_of(0);
    scatter_pair(base, at, which, (quad_pair){quad_of(sum.linear, zero), quad_of(sum.angular, zero)});
}

INLINE void push_batch(const wide_job *job, const batch *of, const batch *end, sweep_kind kind) {
    const batch *next = batch_ahead(job, of, end, kind.points, 1);
    if (next) {
        const float *at = job->fields + next->first_field;
        if (kind.ball)
            ask_fields(at, 1, BALL_NORMAL, BALL_FRICTION);
        else
            ask_fields(at, kind.points, 0, FIELD_FRICTION);
        ask_bodies(job->sums, next), ask_blocks(job->impulses, next, kind.points);
    }
    body_impulse a = sum_of(job->sums, of->velocity_a), b = sum_of(job->sums, of->velocity_b);
    for (int k = 0; k < kind.points; k++) {
        const wide_point p = point_of_kind(job->fields + of->first_field, kind, k);
        const block_impulse r = impulse_of(job->impulses + 4 * k, of);
        if (kind.resists && k == 1) {
            const vec3s on_b = block_to_world(p.block, r.value);
            a = body_impulse_turned(a, glms_vec3_negate(on_b), p.block.length);
            b = body_impulse_turned(b, on_b, p.block.length);
        } else {
            a = body_impulse_plus(a, p.block, r, 0), b = body_impulse_plus(b, p.block, r, 1);
        }
    }
    put_sum(job->sums, of->velocity_a, of->moves_a, a);
    put_sum(job->sums, of->velocity_b, of->moves_b, b);
}

static void push_batches(const wide_job *job, int first, int last) {
#define PUSH(kind) push_batch(job, &job->items[i], job->items + last, kind)
    for (int i = first; i < last; i++) OF_EACH_KIND(&job->items[i], PUSH);
#undef PUSH
}

static void correct_batches(const wide_job *job, int first, int last) {
    for (int i = first; i < last; i++) {
        const batch *of = &job->items[i];
        body_velocity a = velocity_of(job->velocities, of->velocity_a),
                      b = velocity_of(job->velocities, of->velocity_b);
        if (job->rebounds) {
            a = velocity_sum(a, velocity_of(job->rebounds, of->velocity_a));
            b = velocity_sum(b, velocity_of(job->rebounds, of->velocity_b));
        }
        for (int k = 0; k < (of->resists ? 1 : of->points); k++) {
            float *at = job->fields + of->first_field + (size_t)k * POINT_FIELDS * SCREE_WIDTH;
            wide_point p = point_of_kind(job->fields + of->first_field,
                                         (sweep_kind){.ball = of->ball, .resists = of->resists}, k);
            p.block.closing = p.block.correction;
            const scalar correction = block_correction(p.block, a, b);
            store(at + (of->ball ? BALL_CORRECTION : FIELD_CORRECTION) * SCREE_WIDTH, correction);
            for (int lane = 0; lane < SCREE_WIDTH && job->blocks; lane++)
                job->blocks[(of->impulse[lane] / 4 + k) * BLOCK_FLOATS + BLOCK_CORRECTION] = correction[lane];
        }
    }
}
