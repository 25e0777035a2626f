#include "host_solve.h"

#include "base/clock.h"
#include "base/memory.h"
#include "feasibility.h"
#include "host_law.h"
#include "newton.h"
#include "solve/nesterov_control.h"
#include "eager.h"

#include <string.h>

/* Block Gauss–Seidel with momentum (Nesterov 1983, restarted as O'Donoghue & Candès 2015).
 *
 * Sweeps begin at y = r + β (r − r_old), β = (t − 1)/t⁺ with t⁺ = (1 + √(1 + 4t²))/2. The momentum restarts
 * if the sweep's correction r − y points against the whole step r − r_old, Σ λmax(A_ii) (y_i − r_i)·(r_i −
 * r_old,i) > 0. The control of the kernels' methods (nesterov_control.h, `patient`) decides when momentum is
 * held back, and when a sweep goes forward and backward with Coulomb's shift held: of the nine public
 * problems of more than 40 contacts, seven reach 1e-8 by forward sweeps alone, in 0.3 to 0.8 of the sweeps of
 * the symmetric ones. Plain sweeps go forward and backward, with every block solved under its law and nothing
 * held.
 *
 * For Coulomb's law, when sweeps have cost as much work as a second-order finish (newton.h) is likely to
 * cost, the finish is tried from the best r, and again when sweeps have cost as much again, or more if the
 * finish gained little. It serves piles of boxes and stacks, for which sweeps need tens of thousands of
 * iterations or never reach 1e-10, and at most doubles the time of other problems. */
enum {
    CHECK_EVERY = 2
}; /* iterations between two tests of the error, and between two readings of the shifts */
/* In products of two blocks. WORK_ENTRY: product of a block and a vector; WORK_CONTACT: solution of one
 * contact. */
static const double WORK_ENTRY = 0.17, WORK_CONTACT = 1.5;
static const double FINISH_STEPS = 30; /* estimated number of linear systems of the second-order finish */
static const double WORTH =
    0.1; /* sweeps continue from its result if it reduces the error to this fraction */
static const double SUSPICIOUS =
    0.05; /* violation relative to the largest at zero impulses that starts a feasibility test */
static const double WAIT = 1.25; /* growth of the wait after each finish that gains less */

typedef struct iteration {
    const delassus *a;
    const host_goal *goal;
    real3 *r, *old, *y, *best;
    double *shift, *weight;
    host_factored *diagonal;
    nesterov_control control;
    double t;
    double swept;                     /* work of all sweeps */
    double next_finish, first_finish; /* work at which the second-order finish is tried next, and first */
    double wait;
    double next_look; /* work at which feasibility is tested next */
    bool finishes, hopeless;
    scree_problem_report *report;
} iteration;

/* Returns the impulse of block i that satisfies its law while the others stay. `held`: constant shift. */
static real3 solved(const iteration *self, int i, bool held) {
    const delassus *a = self->a;
    const real3x3 *block = &a->entries[a->diagonal[i]];
    const real3 q = real3_difference(delassus_velocity(a, self->r, i), real3x3_times(block, self->r[i]));
    const host_factored *factored = &self->diagonal[i];
    switch ((scree_block_kind)a->kind[i]) {
    case SCREE_BLOCK_CONTACT:
        return held ? host_factored_held(factored, q, a->friction[i], self->shift[i], self->r[i])
                    : host_factored_solve(self->goal->law, factored, q, a->friction[i], self->r[i]);
    case SCREE_BLOCK_RESISTANCE:
        return host_resistance_solve(block, q, delassus_bound(a, self->r, i));
    case SCREE_BLOCK_BOUNDED:
        return host_bounded_solve(block, q, delassus_box(a, i), self->r[i]);
    case SCREE_BLOCK_KIND_COUNT:
        break;
    }
    return (real3){NAN, NAN, NAN};
}

static void sweep_forward(iteration *self, bool held) {
    for (int i = 0; i < self->a->count; i++) self->r[i] = solved(self, i, held);
    ++self->report->sweeps;
    self->swept += WORK_ENTRY * self->a->first[self->a->count] + WORK_CONTACT * self->a->count;
}

