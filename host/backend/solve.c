/* The methods, written once over the launches of an executor. */
#include "executor.h"

#include "../base/error.h"

#include <math.h>
#include <string.h>

void residual_sum_total(const residual_sum *chunks, int count, residual_sum *out) {
    *out = (residual_sum){0};
    for (int c = 0; c < count; c++) {
        out->map += chunks[c].map;
        out->impulse += chunks[c].impulse;
        out->drive += chunks[c].drive;
        out->change += chunks[c].change;
        out->largest_map = fmax(out->largest_map, chunks[c].largest_map);
    }
}

/* ‖F‖ against the larger of ‖r‖ and ‖ρ q‖; a problem at rest with nothing to do has residual 0. */
static double scaled_residual(const residual_sum *sum) {
    const double scale = fmax(sum->impulse, sum->drive);
    return scale > 0 ? sqrt(sum->map / scale) : 0;
}

/* One Gauss–Seidel sweep: the colours in order, then the tail as one mass-split block. */
static scree_result sweep_once(executor *self, const problem *p, solve_parameters parameters) {
    for (int colour = 0; colour < p->colour_count; colour++) {
        const int first = p->colour_first[colour];
        TRY(self->verbs->sweep(self, first, p->colour_first[colour + 1] - first, parameters));
    }
    if (p->tail_first == p->block_count) return SCREE_OK;
    parameters.split = 2;
    TRY(self->verbs->update(self, p->tail_first, p->block_count - p->tail_first, parameters));
    return self->verbs->gather_tail(self, parameters);
}

/* One Jacobi iteration over all blocks. */
static scree_result jacobi_once(executor *self, const problem *p, solve_parameters parameters) {
    parameters.split = 1;
    TRY(self->verbs->update(self, 0, p->block_count, parameters));
    return self->verbs->gather(self, parameters);
}

/* Forward and back. The tail comes last forward and first back. */
static scree_result sweep_both(executor *self, const problem *p, solve_parameters parameters) {
    TRY(sweep_once(self, p, parameters));
    parameters.backward = 1;
    if (p->tail_first != p->block_count) {
        parameters.split = 2;
        TRY(self->verbs->update(self, p->tail_first, p->block_count - p->tail_first, parameters));
        TRY(self->verbs->gather_tail(self, parameters));
        parameters.split = 0;
    }
    for (int colour = p->colour_count - 1; colour >= 0; colour--) {
        const int first = p->colour_first[colour];
        TRY(self->verbs->sweep(self, first, p->colour_first[colour + 1] - first, parameters));
    }
    return SCREE_OK;
}

/* What an accelerated pass does when the residual rises. */
enum { PLAIN_ITERATIONS = 20, SHIFT_ITERATIONS = 2, LEAST_PATIENCE = 10 };
static const double RISE = 20;
/* The ceiling on Nesterov's t, which is about half the number of iterations since the momentum began. */
static const double LOWEST_CEILING = 4, HIGHEST_CEILING = 1e9;

/* An accelerated pass.
 *
 * Momentum's theory wants a convex problem and the symmetric operator of a sweep forward and back. Over
 * coloured sweeps a forward one alone, each block solved under Coulomb's law as it is, takes fewer iterations
 * than the two with the law made convex (40 against 43 to 1e-3 on the 80 857 contacts of 20 000 beads), at
 * less than half the work, so that is what a pass begins with. Where the residual rises far above the best
 * one, the pass goes back to the best iterate and makes plain iterations for a while; from then on it keeps
 * to the theory: sweeps forward and back, and the shift μ‖u_T‖ of Coulomb's law read at the iterate (not at
 * the extrapolated point) and held for two iterations, so that each block solves a convex problem. The best
 * iterate that was checked is the result. */
typedef struct accelerated {
    executor *run;
    const problem *p;
    const scree_solver_def *options;
    solve_parameters plain, held;
    scree_solve_report *report;
    residual_sum sum, best_sum;
    double residual, best;
    int plain_left;
    bool at_best;              /* the last check found the best iterate */
    bool holds;                /* keeps to the theory */
    double ceiling, milestone; /* on t; the best residual when `since` was last set to 0 */
    int momentum_since, since; /* iterations since the momentum began, and since the milestone */
} accelerated;

static scree_result accelerated_once(accelerated *self) {
    const solve_parameters parameters = self->holds && self->plain_left == 0 ? self->held : self->plain;
    if (self->options->method == SCREE_METHOD_ACCELERATED_JACOBI)
        return jacobi_once(self->run, self->p, parameters);
    return (self->holds ? sweep_both : sweep_once)(self->run, self->p, parameters);
}

