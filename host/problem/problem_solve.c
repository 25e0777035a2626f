/* Solution of a stand-alone contact problem by the solver that the options select. */
#include "device/opencl/opencl_device.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/team.h"
#include "contact_problem.h"
#include "feasibility.h"
#include "host_solve.h"
#include "matrix_executor.h"
#include "oracle/reference_sweep.h"
#include "solve/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *scree_precision_name(scree_precision precision) {
    static const char *const names[] = {"float", "double"};
    _Static_assert(sizeof names / sizeof *names == SCREE_PRECISION_COUNT, "every precision has a name");
    return (unsigned)precision < SCREE_PRECISION_COUNT ? names[precision] : NULL;
}

scree_problem_options scree_default_problem_options(void) {
    return (scree_problem_options){.law = SCREE_LAW_COULOMB,
                                   .method = SCREE_METHOD_ACCELERATED_PGS,
                                   .backend = SCREE_BACKEND_AUTO,
                                   .precision = SCREE_PRECISION_DOUBLE,
                                   .measure = SCREE_MEASURE_SCALED,
                                   .tolerance = 1e-8,
                                   .iterations = 50000,
                                   .check_every = 10,
                                   .relaxation = 1};
}

static scree_result check_choices(const scree_problem_options *options) {
    if (!scree_method_name(options->method))
        return fail(SCREE_ERROR_ARGUMENT, "method: %d; must be a scree_method", (int)options->method);
    if (!scree_backend_name(options->backend))
        return fail(SCREE_ERROR_ARGUMENT, "backend: %d; must be a scree_backend_kind", (int)options->backend);
    if (!scree_precision_name(options->precision))
        return fail(SCREE_ERROR_ARGUMENT, "precision: %d; must be a scree_precision",
                    (int)options->precision);
    if (!scree_measure_name(options->measure))
        return fail(SCREE_ERROR_ARGUMENT, "measure: %d; must be a scree_measure", (int)options->measure);
    if (options->threads < 0)
        return fail(SCREE_ERROR_ARGUMENT, "threads: %d; must be >= 0", options->threads);
    if (options->check_every < 1)
        return fail(SCREE_ERROR_ARGUMENT, "check_every: %d; must be >= 1", options->check_every);
    if (!method_takes(options->method, options->relaxation))
        return fail(SCREE_ERROR_ARGUMENT, "relaxation: %g; must be > 0 and %s", (double)options->relaxation,
                    method_row_of(options->method)->kind == ITERATION_JACOBI ? "<= 1" : "< 2");
    return SCREE_OK;
}

static scree_result check_options(const scree_problem *self, const scree_problem_options *options) {
    TRY(contact_problem_check_law(options->law));
    TRY(check_choices(options));
    if (!(options->tolerance >= 0))
        return fail(SCREE_ERROR_ARGUMENT, "tolerance: %g; must be >= 0", options->tolerance);
    if (options->iterations < 1)
        return fail(SCREE_ERROR_ARGUMENT, "iterations: %d; must be >= 1", options->iterations);
    if (options->history_capacity < 0)
        return fail(SCREE_ERROR_ARGUMENT, "history_capacity: %d; must be >= 0", options->history_capacity);
    return options->start
               ? contact_problem_check_numbers(options->start, 3 * (size_t)self->a.count, "start: number")
               : SCREE_OK;
}

/* Returns whether host and reference support the options. */
static bool sweeps_on_host(const scree_problem_options *options) {
    return method_row_of(options->method)->kind == ITERATION_FORWARD && options->relaxation == 1;
}

/* Checks that a backend without kernels supports the options. */
static scree_result check_host(const scree_problem_options *options, scree_backend_kind backend) {
    if (options->precision != SCREE_PRECISION_DOUBLE)
        return fail(SCREE_ERROR_UNSUPPORTED,
                    "backend %s: supports double precision only; float needs native or opencl",
                    scree_backend_name(backend));
    if (!sweeps_on_host(options))
        return fail(SCREE_ERROR_UNSUPPORTED,
                    "backend %s: supports only pgs and accelerated-pgs with relaxation 1; method %s with "
                    "relaxation %g needs native or opencl",
                    scree_backend_name(backend), scree_method_name(options->method),
                    (double)options->relaxation);
    return SCREE_OK;
}

