/* The methods, written once over the launches of an executor. */
#include "solving.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/stage_log.h"
#include "rows/problem.h"
#include "rows/stabilisation.h"
#include "method.h"
#include "eager.h"

#include <math.h>
#include <string.h>

scree_result executor_sweep_remainder(executor *self, int first, int end, solve_parameters parameters) {
    if (first == end) return SCREE_OK;
    parameters.split = 2;
    TRY(self->operations->update(self, first, end - first, parameters));
    return self->operations->gather_remainder(self, parameters);
}

static scree_result sweep_remainder(const solving *self, solve_parameters parameters) {
    return executor_sweep_remainder(self->run, self->plan->remainder_first, self->plan->block_count,
                                    parameters);
}

/* Sweeps the colours in order, then the uncoloured remainder; backward in the reverse order. */
static scree_result sweep_all(const solving *self, bool backward, solve_parameters parameters) {
    const iteration_plan *plan = self->plan;
    parameters.backward = backward;
    if (backward) TRY(sweep_remainder(self, parameters));
    for (int i = 0; i < plan->colour_count; i++) {
        const int colour = backward ? plan->colour_count - 1 - i : i, first = plan->colour_first[colour];
        TRY(self->run->operations->sweep(self->run, first, plan->colour_first[colour + 1] - first,
                                         parameters));
    }
    return backward ? SCREE_OK : sweep_remainder(self, parameters);
}

static scree_result solve_trees(const solving *self, solve_parameters parameters) {
    const problem *p = self->plan->p;
    return p && p->forest.tree_count > 0 ? self->run->operations->solve_trees(self->run, parameters)
                                         : SCREE_OK;
}

static scree_result iterate_once(const solving *self, iteration_kind kind, solve_parameters parameters) {
    if (kind == ITERATION_JACOBI) {
        parameters.split = 1;
        TRY(self->run->operations->update(self->run, 0, self->plan->block_count, parameters));
        TRY(self->run->operations->gather(self->run, parameters));
        return solve_trees(self, parameters);
    }
    TRY(sweep_all(self, false, parameters));
    if (kind == ITERATION_BOTH_WAYS) TRY(sweep_all(self, true, parameters));
    return solve_trees(self, parameters);
}

/* Runs iterations without tests, in one launch if the executor supports that. */
scree_result solving_iterate(const solving *self, iteration_run run) {
    const executor_operations *operations = self->run->operations;
    const solve_parameters parameters = run.shifts ? self->held : self->plain;
    solve_parameters step = self->plain;
    step.ceiling = self->ahead ? 0 : (float)self->control.ceiling;
    step.split = run.kind == ITERATION_JACOBI;
    bool done = false;
    if (operations->iterate) TRY(operations->iterate(self->run, run, parameters, step, &done));
    for (int i = 0; i < run.count && !done; i++) {
        if (run.nesterov && (i > 0 || !run.fresh)) {
            step.read_shift = run.shifts && (run.made + i) % SHIFT_ITERATIONS == 0;
            TRY(operations->nesterov_step(self->run, step));
        }
        TRY(iterate_once(self, run.kind, parameters));
    }
    return SCREE_OK;
}

void solving_made(solving *self, iteration_run run) {
    self->out->iterations += run.count;
    self->out->sweeps += run.kind == ITERATION_BOTH_WAYS ? 2 * run.count : run.count;
}

/* Measures the residual of the current impulses. Gathers their velocities first, which removes the round-off
 * that sweeps accumulate. */
scree_result solving_measure(solving *self, bool moving) {
    const double started = clock_seconds();
    solve_outcome *out = self->out;
    TRY((moving ? self->run->operations->regather : self->run->operations->gather)(self->run, self->plain));
    TRY(self->run->operations->residual(self->run, self->plain, &self->sum));
    self->residual = residual_sum_residual(&self->sum, self->goal->measure);
    if (self->goal->history && out->history_count < self->goal->history_capacity)
        self->goal->history[out->history_count++] = self->residual;
    out->measure_seconds += clock_seconds() - started;
    return SCREE_OK;
}

/* Round-off of a residual in single precision. Reductions below it are not progress. */
static const double NOISE = 2e-6;

