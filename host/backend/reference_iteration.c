#include "reference_iteration.h"

#include "../base/clock.h"
#include "../base/memory.h"
#include "reference_law.h"
#include "reference_newton.h"

#include <string.h>

/* Block Gauss–Seidel with momentum (Nesterov 1983, restarted as O'Donoghue & Candès 2015).
 *
 * Sweeps begin at y = r + β (r − r_old), β = (t − 1)/t⁺ with t⁺ = (1 + √(1 + 4t²))/2. A step that goes back
 * on the last one, Σ λmax(A_aa) (y_a − r_a)·(r_a − r_old,a) > 0, restarts the momentum.
 *
 * Momentum's theory wants a convex problem and the symmetric operator of a sweep forward and back. A forward
 * sweep alone with each block solved under its law is neither, and yet mostly takes no more iterations, so
 * that is what a solve begins with (of the nine public problems of more than 40 contacts, seven come
 * to 1e-8 by it alone, in 0.3 to 0.8 of the sweeps). Where the error rises far above the best one or
 * stagnates, the iteration returns to the best r and keeps to the theory from then on: sweeps forward and
 * back, and, as Coulomb's law becomes a minimisation when the shift μ‖u_T‖ is held, the shift read at r (not
 * at y) every other iteration, with each block's convex problem solved exactly in between.
 *
 * The moving shift still makes long momentum drift away from the solution of some problems, while others need
 * it. So t has a ceiling, which is halved where the error rises or stagnates again, and raised where it
 * falls; each time the iteration returns to the best r and makes some plain sweeps, in which every block is
 * solved under its law with nothing held. When the lowest ceiling no longer helps, a long stretch of plain
 * sweeps follows, and then the momentum is free again; a whole such round without progress ends the solve.
 *
 * Where sweeps have taken as much work as a second-order finish is likely to take, that is tried (for
 * Coulomb's law: reference_newton.h) from the best r, and again when sweeps have taken as much again, or more
 * where it brought little. Piles of boxes and stacks, for which sweeps need ten thousands of iterations or
 * never come to 1e-10, are what it is for; it at most doubles the time where it does not help. */
enum {
    PLAIN_START = 6,     /* enough for problems whose blocks hardly couple */
    PLAIN_RECOVERY = 20, /* plain iterations after a return */
    CHECK_EVERY = 2,     /* iterations between two errors, and between two readings of the shifts */
    PLAIN_ROUND = 400    /* plain iterations when the lowest ceiling does not help */
};
static const double RISE = 20; /* over the best error */
/* Work is counted in products of two blocks; a product of a block and a vector, and a contact's solution: */
static const double WORK_ENTRY = 0.17, WORK_CONTACT = 1.5;
static const double FINISH_STEPS = 30; /* linear systems that the second-order finish is taken to need */
static const double WORTH = 0.1; /* to which part it must bring the error for sweeps to begin from there */
static const double WAIT = 1.25; /* how the wait grows with each time that it does not */
static const double LOWEST_CEILING = 4, HIGHEST_CEILING = 1e9;

/* Where the iteration stands. */
typedef struct progress {
    double best;
    double milestone;   /* best error when `since` was set back */
    double round_start; /* best error when the momentum was last set free */
    int plain;          /* plain iterations still to make */
    int since;          /* iterations since the milestone */
    int rises;          /* far above the best error, since the milestone */
    bool fruitless;     /* a whole round brought nothing */
} progress;

typedef struct iteration {
    const delassus *a;
    const reference_goal *goal;
    real3 *r, *old, *y, *best;
    double *shift, *weight;
    reference_factored *diagonal;
    double momentum, ceiling; /* t and the most that it may be */
    bool forward;             /* one sweep under the law as it is; else forward and back, with shifts held */
    double swept;             /* work of all sweeps */
    double next_finish, first_finish; /* work at which the second-order finish is tried, and is first */
    double wait;
    bool finishes;
    scree_problem_report *report;
} iteration;

/* The natural map of block i. */
static real3 map_of(const delassus *a, scree_law law, int i, const real3 *r, real3 u, double rho) {
    if (a->kind[i] == SCREE_BLOCK_RESISTANCE)
        return reference_resistance_map(r[i], u, delassus_bound(a, r, i), rho);
    if (a->kind[i] == SCREE_BLOCK_BOUNDED) return reference_bounded_map(r[i], u, a->box[i], rho);
    return reference_natural_map(law, &a->entries[a->diagonal[i]], r[i], u, a->friction[i], rho);
}