/* Momentum makes the residual fall about like 1/k², k = 2t. Where it falls more slowly than 1/k, the momentum
 * remembers more than helps (contacts that change between sticking, sliding and open make the problem another
 * one), and t is held at half of what it is; where the residual halves, the ceiling rises again, and where
 * the lowest one does not help, t is free again. */
static void accelerated_judge_momentum(accelerated *self) {
    const double t = fmin(self->ceiling, 1 + 0.5 * self->momentum_since);
    if (self->since < LEAST_PATIENCE && self->report->iterations > 0) return;
    if (self->residual * (1 + 0.5 * self->since / t) <= self->milestone) {
        if (self->residual < 0.5 * self->milestone)
            self->ceiling = fmin(1.5 * self->ceiling, HIGHEST_CEILING);
    } else if (self->ceiling > LOWEST_CEILING) {
        self->ceiling = fmax(LOWEST_CEILING, t / 2);
    } else {
        self->ceiling = HIGHEST_CEILING;
        self->momentum_since = (int)(2 * LOWEST_CEILING);
    }
    self->milestone = self->residual, self->since = 0;
}

static scree_result accelerated_check(accelerated *self) {
    const executor_verbs *verbs = self->run->verbs;
    const bool moving = self->report->iterations > 0 && self->plain_left == 0;
    TRY((moving ? verbs->regather : verbs->gather)(self->run, self->plain));
    TRY(verbs->residual(self->run, self->plain, &self->sum));
    self->residual = scaled_residual(&self->sum);
    accelerated_judge_momentum(self);
    self->at_best = self->residual < self->best || self->report->iterations == 0;
    if (!self->at_best) return SCREE_OK;
    self->best = self->residual;
    self->best_sum = self->sum;
    return self->run->verbs->best_keep(self->run);
}

/* Between two iterations: momentum, or the way back, or on without. */
static scree_result accelerated_advance(accelerated *self, bool checked) {
    const executor_verbs *verbs = self->run->verbs;
    if (self->plain_left > 0) {
        if (--self->plain_left > 0) return SCREE_OK;
        self->momentum_since = 0;
        return verbs->momentum_begin(self->run, self->plain);
    }
    if (checked && !(self->residual <= RISE * self->best)) {
        self->plain_left = PLAIN_ITERATIONS;
        self->report->fallbacks++;
        self->holds = true;
        TRY(verbs->best_restore(self->run));
        return verbs->gather(self->run, self->plain);
    }
    solve_parameters parameters = self->plain;
    parameters.read_shift = self->holds && self->report->iterations % SHIFT_ITERATIONS == 0;
    return verbs->momentum_step(self->run, parameters, (scalar)self->ceiling);
}

static void accelerated_judge(accelerated *self) {
    const scree_solver_def *options = self->options;
    scree_solve_report *report = self->report;
    if (options->tolerance > 0 && self->residual <= (double)options->tolerance)
        report->stop = SCREE_STOP_RESIDUAL;
    if (!(options->change_tolerance > 0) || report->iterations == 0) return;
    report->change = self->sum.impulse > 0 ? sqrt(self->sum.change / self->sum.impulse) : 0;
    if (report->change <= (double)options->change_tolerance && report->stop == SCREE_STOP_ITERATIONS)
        report->stop = SCREE_STOP_CHANGE;
}

static scree_result run_accelerated(executor *run, problem *p, const scree_solver_def *options,
                                    solve_parameters parameters, scree_solve_report *report) {
    const executor_verbs *verbs = run->verbs;
    accelerated self = {.run = run,
                        .p = p,
                        .options = options,
                        .plain = parameters,
                        .held = parameters,
                        .report = report,
                        .ceiling = HIGHEST_CEILING,
                        .milestone = INFINITY,
                        .holds = options->method == SCREE_METHOD_ACCELERATED_JACOBI};
    if (parameters.law == (int)SCREE_LAW_COULOMB && !parameters.position_pass)
        self.held.law = (int)SCREE_LAW_ASSOCIATED, self.held.held_shift = 1;
    TRY(verbs->begin(run, p, parameters));
    TRY(accelerated_check(&self));
    report->residual_before = self.residual;
    report->stop = SCREE_STOP_ITERATIONS;
    accelerated_judge(&self);
    TRY(verbs->momentum_begin(run, self.plain));
    while (report->stop == SCREE_STOP_ITERATIONS && report->iterations < options->iterations) {
        const int next = report->iterations + 1;
        const bool last = next == options->iterations, check = last || next % options->check_every == 0;
        if (check && options->change_tolerance > 0) TRY(verbs->keep(run));
        TRY(accelerated_once(&self));
        report->iterations = next;
        self.momentum_since++, self.since++;
        if (check) {
            TRY(accelerated_check(&self));
            accelerated_judge(&self);
        }
        if (!last && report->stop == SCREE_STOP_ITERATIONS) TRY(accelerated_advance(&self, check));
    }
    TRY(verbs->momentum_restarts(run, &report->restarts));
    if (!self.at_best) {
        TRY(verbs->best_restore(run));
        TRY(verbs->gather(run, self.plain));
    }
    report->residual = self.best;
    report->residual_absolute = sqrt(self.best_sum.largest_map);
    return verbs->end(run, self.plain);
}