static scree_result solve_by_host(const scree_problem *self, const scree_problem_options *options, real3 *r,
                                  scree_problem_report *detail) {
    TRY(check_host(options, SCREE_BACKEND_HOST));
    const host_goal goal = {.law = options->law,
                            .measure = options->measure,
                            .tolerance = options->tolerance,
                            .iterations = options->iterations,
                            .plain = !method_row_of(options->method)->nesterov,
                            .history = options->history,
                            .history_capacity = options->history_capacity};
    TRY(host_solve(&self->a, &goal, r, detail));
    detail->backend = SCREE_BACKEND_HOST;
    snprintf(detail->solver, sizeof detail->solver, "host, 1 thread, double");
    return SCREE_OK;
}

/* Solves a copy of the matrix whose rows begin with the diagonal block with the reference solver. */
static scree_result solve_copy(const delassus *a, const reference_goal *goal, real3 *r,
                               reference_outcome *out) {
    const size_t blocks = (size_t)a->first[a->count];
    int *column = memory_allocate(blocks, sizeof *column);
    double *numbers = memory_allocate(blocks, 9 * sizeof *numbers);
    scree_result result = column && numbers
                              ? SCREE_OK
                              : fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %d contacts", a->count);
    for (int i = 0; i < a->count && result == SCREE_OK; i++)
        for (int k = a->first[i], to = a->first[i] + 1; k < a->first[i + 1]; k++) {
            const int place = k == a->diagonal[i] ? a->first[i] : to++;
            column[place] = a->column[k];
            memcpy(numbers + 9 * (size_t)place, a->entries[k].m, 9 * sizeof *numbers);
        }
    scree_problem_def def = contact_problem_def_of(a);
    def.column = column;
    def.blocks = numbers;
    if (result == SCREE_OK) result = reference_solve(&def, goal, &r->x, out);
    memory_release(column);
    memory_release(numbers);
    return result;
}

static scree_result solve_by_reference(const scree_problem *self, const scree_problem_options *options,
                                       real3 *r, scree_problem_report *detail) {
    TRY(check_host(options, SCREE_BACKEND_REFERENCE));
    const reference_goal goal = {.law = options->law,
                                 .measure = options->measure,
                                 .tolerance = options->tolerance,
                                 .sweeps = options->iterations,
                                 .plain = !method_row_of(options->method)->nesterov,
                                 .history = options->history,
                                 .history_capacity = options->history_capacity};
    reference_outcome out = {.solved = true, .after.worst = -1};
    if (self->a.count > 0) TRY(solve_copy(&self->a, &goal, r, &out));
    detail->backend = SCREE_BACKEND_REFERENCE;
    detail->iterations = detail->sweeps = out.sweeps;
    detail->fallbacks = out.fallbacks;
    detail->history_count = out.history_count;
    if (self->a.count > 0) detail->stop = reference_stop(&out);
    memcpy(detail->residual, out.after.measure, sizeof detail->residual);
    detail->worst = out.after.worst;
    detail->worst_residual = out.after.absolute;
    snprintf(detail->solver, sizeof detail->solver, "reference, 1 thread, double");
    return SCREE_OK;
}

static int threads_of(const scree_problem_options *options) {
    return options->threads > 0 ? options->threads : parallel_all_threads();
}

static scree_result create_executor(const matrix_operator *a, const scree_problem_options *options,
                                    scree_backend_kind backend, double *r, matrix_executor **out) {
    const bool fp64 = options->precision == SCREE_PRECISION_DOUBLE;
    if (backend == SCREE_BACKEND_OPENCL) return opencl_matrix_create(a, r, options->device, fp64, out);
    return (fp64 ? native_matrix_create_double : native_matrix_create)(a, r, threads_of(options), out);
}

/* Tests feasibility with a tenth of the work of the iterations so far. */
static scree_result hopeless(void *context, int iterations, bool *out) {
    const delassus *a = context;
    infeasibility found;
    const feasibility_goal goal = {.work = 0.1 * (double)iterations * a->first[a->count]};
    TRY(feasibility_test(a, &goal, &found));
    *out = found.proven;
    return SCREE_OK;
}