/* Returns whether more than a few blocks exceed the goal's violation speed, or one exceeds it several times,
 * although the residual does not show it. A pile of thousands of blocks always has a few points, as the four
 * between two cubes, that need another thirty iterations, without visible effect. With few blocks none may
 * exceed it. */
static const double FEW = 1e-3, SEVERAL = 5;

static bool violated(const solving *self) {
    const double speed = self->goal->violation_speed, most = sqrt(self->sum.violation);
    return speed > 0 && most > speed &&
           (self->sum.violated > FEW * (double)self->plan->block_count || most > SEVERAL * speed);
}

/* Returns whether the residual is small enough and the solve has reduced its initial value. The warm start
 * carries the error of one step into the next. The residual barely shows the slowest modes of a stack: if
 * steps add more to these than they remove, the stack rocks until it collapses at a residual that looks
 * small. */
static bool solved(const solving *self) {
    const solve_goal *goal = self->goal;
    const double asked = fmax(goal->reduction * self->out->residual_before, fmin(NOISE, goal->tolerance));
    return goal->tolerance > 0 && self->residual <= goal->tolerance &&
           (!(goal->reduction < 1) || self->residual <= asked) && !violated(self);
}

void solving_judge(solving *self) {
    const solve_goal *goal = self->goal;
    solve_outcome *out = self->out;
    if (out->iterations < goal->least) return;
    if (solved(self)) out->stop = SCREE_STOP_RESIDUAL;
    if (!(goal->change_tolerance > 0) || out->iterations == 0) return;
    out->change = self->sum.impulse > 0 ? sqrt(self->sum.change / self->sum.impulse) : 0;
    if (out->change <= goal->change_tolerance && out->stop == SCREE_STOP_ITERATIONS)
        out->stop = SCREE_STOP_CHANGE;
}

/* Fraction of the largest violation at zero impulses: a violation that should not persist in a solve. */
static const double SUSPICIOUS = 0.05;

/* Tests feasibility if it is time to, and stops the solve if there is no solution. */
scree_result solving_test_feasibility(solving *self) {
    const solve_goal *goal = self->goal;
    solve_outcome *out = self->out;
    if (!goal->hopeless || out->stop != SCREE_STOP_ITERATIONS ||
        out->iterations < self->next_feasibility_test ||
        !(residual_sum_violation(&self->sum) >
          fmin(residual_sum_map(&self->sum, goal->measure), SUSPICIOUS * EAGER_VIOLATION_WEIGHT)))
        return SCREE_OK;
    bool hopeless;
    self->next_feasibility_test = out->iterations < 50 ? 100 : 2 * out->iterations;
    TRY(goal->hopeless(goal->context, out->iterations, &hopeless));
    if (hopeless) out->stop = SCREE_STOP_INFEASIBLE;
    return SCREE_OK;
}

/* Returns the number of iterations until the next test. `change` is that of one iteration, before which
 * impulses are kept, hence the one less. */
int solving_until_test(const solving *self, bool tests) {
    const int left = self->goal->iterations - self->out->iterations;
    if (!tests) return left;
    const int every = self->goal->check_every, next = every - self->out->iterations % every;
    const int count = next < left ? next : left;
    return count > 1 && self->goal->change_tolerance > 0 ? count - 1 : count;
}

bool solving_tested_after(const solving *self, int count) {
    const int next = self->out->iterations + count;
    return next % self->goal->check_every == 0 || next == self->goal->iterations;
}

void solving_record(solving *self) {
    solve_outcome *out = self->out;
    out->residual = self->residual;
    out->largest = sqrt(self->sum.max_map);
    out->violation = residual_sum_violation(&self->sum) / EAGER_VIOLATION_WEIGHT;
    out->violation_speed = sqrt(self->sum.violation);
    out->closing_speed = sqrt(self->sum.free);
}

