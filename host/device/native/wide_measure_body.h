/* Residuals, sums over bodies and corrections of batches; included by an object of each width after
 * wide_fill_body.h. */
#include "displacement.h"

/* One function per kind of batches, as for sweeps: in a single function for all kinds the compiler spills
 * registers. */
#define OVER_BATCHES(name, pass)                                                                             \
    __attribute__((noinline)) static void name(const wide_job *job, const batch *of, const batch *end) {     \
        for (; of < end; of++) pass;                                                                         \
    }

typedef void batch_pass(const wide_job *job, const batch *of, const batch *end);
typedef struct kind_passes {
    batch_pass *balls, *contacts, *resisted_balls, *several, *resisted;
} kind_passes;

/* Applies a pass to each run of batches of one kind. */
INLINE void over_kinds(const wide_job *job, int first, int last, const kind_passes *passes) {
    for (const batch *of = &job->items[first], *stop = &job->items[last], *end; of < stop; of = end) {
        for (end = of + 1; end < stop && batch_alike(of, end);) end++;
        batch_pass *pass = of->resists   ? of->ball ? passes->resisted_balls : passes->resisted
                           : of->ball    ? passes->balls
                           : of->several ? passes->several
                                         : passes->contacts;
        pass(job, of, end);
    }
}

/* Returns block k of each lane. */
INLINE block_impulse impulse_of_kind(const float *base, const batch *of, sweep_kind kind,
                                     const block_places *places, int k) {
    return kind.several ? impulse_at(base, places) : impulse_of(base + 4 * k, of);
}

INLINE void put_quad_of_kind(float *base, const batch *of, sweep_kind kind, const block_places *places, int k,
                             quad q) {
    if (kind.several)
        scatter(base, places->at, places->lanes, q);
    else
        put_quad(base + 4 * k, of, q);
}

/* `drives`: ρ q has to be computed as well. */
INLINE void measure_batch(const wide_job *job, const batch *of, const batch *end, sweep_kind kind,
                          int position, int drives) {
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
    if (drives) {
        free_a = velocity_of_pass(velocity_of(job->free_velocities, of->velocity_a), parameters);
        free_b = velocity_of_pass(velocity_of(job->free_velocities, of->velocity_b), parameters);
    }
    const scalar counts = kind.several ? counts_of(job->fields + of->first_field, kind) : scalar_of(0);
    scalar normal = scalar_of(0);
    for (int k = 0; k < kind.points; k++) {
        const block_places places = kind.several ? places_of(of, counts, k) : (block_places){0};
        const wide_point p = point_of_kind(job->fields + of->first_field, kind, k);
        const block_impulse r = impulse_of_kind(job->impulses, of, kind, &places, k);
        const block_impulse kept = job->kept ? impulse_of_kind(job->kept, of, kind, &places, k) : r;
        const block_residual one =
            kind.resists && k % 2
                ? resistance_residual_of(p.block, p.diagonal, parameters, r, kept, normal, a, b)
                : contact_residual_of(p.block, p.diagonal, parameters, r, kept, a, b, free_a, free_b);
        normal = r.value.x;
        put_quad_of_kind(job->residuals, of, kind, &places, k,
                         (quad){one.map, one.impulse, one.change, one.violation});
        if (drives && job->drives)
            put_quad_of_kind(job->drives, of, kind, &places, k, (quad){one.drive, one.free, normal, normal});
    }
}

#define MEASURES(name, position, drives)                                                                     \
    OVER_BATCHES(name##_balls,                                                                               \
                 measure_batch(job, of, end, (sweep_kind){.points = 1, .ball = 1}, position, drives))        \
    OVER_BATCHES(name##_contacts,                                                                            \
                 measure_batch(job, of, end, (sweep_kind){.points = of->points}, position, drives))          \
    OVER_BATCHES(                                                                                            \
        name##_resisted_balls,                                                                               \
        measure_batch(job, of, end, (sweep_kind){.points = 2, .ball = 1, .resists = 1}, position, drives))   \
    OVER_BATCHES(                                                                                            \
        name##_several,                                                                                      \
        measure_batch(job, of, end, (sweep_kind){.points = of->points, .several = 1}, position, drives))     \
    OVER_BATCHES(name##_resisted,                                                                            \
                 measure_batch(job, of, end, (sweep_kind){.points = of->points, .resists = 1, .several = 1}, \
                               position, drives))                                                            \
    static const kind_passes name = {name##_balls, name##_contacts, name##_resisted_balls, name##_several,   \
                                     name##_resisted};
MEASURES(measure_first, 0, 1)
MEASURES(measure_next, 0, 0)
MEASURES(measure_pushes, 1, job->drives != 0)
#undef MEASURES

static void measure_batches(const wide_job *job, int first, int last) {
    over_kinds(job, first, last,
               job->parameters.position_pass ? &measure_pushes
               : job->drives                 ? &measure_first
                                             : &measure_next);
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
    const scalar counts = kind.several ? counts_of(job->fields + of->first_field, kind) : scalar_of(0);
    for (int k = 0; k < kind.points; k++) {
        const block_places places = kind.several ? places_of(of, counts, k) : (block_places){0};
        const wide_point p = point_of_kind(job->fields + of->first_field, kind, k);
        const block_impulse r = impulse_of_kind(job->impulses, of, kind, &places, k);
        if (kind.resists && k % 2) {
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

OVER_BATCHES(sum_balls, push_batch(job, of, end, (sweep_kind){.points = 1, .ball = 1}))
OVER_BATCHES(sum_contacts, push_batch(job, of, end, (sweep_kind){.points = of->points}))
OVER_BATCHES(sum_resisted_balls, push_batch(job, of, end, (sweep_kind){.points = 2, .ball = 1, .resists = 1}))
OVER_BATCHES(sum_several, push_batch(job, of, end, (sweep_kind){.points = of->points, .several = 1}))
OVER_BATCHES(sum_resisted,
             push_batch(job, of, end, (sweep_kind){.points = of->points, .resists = 1, .several = 1}))
#undef OVER_BATCHES

static void push_batches(const wide_job *job, int first, int last) {
    static const kind_passes passes = {sum_balls, sum_contacts, sum_resisted_balls, sum_several,
                                       sum_resisted};
    over_kinds(job, first, last, &passes);
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
        const sweep_kind kind = {.points = of->points, .ball = of->ball, .resists = of->resists};
        for (int k = 0; k < of->points; k += of->resists ? 2 : 1) {
            float *fields = job->fields + of->first_field,
                  *at = fields + (size_t)batch_block_at(of->resists, k) * SCREE_WIDTH;
            wide_point p = point_of_kind(fields, kind, k);
            p.block.closing = p.block.correction;
            const scalar correction = block_correction(p.block, a, b);
            store(at + (of->ball ? BALL_CORRECTION : FIELD_CORRECTION) * SCREE_WIDTH, correction);
            if (!job->blocks) continue;
            const block_places places =
                places_of(of, of->several ? counts_of(fields, kind) : scalar_of((float)of->points), k);
            for (int lane = 0; lane < SCREE_WIDTH; lane++)
                if (places.lanes >> lane & 1)
                    job->blocks[places.at[lane] / 4 * BLOCK_FLOATS + BLOCK_CORRECTION] = correction[lane];
        }
    }
}