/* One pass: iterations until a criterion is met. Velocities are gathered afresh at the end, so that they
 * belong to the impulses without the rounding that sweeps accumulate. */
static scree_result run_plain(executor *self, problem *p, const scree_solver_def *options,
                              solve_parameters parameters, scree_solve_report *report) {
    residual_sum sum;
    TRY(self->verbs->begin(self, p, parameters));
    TRY(self->verbs->gather(self, parameters));
    TRY(self->verbs->residual(self, parameters, &sum));
    report->residual_before = scaled_residual(&sum);
    report->stop = SCREE_STOP_ITERATIONS;
    if (options->tolerance > 0 && report->residual_before <= (double)options->tolerance)
        report->stop = SCREE_STOP_RESIDUAL;
    const bool tests = options->tolerance > 0 || options->change_tolerance > 0;
    while (report->stop == SCREE_STOP_ITERATIONS && report->iterations < options->iterations) {
        const bool check = tests && (report->iterations + 1) % options->check_every == 0;
        if (check && options->change_tolerance > 0) TRY(self->verbs->keep(self));
        TRY(options->method == SCREE_METHOD_JACOBI ? jacobi_once(self, p, parameters)
                                                   : sweep_once(self, p, parameters));
        report->iterations++;
        if (!check) continue;
        TRY(self->verbs->residual(self, parameters, &sum));
        if (options->tolerance > 0 && scaled_residual(&sum) <= (double)options->tolerance)
            report->stop = SCREE_STOP_RESIDUAL;
        if (options->change_tolerance > 0) {
            report->change = sum.impulse > 0 ? sqrt(sum.change / sum.impulse) : 0;
            if (report->change <= (double)options->change_tolerance && report->stop == SCREE_STOP_ITERATIONS)
                report->stop = SCREE_STOP_CHANGE;
        }
    }
    TRY(self->verbs->gather(self, parameters));
    TRY(self->verbs->residual(self, parameters, &sum));
    report->residual = scaled_residual(&sum);
    report->residual_absolute = sqrt(sum.largest_map);
    return self->verbs->end(self, parameters);
}

static scree_result run_pass(executor *self, problem *p, const scree_solver_def *options,
                             solve_parameters parameters, scree_solve_report *report) {
    const bool momentum =
        options->method == SCREE_METHOD_ACCELERATED_JACOBI || options->method == SCREE_METHOD_ACCELERATED_PGS;
    return (momentum ? run_accelerated : run_plain)(self, p, options, parameters, report);
}

/* Whether a block's gap asks for a push; without one, pseudo-velocities are zero. */
static bool pushes(const problem *p) {
    for (int i = 0; i < p->block_count; i++)
        if (p->blocks[i].correction < 0) return true;
    return false;
}

scree_result solve_iterate(executor *self, problem *p, const scree_solver_def *options,
                           scree_solve_report *report) {
    *report = (scree_solve_report){0};
    if (!options->warm_start) memset(p->impulses, 0, sizeof *p->impulses * (size_t)p->block_count);
    /* Without contacts a pass still yields V = V*. */
    solve_parameters parameters = {
        .law = (int)options->law, .relaxation = options->relaxation, .local_sweeps = options->local_sweeps};
    TRY(run_pass(self, p, options, parameters, report));
    if (p->block_count == 0) report->stop = SCREE_STOP_NONE, report->iterations = 0;
    if (options->stabilisation != SCREE_STABILISATION_SPLIT) return SCREE_OK;
    memset(p->pseudo_impulses, 0, sizeof *p->pseudo_impulses * (size_t)p->block_count);
    if (!pushes(p)) {
        memset(p->pseudo_velocity, 0, sizeof *p->pseudo_velocity * (size_t)p->body_count);
        return SCREE_OK;
    }
    parameters.position_pass = 1;
    scree_solve_report position = {0};
    return run_pass(self, p, options, parameters, &position);
}