static scree_result run_plain(solving *self, iteration_kind kind) {
    const solve_goal *goal = self->goal;
    solve_outcome *out = self->out;
    const bool tests = goal->tolerance > 0 || goal->change_tolerance > 0 || goal->history;
    const bool blind = goal->blind && !tests;
    TRY(blind ? self->run->operations->gather(self->run, self->plain) : solving_measure(self, false));
    out->residual_before = self->residual;
    solving_judge(self);
    TRY(solving_test_feasibility(self));
    while (out->stop == SCREE_STOP_ITERATIONS && out->iterations < goal->iterations) {
        const int count = solving_until_test(self, tests);
        const bool test = tests && solving_tested_after(self, count);
        if (test && goal->change_tolerance > 0) TRY(self->run->operations->keep(self->run));
        const iteration_run run = {.kind = kind, .count = count, .made = out->iterations};
        TRY(solving_iterate(self, run));
        solving_made(self, run);
        if (!test && out->iterations < goal->iterations) continue;
        TRY(blind ? self->run->operations->gather(self->run, self->plain) : solving_measure(self, false));
        if (test) solving_judge(self);
        if (test) TRY(solving_test_feasibility(self));
    }
    solving_record(self);
    return self->run->operations->end(self->run, self->plain);
}

scree_result solve_run(executor *run, const iteration_plan *plan, const solve_goal *goal,
                       solve_parameters parameters, solve_outcome *out) {
    *out = (solve_outcome){.stop = SCREE_STOP_ITERATIONS};
    parameters.unit_measure = goal->measure != SCREE_MEASURE_SCALED;
    parameters.violation_limit = (float)(goal->violation_speed * goal->violation_speed);
    solving self = {
        .run = run, .plan = plan, .goal = goal, .plain = parameters, .held = parameters, .out = out};
    if (parameters.law == (int)SCREE_LAW_COULOMB && !parameters.position_pass) {
        self.held.law = (int)SCREE_LAW_ASSOCIATED;
        self.held.held_shift = 1;
    }
    TRY(run->operations->begin(run, plan->p, parameters));
    const method_row *method = method_row_of(goal->method);
    return method->nesterov ? solving_accelerate(&self) : run_plain(&self, method->kind);
}

enum { POSITION_CHECK = 3 }; /* iterations between two tests of the position pass */

/* If joint trees are the whole problem, an iteration is a solution up to rounding, and the next one refines
 * it. Each iteration is tested, and momentum leaves nothing to smooth. */
enum { REFINEMENTS = 2 };

/* Returns the minimum number of iterations: one with joint trees. The residual is global and does not show
 * links whose load is a hundred thousand times heavier: at 1e-7, they may still deviate by 0.01 m/s from
 * their warm start, and steps would never remove that error. */
static int least_iterations(const problem *p) { return p->forest.tree_count > 0; }

static solve_goal velocity_goal(const problem *p, const solve_request *request) {
    const scree_solver_def *options = request->options;
    return (solve_goal){.method = options->method,
                        .iterations = options->iterations,
                        .least = request->least > 0 ? request->least : least_iterations(p),
                        .check_every = p->forest.complete ? 1 : options->check_every,
                        .tolerance = (double)options->tolerance,
                        .reduction = (double)options->reduction,
                        .change_tolerance = (double)options->change_tolerance,
                        .violation_speed = (double)options->violation_tolerance * (double)p->drive_speed,
                        .holds = p->crowded,
                        .smooths = !(options->change_tolerance > 0) && !p->forest.complete};
}

/* Plain sweeps: one sweep from the warm start is worth many with momentum from zero. `made`: iterations of
 * the velocity pass. With joints the pass does not use that many: ten links of 1 kg under 50 000 kg separate
 * by 0.03 % of a link with 60 sweeps, and by 3 % with as many as the velocities take. Without joints fewer do
 * not pay: if the pass ends after 3 of 15 sweeps, once nothing sinks by more than 1e-5 of a radius, contacts
 * open and close, and the velocity pass of C20 takes 60 iterations instead of 14. */
