#include "matrix_solve.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "feasibility.h"
#include "matrix_executor.h"

#include <stdio.h>

static scree_result create(const matrix_operator *a, const scree_problem_options *options,
                           scree_backend_kind backend, double *r, matrix_executor **out) {
    const bool fp64 = options->precision == SCREE_PRECISION_DOUBLE;
    if (backend == SCREE_BACKEND_OPENCL) return opencl_matrix_create(a, r, options->device, fp64, out);
    const int threads = options->threads > 0 ? options->threads : parallel_all_threads();
    return (fp64 ? native_matrix_create_double : native_matrix_create)(a, r, threads, out);
}

static scree_result hopeless(void *context, int iterations, bool *out) {
    const delassus *a = context;
    infeasibility found;
    TRY(feasibility_look(a, 0.1 * (double)iterations * a->first[a->count], &found));
    *out = found.proven;
    return SCREE_OK;
}

static scree_result run(const matrix_operator *a, const delassus *given, matrix_executor *self,
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

/* Converts between the order of the problem and that of the rows. */
static void permute(const matrix_operator *a, real3 *r, double *rows, bool back) {
    for (int i = 0; i < a->count; ++i) {
        double *row = rows + 3 * (size_t)i;
        real3 *of = &r[a->contact[i]];
        if (back)
            *of = (real3){row[0], row[1], row[2]};
        else
            row[0] = of->x, row[1] = of->y, row[2] = of->z;
    }
}

scree_result matrix_solve(const delassus *a, const scree_problem_options *options, scree_backend_kind backend,
                          real3 *r, scree_problem_report *report) {
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
    scree_result result = impulses ? create(&rows, options, backend, impulses, &self)
                                   : fail(SCREE_ERROR_MEMORY, "out of memory: impulses of %d rows", a->count);
    if (result == SCREE_OK) {
        permute(&rows, r, impulses, false);
        report->prepare_seconds = clock_seconds() - started;
        result = run(&rows, a, self, options, report);
        permute(&rows, r, impulses, true);
        self->destroy(self);
    }
    memory_release(impulses);
    matrix_operator_release(&rows);
    return result;
}