/* ‖F‖₂² and so on at one contact, added up. */
static void add_contact(const delassus *a, scree_law law, int i, const real3 *r, real3 u,
                        reference_norms *sum) {
    const double rho = delassus_rho(a, i), map = real3_square(map_of(a, law, i, r, u, rho));
    sum->map += map;
    sum->unit_map += real3_square(map_of(a, law, i, r, u, 1));
    sum->impulse += real3_square(r[i]);
    sum->velocity += real3_square(u);
    sum->drive += real3_square(a->q[i]);
    sum->scaled_drive += rho * rho * real3_square(a->q[i]);
    if (sum->worst < 0 || !(map <= sum->worst_residual))
        sum->worst = i, sum->worst_residual = map; /* NaN stays */
}

static double shift_of(double friction, real3 u) { return friction * sqrt(u.y * u.y + u.z * u.z); }

/* Norms at r; also fills the velocities and the shifts that are not null. */
static reference_norms norms_at(const delassus *a, scree_law law, const real3 *r, real3 *u, double *shift) {
    reference_norms sum = {.worst = -1};
    for (int i = 0; i < a->count; ++i) {
        const real3 velocity = delassus_velocity(a, r, i);
        add_contact(a, law, i, r, velocity, &sum);
        if (u) u[i] = velocity;
        const bool shifted = law == SCREE_LAW_COULOMB && a->kind[i] == SCREE_BLOCK_CONTACT;
        if (shift) shift[i] = shifted ? shift_of(a->friction[i], velocity) : 0;
    }
    sum.worst_residual = sqrt(sum.worst_residual);
    return sum;
}

reference_norms reference_measure(const delassus *a, scree_law law, const real3 *r, real3 *u) {
    return norms_at(a, law, r, u, NULL);
}

double reference_error_of(const reference_norms *norms, scree_measure measure) {
    double scale = 0, map = norms->unit_map;
    switch (measure) {
    case SCREE_MEASURE_SICONOS:
        scale = sqrt(fmax(norms->drive, fmax(norms->impulse, norms->velocity)));
        return scale > 2.2e-16 ? sqrt(map) / scale : sqrt(map);
    case SCREE_MEASURE_FCLIB:
        return sqrt(map) / (1 + sqrt(sqrt(norms->drive)));
    default:
        map = norms->map;
        scale = sqrt(fmax(norms->impulse, norms->scaled_drive));
        return map > 0 || !(map <= 0) ? sqrt(map) / scale : 0;
    }
}

static real3 solved(const iteration *self, int i, bool held) {
    const delassus *a = self->a;
    const real3x3 *block = &a->entries[a->diagonal[i]];
    const real3 q = real3_difference(delassus_velocity(a, self->r, i), real3x3_times(block, self->r[i]));
    if (a->kind[i] == SCREE_BLOCK_RESISTANCE)
        return reference_resistance_solve(block, q, delassus_bound(a, self->r, i));
    if (a->kind[i] == SCREE_BLOCK_BOUNDED) return reference_bounded_solve(block, q, a->box[i], self->r[i]);
    const reference_factored *factored = &self->diagonal[i];
    if (held) return reference_factored_held(factored, q, a->friction[i], self->shift[i], self->r[i]);
    return reference_factored_solve(self->goal->law, factored, q, a->friction[i], self->r[i]);
}

static void sweep_forward(iteration *self, bool held) {
    for (int i = 0; i < self->a->count; ++i) self->r[i] = solved(self, i, held);
    ++self->report->sweeps;
    self->swept += WORK_ENTRY * self->a->first[self->a->count] + WORK_CONTACT * self->a->count;
}

/* Forward and back. */
static void sweep(iteration *self, bool held) {
    sweep_forward(self, held);
    for (int i = self->a->count - 1; i >= 0; --i) self->r[i] = solved(self, i, held);
    ++self->report->sweeps;
    self->swept += WORK_ENTRY * self->a->first[self->a->count] + WORK_CONTACT * self->a->count;
}

static void copy(real3 *to, const real3 *from, int count) { memcpy(to, from, (size_t)count * sizeof *to); }