static solve_goal position_goal(const problem *p, const scree_solver_def *options, int made) {
    const bool jacobi = method_row_of(options->method)->kind == ITERATION_JACOBI,
               few = p->forest.places_bodies && options->split.position_iterations > REFINEMENTS,
               follows = options->split.position_follows && p->row_count == 0 &&
                         made > options->split.position_iterations;
    return (solve_goal){.method = jacobi ? SCREE_METHOD_JACOBI : SCREE_METHOD_PGS,
                        .iterations = few       ? REFINEMENTS
                                      : follows ? made
                                                : options->split.position_iterations,
                        .least = least_iterations(p),
                        .check_every = POSITION_CHECK,
                        .tolerance = (double)options->split.position_tolerance,
                        .reduction = 1};
}

static scree_result run_pass(executor *self, problem *p, const solve_goal *goal, solve_parameters parameters,
                             solve_outcome *out) {
    const iteration_plan plan = {.p = p,
                                 .block_count = p->block_count,
                                 .colour_count = p->colour_count,
                                 .colour_first = p->colour_first,
                                 .remainder_first = p->remainder_first};
    return solve_run(self, &plan, goal, parameters, out);
}

static scree_solve_report report_of(const solve_outcome *out, int blocks) {
    return (scree_solve_report){.iterations = blocks ? out->iterations : 0,
                                .stop = blocks ? out->stop : SCREE_STOP_NONE,
                                .residual_before = out->residual_before,
                                .residual = out->residual,
                                .residual_absolute = out->largest,
                                .violation = out->violation,
                                .change = out->change,
                                .restarts = out->restarts,
                                .fallbacks = out->fallbacks};
}

/* A contact that the position pass leaves at the speed u < 0 sinks by h u in the step. While a front of
 * impacts moves through a pile, that repeats for many steps, and each removes only the fraction β: the
 * overlap grows to at most h u/β. The pass therefore continues, with the iterations of the velocity pass,
 * until nothing sinks by more than this fraction of the smallest body, or the gain is too small. That applies
 * to steps in which a contact would close by a substantial part of the smallest body; at rest one pass
 * suffices, however fast all bodies move together. */
static const double SINKING = 1.0 / 300, GAIN = 0.9, FAST = 1.0 / 8;
enum { MORE_PASSES = 7 };

static scree_result run_positions(executor *self, problem *p, const solve_request *request,
                                  solve_parameters parameters, const solve_outcome *velocity) {
    solve_goal first = position_goal(p, request->options, velocity->iterations);
    const solve_goal further = velocity_goal(p, request);
    const double smallest = (double)p->smallest, h = (double)p->time_step, limit = SINKING * smallest / h;
    const int most = h * velocity->closing_speed > FAST * smallest ? MORE_PASSES : 0;
    solve_outcome out;
    double before = INFINITY;
    first.blind = most == 0;
    TRY(run_pass(self, p, &first, parameters, &out));
    for (int i = 0; i < most && out.violation_speed > limit && out.violation_speed < GAIN * before; i++) {
        before = out.violation_speed;
        TRY(run_pass(self, p, &further, parameters, &out));
    }
    return SCREE_OK;
}

scree_result solve_iterate(executor *self, problem *p, const solve_request *request,
                           scree_solve_report *report) {
    const scree_solver_def *options = request->options;
    if (!options->warm_start)
        problem_clear_starts(p, (slice){0, p->away ? p->row_count : p->block_count}); /* the host's blocks */
    solve_goal velocity = velocity_goal(p, request);
    velocity.blind = request->blind;
    solve_outcome out;
    /* Without contacts a pass still yields V = V*. */
    solve_parameters parameters = {
        .law = (int)options->law, .relaxation = options->relaxation, .local_sweeps = options->local_sweeps};
    TRY(run_pass(self, p, &velocity, parameters, &out));
    *report = report_of(&out, p->block_count);
    if (!stabilisation_has_position_pass(options->stabilisation)) return SCREE_OK;
    if (p->block_count == 0) {
        memset(p->pseudo_velocity, 0, sizeof *p->pseudo_velocity * (size_t)p->body_count);
        return SCREE_OK;
    }
    parameters.position_pass = 1;
    stage_enter(SCREE_STAGE_POSITIONS);
    TRY(self->operations->displace(self, p, p->rebounds));
    TRY(run_positions(self, p, request, parameters, &out));
    return p->rebounds ? self->operations->take_back(self) : SCREE_OK;
}
