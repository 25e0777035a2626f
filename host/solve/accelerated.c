/* Iterations with momentum, and their tests. */
#include "solving.h"

#include "base/clock.h"
#include "base/error.h"
#include "method.h"

/* Passes a measured residual to the control and records the best iterate. */
static void take_residual(solving *self, int iterations) {
    self->at_best = iterations == 0 || nesterov_control_test(&self->control, self->residual);
    if (self->at_best) solving_record(self);
}

/* Returns whether tests need no wait: the number of iterations is the only stopping criterion, and the device
 * evaluates tests itself. */
static bool may_go_ahead(const solving *self) {
    const solve_goal *goal = self->goal;
    const test_operations *tests = self->run->operations->tests;
    return tests && tests->available(self->run) && self->plan->block_count > 0 && !(goal->tolerance > 0) &&
           !(goal->change_tolerance > 0) && !goal->history && !goal->hopeless && !goal->patient &&
           !goal->holds && goal->measure == SCREE_MEASURE_SCALED &&
           goal->iterations / goal->check_every + 2 <= TESTS_AHEAD;
}

static scree_result test_ahead(solving *self, bool moving) {
    const executor_operations *operations = self->run->operations;
    const solve_outcome *out = self->out;
    const int number = self->test_count++;
    const solve_test test = {.number = number,
                             .made = number ? out->iterations - self->tests[number - 1].iterations : 0,
                             .momentum = moving,
                             .last = out->iterations == self->goal->iterations};
    self->tests[number] =
        (test_place){.iterations = out->iterations, .sweeps = out->sweeps, .momentum = moving};
    TRY((moving ? operations->regather : operations->gather)(self->run, self->plain));
    return operations->tests->begin(self->run, self->plain, test);
}

static nesterov_control first_control(const solving *self) {
    return nesterov_control_begin(self->residual, self->goal->patient,
                                  self->goal->holds ||
                                      method_row_of(self->goal->method)->kind == ITERATION_JACOBI);
}

/* Takes the initial residual after that of the first iterations, `made`, has been read, and acts as if it had
 * been known before them. */
static scree_result take_first(solving *self, int made_since) {
    const executor_operations *operations = self->run->operations;
    const residual_sum sum = self->sum;
    const double residual = self->residual;
    solve_outcome *out = self->out;
    const int iterations = out->iterations, sweeps = out->sweeps;
    self->owes_first = false;
    operations->residual_taken(self->run, 0, &self->sum);
    self->residual = out->residual_before = residual_sum_residual(&self->sum, self->goal->measure);
    self->control = first_control(self);
    nesterov_control_made(&self->control, made_since);
    out->iterations = out->sweeps = 0;
    take_residual(self, 0);
    solving_judge(self);
    self->solved_first = out->stop != SCREE_STOP_ITERATIONS;
    if (self->solved_first) {
        TRY(operations->best_restore(self->run));
        return operations->gather(self->run, self->plain);
    }
    out->iterations = iterations, out->sweeps = sweeps;
    self->sum = sum, self->residual = residual;
    return SCREE_OK;
}

static scree_result accelerated_measure(solving *self, bool moving) {
    if (self->ahead) return test_ahead(self, moving);
    TRY(solving_measure(self, moving));
    if (self->owes_first) TRY(take_first(self, self->out->iterations));
    if (self->solved_first) return SCREE_OK;
    take_residual(self, self->out->iterations);
    return self->at_best ? self->run->operations->best_keep(self->run) : SCREE_OK;
}

static scree_result begin_momentum(const solving *self) {
    solve_parameters parameters = self->plain;
    parameters.read_shift = self->control.holds;
    return self->run->operations->nesterov_begin(self->run, parameters);
}

static scree_result hold_back(solving *self) {
    const executor_operations *operations = self->run->operations;
    nesterov_values momentum;
    TRY(operations->nesterov_read(self->run, &momentum));
    nesterov_control_hold_back(&self->control, self->residual, momentum.t);
    TRY(operations->best_restore(self->run));
    self->at_best = true;
    return operations->gather(self->run, self->plain);
}

/* Returns the kind of iteration: accelerated-pgs makes forward sweeps until it follows the theory, see
 * nesterov_control.h. */
static iteration_kind accelerated_kind(const solving *self) {
    const iteration_kind kind = method_row_of(self->goal->method)->kind;
    return kind == ITERATION_FORWARD && self->control.holds ? ITERATION_BOTH_WAYS : kind;
}

/* Momentum leaves an error that plain sweeps smooth out. In time stepping, the last third of the iterations
 * does that: a stack of ten cubes that rocks by 0.2 mm in ten seconds with 30 iterations of momentum
 * throughout then stands still to 1 µm, and landing beads have half the residual. */