/* Sweeps forward and backward. */
static void sweep(iteration *self, bool held) {
    sweep_forward(self, held);
    for (int i = self->a->count - 1; i >= 0; --i) self->r[i] = solved(self, i, held);
    ++self->report->sweeps;
    self->swept += WORK_ENTRY * self->a->first[self->a->count] + WORK_CONTACT * self->a->count;
}

static void copy(real3 *to, const real3 *from, int count) { memcpy(to, from, (size_t)count * sizeof *to); }

/* Sweeps from y, restarts the momentum if the step went uphill, and extrapolates to the next y. */
static void accelerated_sweep(iteration *self) {
    copy(self->old, self->r, self->a->count);
    copy(self->r, self->y, self->a->count);
    if (!self->control.holds)
        sweep_forward(self, false);
    else
        sweep(self, self->goal->law == SCREE_LAW_COULOMB || self->goal->law == SCREE_LAW_ASSOCIATED);
    double uphill = 0;
    for (int i = 0; i < self->a->count; i++)
        uphill += self->weight[i] * real3_inner(real3_difference(self->y[i], self->r[i]),
                                                real3_difference(self->r[i], self->old[i]));
    double next = (1 + sqrt(1 + 4 * self->t * self->t)) / 2, beta = (self->t - 1) / next;
    if (uphill > 0) {
        next = 1;
        beta = 0;
        ++self->report->restarts;
    }
    self->t = fmin(next, self->control.ceiling);
    for (int i = 0; i < self->a->count; i++)
        self->y[i] = real3_sum(self->r[i], real3_scaled(beta, real3_difference(self->r[i], self->old[i])));
}

/* Computes the norms at r and the shifts; records the error in the history. */
static double check(iteration *self, host_norms *norms) {
    const double started = clock_seconds();
    *norms = host_measure_shifts(self->a, self->goal->law, self->r, NULL, self->shift);
    const double error = host_error_of(norms, self->goal->measure);
    if (self->report->history_count < self->goal->history_capacity && self->goal->history)
        self->goal->history[self->report->history_count++] = error;
    self->report->measure_seconds += clock_seconds() - started;
    return error;
}

static void begin_nesterov(iteration *self) {
    copy(self->y, self->r, self->a->count);
    self->t = 1;
}

/* Returns to the best r for iterations without momentum. */
static void hold_back(iteration *self, double error) {
    nesterov_control_hold_back(&self->control, error, self->t);
    copy(self->r, self->best, self->a->count);
}

/* Schedules the first finish at the least possible work of its linear systems: without fill-in, and one
 * search of their tables of places (elimination.h). */
static void plan_finish(iteration *self) {
    const double count = self->a->count;
    self->finishes = !self->goal->plain && newton_applies(self->a, self->goal->law);
    self->wait = 1;
    self->next_finish = self->first_finish =
        FINISH_STEPS * (0.1 * count * count + self->a->first[self->a->count]);
}

/* Tries the second-order finish from the best r and schedules the next one. Continues from its result if this
 * is worth it. */
static scree_result finish(iteration *self, host_norms *after) {
    newton second;
    TRY(newton_allocate(&second, self->a));
    second.work = self->swept;
    second.max_of_step = self->swept / FINISH_STEPS;
    const double before = self->control.best;
    if (newton_finish(&second, self->goal, self->best, after))
        self->control.best = host_error_of(after, self->goal->measure);
    if (self->control.best < WORTH * before) {
        copy(self->r, self->best, self->a->count);
        begin_nesterov(self);
        self->wait = 1;
    } else {
        self->wait *= WAIT;
    }
    self->report->newton_steps += second.steps;
    self->next_finish = self->swept + self->wait * fmax(self->swept - second.work, self->first_finish);
    newton_release(&second);
    return SCREE_OK;
}

/* Tests feasibility with a tenth of the work so far if the weighted violation exceeds the residual of the
 * natural map (solver.h), or the violation exceeds SUSPICIOUS times that at zero impulses. */
static scree_result test_feasibility(iteration *self, const host_norms *now) {
    const double least = fmin(host_map_of(now, self->goal->measure), SUSPICIOUS * EAGER_VIOLATION_WEIGHT);
    if (self->swept < self->next_look || !(host_violation_of(now) > least)) return SCREE_OK;
    infeasibility found;
    TRY(feasibility_test(self->a, &(feasibility_goal){.work = 0.1 * self->swept}, &found));
    self->hopeless = found.proven;
    self->next_look = fmax(2 * self->swept, 100.0 * self->a->first[self->a->count]);
    return SCREE_OK;
}