static void accelerated_sweep(iteration *self) {
    copy(self->old, self->r, self->a->count);
    copy(self->r, self->y, self->a->count);
    if (self->forward)
        sweep_forward(self, false);
    else
        sweep(self, self->goal->law == SCREE_LAW_COULOMB || self->goal->law == SCREE_LAW_ASSOCIATED);
    double uphill = 0;
    for (int i = 0; i < self->a->count; ++i)
        uphill += self->weight[i] * real3_inner(real3_difference(self->y[i], self->r[i]),
                                                real3_difference(self->r[i], self->old[i]));
    double next = (1 + sqrt(1 + 4 * self->momentum * self->momentum)) / 2, beta = (self->momentum - 1) / next;
    if (uphill > 0) next = 1, beta = 0, ++self->report->restarts;
    self->momentum = fmin(next, self->ceiling);
    for (int i = 0; i < self->a->count; ++i)
        self->y[i] = real3_sum(self->r[i], real3_scaled(beta, real3_difference(self->r[i], self->old[i])));
}

/* Norms at r, which also set the shifts; the error goes into the history. */
static double check(iteration *self, reference_norms *norms) {
    const double started = clock_seconds();
    *norms = norms_at(self->a, self->goal->law, self->r, NULL, self->shift);
    const double error = reference_error_of(norms, self->goal->measure);
    if (self->report->history_count < self->goal->history_capacity && self->goal->history)
        self->goal->history[self->report->history_count++] = error;
    self->report->measure_seconds += clock_seconds() - started;
    return error;
}

static void begin_momentum(iteration *self) {
    copy(self->y, self->r, self->a->count);
    self->momentum = 1;
}

/* Momentum was too long, or does not help any more; `once`: but for one rise. */
static void hold_back(iteration *self, progress *state, bool once) {
    copy(self->r, self->best, self->a->count);
    state->since = 0;
    ++self->report->fallbacks;
    if (once || self->forward) {
        state->plain = PLAIN_RECOVERY;
        self->forward = false;
    } else if (self->ceiling > LOWEST_CEILING) {
        self->ceiling = fmax(LOWEST_CEILING, fmin(self->ceiling, self->momentum) / 2);
        state->plain = PLAIN_RECOVERY;
    } else {
        self->ceiling = HIGHEST_CEILING;
        state->plain = PLAIN_ROUND;
        state->fruitless = state->best > state->round_start / 2;
        state->round_start = state->best;
    }
}

/* Keeps the best, and decides how to go on. */
static void judge(iteration *self, progress *state, double error) {
    if (error < state->best) {
        state->best = error;
        copy(self->best, self->r, self->a->count);
    }
    if (state->best < state->milestone / 2) {
        state->milestone = state->best, state->since = 0, state->rises = 0;
        self->ceiling = fmin(1.5 * self->ceiling, HIGHEST_CEILING);
    }
    const bool rose = !(error <= RISE * state->best);
    const bool stagnates = state->since > self->goal->patience;
    if (state->plain == 0 && (rose || stagnates)) hold_back(self, state, rose && !state->rises++);
}

/* The first time after the least that the linear systems can take: no fill, and a search through all places.
 */
static void plan_finish(iteration *self) {
    const double count = self->a->count;
    self->finishes = !self->goal->plain && newton_applies(self->a, self->goal->law);
    self->wait = 1;
    self->next_finish = self->first_finish =
        FINISH_STEPS * (0.1 * count * count + self->a->first[self->a->count]);
}

static scree_result finish(iteration *self, progress *state, reference_norms *after) {
    newton second;
    TRY(newton_allocate(&second, self->a));
    second.work = self->swept;
    second.most_of_step = self->swept / FINISH_STEPS;
    const double before = state->best;
    if (newton_finish(&second, self->goal, self->best, after))
        state->best = reference_error_of(after, self->goal->measure);
    if (state->best < WORTH * before) {
        copy(self->r, self->best, self->a->count);
        begin_momentum(self);
        self->wait = 1;
    } else {
        self->wait *= WAIT;
    }
    self->report->newton_steps += second.steps;
    self->next_finish = self->swept + self->wait * fmax(self->swept - second.work, self->first_finish);
    newton_release(&second);
    return SCREE_OK;
}

