/* The wide sweep, written with the kernels' functions; included by an object of each width after
 * wide_point_body.h. */

/* A batch while it is swept. */
typedef struct visit {
    const batch *of;
    const float *fields;
    body_mobility mobility_a, mobility_b;
    body_velocity a, b;
} visit;

/* The impulses of a visit. They are a separate struct because members indexed at run time stay in memory. */
typedef struct visit_impulses {
    block_impulse r[BATCH_POINTS], before[BATCH_POINTS], start[BATCH_POINTS];
} visit_impulses;

INLINE void visit_open(visit *at, const wide_job *job, const batch *of, sweep_kind kind) {
    at->of = of;
    at->fields = job->fields + of->first_field;
    at->a = velocity_of(job->velocities, of->velocity_a);
    at->b = velocity_of(job->velocities, of->velocity_b);
    at->mobility_a = kind.round ? mobility_of_round(at->a) : mobility_of(job->mobility, of->velocity_a);
    at->mobility_b = kind.round ? mobility_of_round(at->b) : mobility_of(job->mobility, of->velocity_b);
}

INLINE void visit_close(const visit *at, const wide_job *job) {
    put_velocity(job->velocities, at->of->velocity_a, at->of->moves_a, at->a);
    put_velocity(job->velocities, at->of->velocity_b, at->of->moves_b, at->b);
}

INLINE void visit_begin(visit *at, visit_impulses *impulses, const wide_job *job, const batch *of,
                        sweep_kind kind, int momentum) {
    visit_open(at, job, of, kind);
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
    visit_close(at, job);
}

/* Returns the i-th point in the order of the sweep. */
INLINE int point_at(sweep_kind kind, solve_parameters parameters, int i) {
    return parameters.backward ? kind.points - 1 - i : i;
}

/* Computes the couplings of a manifold's normal rows for a backward sweep: C_ij and C_ji round differently.
 */
__attribute__((noinline)) static void couple_backward(const wide_job *job, const batch *of, int points,
                                                      int round, float *out) {
    enum { W = SCREE_WIDTH };
    const sweep_kind kind = {.points = points, .round = round};
    visit at;
    press rows;
    visit_open(&at, job, of, kind);
    rows.count = points;
    for (int i = 0; i < points; i++) {
        const constraint_block block = point_of_kind(at.fields, kind, points - 1 - i).block;
        rows.rows[i].normal = block.normal;
        rows.rows[i].a = press_side_of(block.normal, block.arm_a, at.mobility_a, round);
        rows.rows[i].b = press_side_of(block.normal, block.arm_b, at.mobility_b, round);
    }
    const press_couplings found = press_coupled(&rows);
    for (int k = 0; k < batch_couplings(points); k++) store(out + k * W, found.values[k]);
}

/* Number of batches whose stages alternate. With 8 lanes a sweep of B1000 takes 135 µs with two and 147 with
 * one. With 16 lanes two spill more of the registers. */
enum { SIDE_BY_SIDE = SCREE_WIDTH == 16 ? 1 : 2 };

/* The normal rows of a visit. The velocity changes per impulse are computed when they are applied, because
 * 16 registers do not hold them during the sweeps. */
typedef struct press_visit {
    scalar velocities[BATCH_POINTS], impulses[BATCH_POINTS]; /* in the order of the sweep */
    const float *couplings;
} press_visit;

INLINE void press_begin(press_visit *rows, const wide_job *job, const visit *at,
                        const visit_impulses *impulses, sweep_kind kind, solve_parameters parameters,
                        float *backward) {
    for (int i = 0; i < kind.points; i++) {
        const int k = point_at(kind, parameters, i);
        rows->velocities[i] = press_velocity(point_of_kind(at->fields, kind, k).block, parameters,
                                             impulses->r[k], at->a, at->b);
        rows->impulses[i] = impulses->r[k].value.x;
    }
    rows->couplings = fields_of_block(at->fields, kind, kind.points);
    if (!parameters.backward) return;
    couple_backward(job, at->of, kind.points, kind.round, backward);
    rows->couplings = backward;
}

/* GCC does not see that press_begin has set the rows. */
#ifndef __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
/* Solves the j-th row, as press_swept_coupled does. */
INLINE void press_row_swept(press_visit *rows, const visit *at, sweep_kind kind, solve_parameters parameters,
                            int j) {
    const wide_point p = point_of_kind(at->fields, kind, point_at(kind, parameters, j));
    const scalar solved = press_solved(rows->impulses[j], rows->velocities[j], p.diagonal.inverse_normal,
                                       parameters.relaxation),
                 change = solved - rows->impulses[j];
    rows->impulses[j] = solved;
    for (int i = 0; i < kind.points; i++)
        rows->velocities[i] += (i == j ? press_own(p.block, p.diagonal, parameters)
                                       : load(rows->couplings + press_coupling_at(i, j) * SCREE_WIDTH)) *
                               change;
}