/* Runs one iteration, tests its error if one is due, and adapts the method. */
static scree_result iterate(iteration *self, host_norms *after) {
    nesterov_control *control = &self->control;
    const bool plain = control->plain > 0;
    if (plain)
        sweep(self, false);
    else
        accelerated_sweep(self);
    nesterov_control_made(control, 1);
    if (++self->report->iterations % CHECK_EVERY && self->report->iterations < self->goal->iterations &&
        !plain)
        return SCREE_OK;
    host_norms now;
    const double error = check(self, &now);
    TRY(test_feasibility(self, &now));
    if (nesterov_control_test(control, error)) {
        *after = now;
        copy(self->best, self->r, self->a->count);
    }
    if (!plain && nesterov_control_rejects(control, error)) hold_back(self, error);
    if (plain && control->plain == 0) begin_nesterov(self);
    return self->finishes && self->swept >= self->next_finish && control->best > self->goal->tolerance
               ? finish(self, after)
               : SCREE_OK;
}

/* Iterates from r to the goal and leaves the best r; `after`: its norms. */
static scree_result iterate_to_goal(iteration *self, host_norms *after) {
    const host_goal *goal = self->goal;
    nesterov_control *control = &self->control;
    *control = nesterov_control_begin(check(self, after), true, false);
    if (goal->plain) control->plain = goal->iterations;
    copy(self->best, self->r, self->a->count);
    begin_nesterov(self);
    plan_finish(self);
    while (self->report->iterations < goal->iterations && !(control->best <= goal->tolerance) &&
           isfinite(control->best) && !control->fruitless && !self->hopeless)
        TRY(iterate(self, after));
    copy(self->r, self->best, self->a->count);
    self->report->fallbacks = control->fallbacks;
    /* ITERATIONS also if the control gave up (fruitless) or the error is not finite. */
    self->report->stop = control->best <= goal->tolerance ? SCREE_STOP_RESIDUAL
                         : self->hopeless                 ? SCREE_STOP_INFEASIBLE
                                                          : SCREE_STOP_ITERATIONS;
    return SCREE_OK;
}

/* Returns the largest eigenvalue of the symmetric part of a 3×3 block, by the trigonometric solution of its
 * characteristic equation (Smith 1961). */
static double max_eigenvalue(const real3x3 *m) {
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

static void fill_report(const iteration *self, const host_norms *after) {
    for (int m = 0; m < SCREE_MEASURE_COUNT; m++)
        self->report->residual[m] = host_error_of(after, (scree_measure)m);
    self->report->worst = after->worst;
    self->report->worst_residual = after->worst_residual;
}

static scree_result allocate_and_run(iteration *self) {
    const size_t n = (size_t)self->a->count;
    real3 *vectors = memory_allocate(3 * n, sizeof *vectors);
    double *numbers = memory_allocate(2 * n, sizeof *numbers);
    self->diagonal = memory_allocate(n, sizeof *self->diagonal);
    scree_result result = SCREE_OK;
    if (vectors && numbers && self->diagonal) {
        self->old = vectors;
        self->y = vectors + n;
        self->best = vectors + 2 * n;
        self->shift = numbers;
        self->weight = numbers + n;
        for (int i = 0; i < self->a->count; i++) {
            const real3x3 *block = &self->a->entries[self->a->diagonal[i]];
            self->weight[i] = max_eigenvalue(block);
            self->diagonal[i] = host_factor(block);
        }
        host_norms after;
        result = iterate_to_goal(self, &after);
        if (result == SCREE_OK) fill_report(self, &after);
    } else {
        result = fail(SCREE_ERROR_MEMORY, "out of memory: the iteration over %zu contacts", n);
    }
    memory_release(vectors);
    memory_release(numbers);
    memory_release(self->diagonal);
    return result;
}

scree_result host_solve(const delassus *a, const host_goal *goal, real3 *r, scree_problem_report *report) {
    *report = (scree_problem_report){.worst = -1, .stop = SCREE_STOP_NONE};
    iteration self = {.a = a, .goal = goal, .r = r, .report = report};
    return a->count ? allocate_and_run(&self) : SCREE_OK;
}