static scree_result iterate(const matrix_operator *a, const delassus *given, matrix_executor *self,
                            const scree_problem_options *options, scree_problem_report *report) {
    const iteration_plan plan = {.block_count = a->count,
                                 .colour_count = a->colour_count,
                                 .colour_first = a->colour_first,
                                 .remainder_first = a->count};
    const solve_goal goal = {.method = options->method,
                             .measure = options->measure,
                             .iterations = options->iterations,
                             .check_every = options->check_every,
                             .tolerance = options->tolerance,
                             .reduction = 1,
                             .smooths = !(options->tolerance > 0),
                             .patient = true,
                             .hopeless = hopeless,
                             .context = (void *)given,
                             .history = options->history,
                             .history_capacity = options->history_capacity};
    const solve_parameters parameters = {
        .law = (int)options->law, .relaxation = options->relaxation, .local_sweeps = 1};
    solve_outcome out;
    TRY(solve_run(&self->executor, &plan, &goal, parameters, &out));
    report->iterations = out.iterations;
    report->sweeps = out.sweeps;
    report->restarts = out.restarts;
    report->fallbacks = out.fallbacks;
    report->stop = out.stop;
    report->history_count = out.history_count;
    report->measure_seconds = out.measure_seconds;
    snprintf(report->solver, sizeof report->solver, "%s", self->name);
    return SCREE_OK;
}

/* Iterates with threads that end with the call. */
static scree_result run_executor(const matrix_operator *a, const delassus *given, matrix_executor *self,
                                 const scree_problem_options *options, scree_problem_report *report) {
    team *helpers = team_create(threads_of(options), NULL);
    team *const before = team_lead(helpers);
    const scree_result result = iterate(a, given, self, options, report);
    team_lead(before);
    team_destroy(helpers);
    return result;
}

/* Converts between the order of the problem and that of the rows. */
static void permute(const matrix_operator *a, real3 *r, double *rows, bool back) {
    for (int i = 0; i < a->count; i++) {
        double *row = rows + 3 * (size_t)i;
        real3 *of = &r[a->contact[i]];
        if (back)
            *of = (real3){row[0], row[1], row[2]};
        else {
            row[0] = of->x;
            row[1] = of->y;
            row[2] = of->z;
        }
    }
}

/* Solves on `native` or `opencl`. */
static scree_result matrix_solve(const delassus *a, const scree_problem_options *options,
                                 scree_backend_kind backend, real3 *r, scree_problem_report *report) {
    const double started = clock_seconds();
    report->backend = backend;
    if (a->count == 0) {
        snprintf(report->solver, sizeof report->solver, "%s, nothing to solve", scree_backend_name(backend));
        return SCREE_OK;
    }
    matrix_operator rows;
    TRY(matrix_operator_create(&rows, a));
    matrix_executor *self = NULL;
    double *impulses = memory_allocate(3 * (size_t)a->count, sizeof *impulses);
    scree_result result = impulses ? create_executor(&rows, options, backend, impulses, &self)
                                   : fail(SCREE_ERROR_MEMORY, "out of memory: impulses of %d rows", a->count);
    if (result == SCREE_OK) {
        permute(&rows, r, impulses, false);
        report->prepare_seconds = clock_seconds() - started;
        result = run_executor(&rows, a, self, options, report);
        permute(&rows, r, impulses, true);
        self->destroy(self);
    }
    memory_release(impulses);
    matrix_operator_release(&rows);
    return result;
}

static scree_result solve_by_kernels(const scree_problem *self, const scree_problem_options *options,
                                     scree_backend_kind backend, real3 *r, scree_problem_report *detail) {
    TRY(matrix_solve(&self->a, options, backend, r, detail));
    const host_norms norms = host_measure(&self->a, options->law, r, NULL);
    for (int m = 0; m < SCREE_MEASURE_COUNT; m++)
        detail->residual[m] = host_error_of(&norms, (scree_measure)m);
    detail->worst = norms.worst;
    detail->worst_residual = norms.worst < 0 ? 0 : norms.worst_residual;
    return SCREE_OK;
}

/* Returns the backend that `auto` selects. A machine without OpenCL is no error. */
static scree_backend_kind chosen_backend(const scree_problem_options *options) {
    if (options->backend != SCREE_BACKEND_AUTO) return options->backend;
    if (options->precision == SCREE_PRECISION_DOUBLE)
        return method_row_of(options->method)->nesterov && sweeps_on_host(options) ? SCREE_BACKEND_HOST
                                                                                   : SCREE_BACKEND_NATIVE;
    scree_device_info info;
    return scree_device_find(options->device, &info) == SCREE_OK && info.gpu ? SCREE_BACKEND_OPENCL
                                                                             : SCREE_BACKEND_NATIVE;
}