INLINE void press_end(const press_visit *rows, visit *at, visit_impulses *impulses, sweep_kind kind,
                      solve_parameters parameters) {
    press_sum a = press_sum_none(), b = press_sum_none();
    for (int i = 0; i < kind.points; i++) {
        const int k = point_at(kind, parameters, i);
        const constraint_block block = point_of_kind(at->fields, kind, k).block;
        const scalar change = rows->impulses[i] - impulses->r[k].value.x;
        a = press_sum_plus(a, press_side_of(block.normal, block.arm_a, at->mobility_a, kind.round), change);
        b = press_sum_plus(b, press_side_of(block.normal, block.arm_b, at->mobility_b, kind.round), change);
        impulses->r[k] = impulse_pressed(impulses->r[k], rows->impulses[i], parameters);
    }
    at->a = press_sum_applied(a, at->a, -1), at->b = press_sum_applied(b, at->b, 1);
}

/* Solves the normal rows of the visits. Each row waits for the one before, so the visits alternate. */
INLINE void press_visits(const wide_job *job, visit *at, visit_impulses *impulses, sweep_kind kind,
                         solve_parameters parameters, int sweeps, int together) {
    press_visit rows[SIDE_BY_SIDE];
    float backward[SIDE_BY_SIDE][PRESS_COUPLINGS * SCREE_WIDTH];
#pragma GCC unroll 2
    for (int i = 0; i < together; i++)
        press_begin(&rows[i], job, &at[i], &impulses[i], kind, parameters, backward[i]);
    for (int sweep = 0; sweep < sweeps; sweep++)
#pragma GCC unroll 4
        for (int j = 0; j < kind.points; j++)
#pragma GCC unroll 2
            for (int i = 0; i < together; i++) press_row_swept(&rows[i], &at[i], kind, parameters, j);
#pragma GCC unroll 2
    for (int i = 0; i < together; i++) press_end(&rows[i], &at[i], &impulses[i], kind, parameters);
}

#ifndef __clang__
#pragma GCC diagnostic pop
#endif

INLINE void visit_take(visit *at, visit_impulses *impulses, int k, block_step step) {
    impulses->r[k] = step.impulse, at->a = step.a, at->b = step.b;
}