static int smoothing_iterations(const solve_goal *goal) { return goal->smooths ? goal->iterations / 3 : 0; }

/* Returns the iterations that smooth in the same way when a test has ended the momentum early. */
static iteration_run smoothing_run(const solving *self) {
    const int before = self->out->iterations, left = self->goal->iterations - before,
              wanted = before > 4 ? before / 2 : 2;
    return (iteration_run){
        .kind = accelerated_kind(self), .count = wanted < left ? wanted : left, .made = before};
}

static scree_result smooth(solving *self) {
    const iteration_run run = smoothing_run(self);
    if (run.count <= 0 || self->smoothed) return SCREE_OK;
    self->at_best = false;
    TRY(solving_iterate(self, run));
    solving_made(self, run);
    return accelerated_measure(self, false);
}

/* Returns whether the test that follows is likely to end the solve: it did so in the last two solves. */
static bool foresees_end(const solving *self, bool momentum) {
    const solve_goal *goal = self->goal;
    const executor *run = self->run;
    return run->operations->mark && momentum && !self->ahead && goal->smooths && goal->least == 0 &&
           !goal->hopeless && !goal->history && !goal->patient && !self->control.holds &&
           run->stopped_alike && run->stopped_after == self->out->iterations && smoothing_run(self).count > 0;
}

/* Takes a test of marked impulses. */
static scree_result take_marked(solving *self) {
    const executor_operations *operations = self->run->operations;
    operations->residual_taken(self->run, 1, &self->sum);
    self->residual = residual_sum_residual(&self->sum, self->goal->measure);
    take_residual(self, self->out->iterations);
    if (self->at_best) operations->mark_best(self->run);
    solving_judge(self);
    return SCREE_OK;
}

/* Takes the test of the smoothed impulses. */
static scree_result take_smoothed(solving *self, iteration_run run, residual_sum sum) {
    solving_made(self, run);
    self->smoothed = true;
    self->sum = sum;
    self->residual = residual_sum_residual(&self->sum, self->goal->measure);
    take_residual(self, self->out->iterations);
    return self->at_best ? self->run->operations->best_keep(self->run) : SCREE_OK;
}

/* Tests the residual, smooths as if it were small enough, and waits for both residuals at once. If it is not
 * small enough, returns to the iterate before. */
static scree_result test_with_end(solving *self) {
    const executor_operations *operations = self->run->operations;
    const iteration_run run = smoothing_run(self);
    TRY(operations->regather(self->run, self->plain));
    TRY(operations->residual_later(self->run, 1, self->plain));
    TRY(operations->mark(self->run, self->plain));
    TRY(solving_iterate(self, run));
    TRY(solving_measure(self, false));
    const residual_sum sum = self->sum;
    if (self->owes_first) TRY(take_first(self, self->out->iterations));
    if (self->solved_first) return SCREE_OK;
    TRY(take_marked(self));
    if (self->out->stop == SCREE_STOP_RESIDUAL) {
        self->solved_after = self->out->iterations;
        return take_smoothed(self, run, sum);
    }
    return operations->mark_return(self->run, self->at_best, self->plain);
}

static scree_result test_stretch(solving *self, bool momentum) {
    if (foresees_end(self, momentum)) return test_with_end(self);
    TRY(accelerated_measure(self, momentum));
    if (self->solved_first) return SCREE_OK;
    solving_judge(self);
    if (momentum && self->out->stop == SCREE_STOP_RESIDUAL) self->solved_after = self->out->iterations;
    return solving_test_feasibility(self);
}

/* Runs iterations up to the next test or change of mode, and acts on the test. */
static scree_result accelerated_stretch(solving *self, bool *fresh) {
    nesterov_control *control = &self->control;
    const int left = self->goal->iterations - self->out->iterations,
              with_momentum = left - smoothing_iterations(self->goal);
    if (with_momentum <= 0) control->plain = left;
    const bool momentum = control->plain == 0;
    const int most = momentum ? with_momentum : control->plain, test_in = solving_until_test(self, true);
    const int count = test_in < most ? test_in : most;
    const bool test = solving_tested_after(self, count);
    if (test && self->goal->change_tolerance > 0) TRY(self->run->operations->keep(self->run));
    const iteration_run run = {.kind = accelerated_kind(self),
                               .count = count,
                               .made = self->out->iterations,
                               .nesterov = momentum,
                               .fresh = *fresh,
                               .shifts = momentum && control->holds};
    self->at_best = false;
    self->moving = momentum;
    TRY(solving_iterate(self, run));
    solving_made(self, run);
    *fresh = false;
    nesterov_control_made(control, count);
    if (test) {
        TRY(test_stretch(self, momentum));
        if (self->solved_first) return SCREE_OK;
    }
    if (momentum)
        return test && self->out->stop == SCREE_STOP_ITERATIONS &&
                       nesterov_control_rejects(control, self->residual)
                   ? hold_back(self)
                   : SCREE_OK;
    if (control->plain > 0 || self->out->iterations == self->goal->iterations) return SCREE_OK;
    *fresh = true;
    if (!test) TRY(self->run->operations->gather(self->run, self->plain));
    return begin_momentum(self);
}