static scree_result run(iteration *self, reference_norms *before, reference_norms *after) {
    const reference_goal *goal = self->goal;
    scree_problem_report *report = self->report;
    progress state = {.best = check(self, before), .plain = goal->plain ? goal->iterations : PLAIN_START};
    state.milestone = state.round_start = state.best;
    *after = *before;
    self->ceiling = HIGHEST_CEILING;
    self->forward = true;
    copy(self->best, self->r, self->a->count);
    begin_momentum(self);
    plan_finish(self);
    while (report->iterations < goal->iterations && !(state.best <= goal->tolerance) &&
           isfinite(state.best) && !state.fruitless) {
        const bool plain = state.plain > 0;
        if (plain)
            sweep(self, false), --state.plain;
        else
            accelerated_sweep(self);
        ++state.since;
        if (++report->iterations % CHECK_EVERY && report->iterations < goal->iterations && !plain) continue;
        reference_norms now;
        const double error = check(self, &now);
        if (error < state.best) *after = now;
        judge(self, &state, error);
        if (plain && state.plain == 0) begin_momentum(self), state.since = 0;
        if (self->finishes && self->swept >= self->next_finish && state.best > goal->tolerance)
            TRY(finish(self, &state, after));
    }
    copy(self->r, self->best, self->a->count);
    report->stop = state.best <= goal->tolerance ? SCREE_STOP_RESIDUAL : SCREE_STOP_ITERATIONS;
    return SCREE_OK;
}

/* The largest eigenvalue of the symmetric part of a 3×3 block, by the trigonometric solution of its
 * characteristic equation (Smith 1961). */
static double largest_eigenvalue(const real3x3 *m) {
    const double p = (m->m[0][1] + m->m[1][0]) / 2, o = (m->m[0][2] + m->m[2][0]) / 2,
                 n = (m->m[1][2] + m->m[2][1]) / 2;
    const double mean = real3x3_trace(m) / 3, x = m->m[0][0] - mean, y = m->m[1][1] - mean,
                 z = m->m[2][2] - mean;
    const double radius = sqrt((x * x + y * y + z * z + 2 * (p * p + o * o + n * n)) / 6);
    if (!(radius > 0)) return mean;
    const double half =
        (x * (y * z - n * n) - p * (p * z - n * o) + o * (p * n - y * o)) / (2 * radius * radius * radius);
    return mean + 2 * radius * cos(acos(fmin(fmax(half, -1), 1)) / 3);
}

static void fill_reports(const iteration *self, const reference_norms *before, const reference_norms *after,
                         scree_solve_report *report) {
    *report = (scree_solve_report){.iterations = self->report->iterations,
                                   .stop = self->report->stop,
                                   .residual_before = reference_error_of(before, SCREE_MEASURE_SCALED),
                                   .residual = reference_error_of(after, SCREE_MEASURE_SCALED),
                                   .residual_absolute = after->worst_residual};
    for (int m = 0; m < SCREE_MEASURE_COUNT; ++m)
        self->report->residual[m] = reference_error_of(after, (scree_measure)m);
    self->report->worst = after->worst, self->report->worst_residual = after->worst_residual;
}

static scree_result iterate(iteration *self, scree_solve_report *report) {
    const size_t n = (size_t)self->a->count;
    real3 *vectors = memory_allocate(3 * n, sizeof *vectors);
    double *numbers = memory_allocate(2 * n, sizeof *numbers);
    self->diagonal = memory_allocate(n, sizeof *self->diagonal);
    scree_result result = SCREE_OK;
    if (vectors && numbers && self->diagonal) {
        self->old = vectors, self->y = vectors + n, self->best = vectors + 2 * n;
        self->shift = numbers, self->weight = numbers + n;
        for (int i = 0; i < self->a->count; ++i) {
            const real3x3 *block = &self->a->entries[self->a->diagonal[i]];
            self->weight[i] = largest_eigenvalue(block);
            self->diagonal[i] = reference_factor(block);
        }
        reference_norms before, after;
        result = run(self, &before, &after);
        if (result == SCREE_OK) fill_reports(self, &before, &after, report);
    } else {
        result = fail(SCREE_ERROR_MEMORY, "out of memory: the iteration over %zu contacts", n);
    }
    memory_release(vectors);
    memory_release(numbers);
    memory_release(self->diagonal);
    return result;
}

scree_result reference_iterate(const delassus *a, const reference_goal *goal, real3 *r,
                               scree_solve_report *report, scree_problem_report *detail) {
    scree_problem_report own = {.worst = -1, .stop = SCREE_STOP_NONE};
    *report = (scree_solve_report){.stop = SCREE_STOP_NONE};
    if (detail)
        *detail = own;
    else
        detail = &own;
    iteration self = {.a = a, .goal = goal, .r = r, .report = detail};
    return a->count ? iterate(&self, report) : SCREE_OK;
}