INLINE void sweep_point(visit *at, visit_impulses *impulses, sweep_kind kind, solve_parameters parameters,
                        int k) {
    enum { W = SCREE_WIDTH };
    const wide_point p = point_of_kind(at->fields, kind, k);
    if (kind.resists && k == 1) {
        if (kind.position) return; /* resistances do not act in the position pass */
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

/* Does the same as coulomb_slid for batches side by side, stage by stage: a processor looks less far ahead
 * than a whole solution. */
INLINE void slide_stages(stuck_block *stuck, const wide_point *p, const symmetric3 *delassus,
                         const schur2 *prepared, const visit_impulses *impulses, const vec3s *u, int k) {
    slip_search search[SIDE_BY_SIDE];
    vec3s q[SIDE_BY_SIDE];
#pragma GCC unroll 2
    for (int i = 0; i < SIDE_BY_SIDE; i++) {
        q[i] = glms_vec3_sub(u[i], symmetric_times(delassus[i], impulses[i].r[k].value));
        search[i] = slip_begin(delassus[i], prepared[i], q[i], p[i].block.friction);
    }
#pragma GCC unroll 2
    for (int i = 0; i < SIDE_BY_SIDE; i++)
        search[i] = slip_resumed(search[i], prepared[i], impulses[i].r[k].value);
#pragma GCC unroll 2
    for (int i = 0; i < SIDE_BY_SIDE; i++) search[i] = slip_turned(search[i], prepared[i]);
#pragma GCC unroll 2
    for (int i = 0; i < SIDE_BY_SIDE; i++)
        stuck[i] = stuck_unless(
            stuck[i], search[i],
            slip_solved(search[i], delassus[i], prepared[i], q[i].x, p[i].block.friction, stuck[i].slides));
}

/* Updates point k of both batches under Coulomb's law. Its solution waits for its own square roots and
 * divisions most of the time; two batches at once fill these waits. Three or four do not fit the registers.
 */
INLINE void slide_points(visit *two, visit_impulses *impulses, sweep_kind kind, solve_parameters parameters,
                         int k) {
    enum { W = SCREE_WIDTH };
    wide_point p[2];
    schur2 prepared[2];
    symmetric3 delassus[2];
    vec3s u[2];
    stuck_block stuck[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        const visit *at = &two[i];
        p[i] = point_of_kind(at->fields, kind, k);
        prepared[i] = prepared_of(at->fields + (size_t)k * POINT_FIELDS * W);
        delassus[i] = symmetric_of(p[i].diagonal.diagonal, p[i].diagonal.off_diagonal);
        u[i] = contact_velocity(p[i].block, parameters, impulses[i].r[k], at->a, at->b);
        stuck[i] = coulomb_stuck(delassus[i], prepared[i], impulses[i].r[k].value, u[i], p[i].block.friction);
    }
    if (any_lane(stuck[0].slides | stuck[1].slides))
#pragma GCC unroll 2
        for (int i = 0; i < 2; i += SIDE_BY_SIDE)
            slide_stages(&stuck[i], &p[i], &delassus[i], &prepared[i], &impulses[i], &u[i], k);
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        visit *at = &two[i];
        const vec3s solved =
            block_relaxed(parameters, impulses[i].r[k].value, stuck_impulse(stuck[i]), p[i].block.friction);
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
        for (int i = 0; i < together; i += SIDE_BY_SIDE)
            press_visits(job, &at[i], &impulses[i], kind, parameters, sweeps.pressed,
                         together < SIDE_BY_SIDE ? together : SIDE_BY_SIDE);
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

/* The functions of one kind: for velocities, and for the position pass. */
typedef struct sweep_row {
    void (*sweep)(const wide_job *, const batch *, int count);
    void (*push)(const wide_job *, const batch *, int count);
} sweep_row;

/* Define the functions of one kind of batches, of which they sweep `together` at a time: in a single function
 * for all kinds the compiler spills registers. In the position pass, where nothing slides, two at once are
 * slower. */
#define SWEEP(name, together, ...)                                                                           \
    __attribute__((noinline)) static void name(const wide_job *job, const batch *of, int count) {            \
        const batch *end = of + count;                                                                       \
        for (; end - of >= (together); of += (together))                                                     \
            sweep_together(job, of, end, (sweep_kind){__VA_ARGS__}, together);                               \
        if ((together) > 1 && of < end) sweep_together(job, of, end, (sweep_kind){__VA_ARGS__}, 1);          \
    }
#define SWEEPS(name, together, ...)                                                                          \
    SWEEP(sweep_##name, together, __VA_ARGS__)                                                               \
    SWEEP(push_##name, 1, __VA_ARGS__, .position = 1)                                                        \
    static const sweep_row name = {sweep_##name, push_##name};
SWEEPS(balls, 1, .points = 1, .isotropic = 1, .round = 1, .ball = 1)
SWEEPS(rolling_balls, 1, .points = 2, .isotropic = 1, .resists = 1, .round = 1, .ball = 1)
SWEEPS(round_singles, 1, .points = 1, .isotropic = 1, .round = 1)
SWEEPS(singles, 1, .points = 1, .isotropic = 1)
SWEEPS(manifolds_1, 2, .points = 1)
SWEEPS(manifolds_2, 2, .points = 2)
SWEEPS(manifolds_3, 2, .points = 3)
SWEEPS(manifolds_4, 2, .points = 4)
SWEEPS(round_manifolds_1, 2, .points = 1, .round = 1)
SWEEPS(round_manifolds_2, 2, .points = 2, .round = 1)
SWEEPS(round_manifolds_3, 2, .points = 3, .round = 1)
SWEEPS(round_manifolds_4, 2, .points = 4, .round = 1)
#undef SWEEPS
#undef SWEEP

#include "wide_several_body.h"

static const sweep_row *row_of(const batch *of) {
    static const sweep_row *const manifolds[2][BATCH_POINTS] = {
        {&manifolds_1, &manifolds_2, &manifolds_3, &manifolds_4},
        {&round_manifolds_1, &round_manifolds_2, &round_manifolds_3, &round_manifolds_4}};
    if (of->ball) return of->resists ? &rolling_balls : &balls;
    if (of->resists) return of->round ? &round_resisted : &resisted;
    if (of->several) return &several;
    if (of->isotropic) return of->round ? &round_singles : &singles;
    return manifolds[of->round][of->points - 1];
}

static void sweep_batches(const wide_job *job, int first, int last) {
    for (int i = first, end; i < last; i = end) {
        for (end = i + 1; end < last && batch_alike(&job->items[i], &job->items[end]);) end++;
        const sweep_row *row = row_of(&job->items[i]);
        (job->parameters.position_pass ? row->push : row->sweep)(job, &job->items[i], end - i);
    }
}