/* Processes the results of tests as if the solve had waited for each. At the first fallback, it discards all
 * later iterations and waits for the tests that follow. */
static scree_result settle_tests(solving *self) {
    const executor_operations *operations = self->run->operations;
    solve_outcome *out = self->out;
    residual_sum sums[TESTS_AHEAD];
    int restarts[TESTS_AHEAD];
    const double started = clock_seconds();
    TRY(operations->tests->read(self->run, self->test_count, sums, restarts));
    TRY(operations->gather(self->run, self->plain));
    out->measure_seconds += clock_seconds() - started;
    self->ahead = false;
    for (int i = 0; i < self->test_count; i++) {
        const test_place *test = &self->tests[i];
        self->sum = sums[i];
        self->residual = residual_sum_residual(&self->sum, SCREE_MEASURE_SCALED);
        if (i == 0) {
            self->control = first_control(self);
            out->residual_before = self->residual;
        }
        if (i > 0) nesterov_control_made(&self->control, test->iterations - test[-1].iterations);
        take_residual(self, test->iterations);
        if (i == 0 || !test->momentum || !nesterov_control_rejects(&self->control, self->residual)) continue;
        out->iterations = test->iterations;
        out->sweeps = test->sweeps;
        nesterov_control_hold_back(&self->control, self->residual, 0);
        TRY(operations->tests->restarts_set(self->run, restarts[i]));
        break;
    }
    self->at_best = true;
    return SCREE_OK;
}

/* Returns whether the initial residual can be read together with the next one, which saves a wait: the first
 * iterations end with a test. */
static bool may_owe_first(const solving *self) {
    const solve_goal *goal = self->goal;
    const int with_momentum = goal->iterations - smoothing_iterations(goal);
    return self->run->operations->residual_later && !self->ahead && self->plan->block_count > 0 &&
           goal->least == 0 && !(goal->change_tolerance > 0) && !goal->history && !goal->hopeless &&
           !goal->patient && solving_until_test(self, true) <= with_momentum;
}

/* Measures the initial residual. */
static scree_result first_measure(solving *self) {
    const executor_operations *operations = self->run->operations;
    self->owes_first = may_owe_first(self);
    if (!self->owes_first) return accelerated_measure(self, false);
    TRY(operations->gather(self->run, self->plain));
    TRY(operations->residual_later(self->run, 0, self->plain));
    return operations->best_keep(self->run);
}

/* Runs iterations with momentum. The best tested iterate is the result. */
scree_result solving_accelerate(solving *self) {
    const executor_operations *operations = self->run->operations;
    solve_outcome *out = self->out;
    nesterov_values momentum;
    bool fresh = true;
    self->ahead = may_go_ahead(self);
    TRY(first_measure(self));
    out->residual_before = self->residual;
    self->control = first_control(self);
    if (!self->owes_first) solving_judge(self);
    if (!self->owes_first) TRY(solving_test_feasibility(self));
    TRY(begin_momentum(self));
    while (out->stop == SCREE_STOP_ITERATIONS && out->iterations < self->goal->iterations &&
           !self->control.fruitless) {
        TRY(accelerated_stretch(self, &fresh));
        if (self->ahead && out->iterations == self->goal->iterations) TRY(settle_tests(self));
    }
    if (self->goal->smooths && self->moving && !self->solved_first && out->stop == SCREE_STOP_RESIDUAL)
        TRY(smooth(self));
    TRY(operations->nesterov_read(self->run, &momentum));
    if (!self->at_best) {
        TRY(operations->best_restore(self->run));
        TRY(operations->gather(self->run, self->plain));
    }
    self->run->stopped_alike = self->solved_after == self->run->stopped_after;
    self->run->stopped_after = self->solved_after;
    out->restarts = self->solved_first ? 0 : momentum.restarts;
    out->fallbacks = self->control.fallbacks;
    out->residual = self->control.best;
    return operations->end(self->run, self->plain);
}