/* Fraction of the largest drive of a component, below which a drive is round-off. */
static const double LEAST_DRIVE = 1e-9;

/* Finds the largest weighted violation of a component relative to that component's drive. */
static scree_result find_violation(const delassus *a, scree_law law, const real3 *r, double largest,
                                   double *out) {
    components all;
    TRY(components_find(&all, a));
    *out = 0;
    for (int c = 0; c < all.count; c++) {
        const int first = all.first[c];
        host_norms norms = host_measure_rows(a, law, r, all.rows + first, all.first[c + 1] - first);
        norms.idle_violation = fmax(norms.idle_violation, LEAST_DRIVE * largest);
        *out = fmax(*out, host_violation_of(&norms));
    }
    components_release(&all);
    return SCREE_OK;
}

/* Detects infeasibility that a small residual hides: other measures hide any violation behind unbounded
 * impulses, `scaled` hides it behind fast bodies elsewhere, and not every solver tests feasibility while it
 * runs. */
static scree_result check_feasible(const scree_problem *self, const host_norms *norms, const real3 *r,
                                   const scree_problem_options *options, scree_problem_report *detail) {
    infeasibility found = {.block = -1};
    double violation = 0;
    if (detail->stop == SCREE_STOP_INFEASIBLE) return SCREE_OK;
    TRY(find_violation(&self->a, options->law, r, norms->idle_violation, &violation));
    if (!(violation > options->tolerance)) return SCREE_OK;
    const feasibility_goal goal = {.work = (double)detail->sweeps * self->a.first[self->a.count]};
    TRY(feasibility_test(&self->a, &goal, &found));
    if (found.proven) detail->stop = SCREE_STOP_INFEASIBLE;
    return SCREE_OK;
}

static scree_result solve_by(const scree_problem *self, const scree_problem_options *options,
                             scree_backend_kind backend, real3 *r, scree_problem_report *detail) {
    switch (backend) {
    case SCREE_BACKEND_HOST:
        return solve_by_host(self, options, r, detail);
    case SCREE_BACKEND_REFERENCE:
        return solve_by_reference(self, options, r, detail);
    case SCREE_BACKEND_NATIVE:
    case SCREE_BACKEND_OPENCL:
        return solve_by_kernels(self, options, backend, r, detail);
    case SCREE_BACKEND_AUTO:
    case SCREE_BACKEND_COUNT:
        break;
    }
    return fail(SCREE_ERROR_ARGUMENT, "backend: %d; must be a scree_backend_kind", (int)backend);
}

scree_result scree_problem_solve(const scree_problem *self, const scree_problem_options *options,
                                 double *impulses, double *velocities, scree_problem_report *report) {
    const double started = clock_seconds();
    REQUIRE(self);
    REQUIRE(options);
    TRY(check_options(self, options));
    const int count = self->a.count;
    const scree_backend_kind backend = chosen_backend(options);
    real3 *r = memory_allocate(2 * (size_t)count, sizeof *r), *u = r + count;
    if (!r) return fail(SCREE_ERROR_MEMORY, "out of memory: impulses of %d contacts", count);
    if (options->start) memcpy(r, options->start, (size_t)count * sizeof *r);
    scree_problem_report detail = {.worst = -1, .stop = SCREE_STOP_NONE};
    const double prepared = clock_seconds();
    scree_result result = solve_by(self, options, backend, r, &detail);
    if (result == SCREE_OK) {
        const host_norms norms = host_measure(&self->a, options->law, r, u);
        result = check_feasible(self, &norms, r, options, &detail);
    }
    if (result == SCREE_OK) {
        detail.prepare_seconds += prepared - started;
        detail.iterate_seconds = clock_seconds() - started - detail.prepare_seconds;
        if (impulses) memcpy(impulses, r, (size_t)count * sizeof *r);
        if (velocities) memcpy(velocities, u, (size_t)count * sizeof *u);
        if (report) *report = detail;
    }
    memory_release(r);
    return result;
}
