/* `scree solve`: solves a contact problem of an FCLIB file and reports the error of the solution. */
#include "program.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/memory.h"
#include "progress.h"

static const char *const name = "scree solve";

static const char *precision_choice(int index) { return scree_precision_name((scree_precision)index); }
static const char *start_choice(int index) {
    static const char *const words[] = {"guess", "zero", NULL};
    return words[index];
}
static const char *measure_choice(int index) { return scree_measure_name((scree_measure)index); }

typedef struct settings {
    const char *file, *out, *device;
    int law, method, backend, precision, measure, start;
    double tolerance, relaxation;
    long long iterations, threads;
} settings;

typedef struct solution {
    scree_problem *problem;
    double *impulses, *velocities;
    bool guessed;
    scree_problem_report report;
    double read_seconds, solve_seconds;
} solution;

static option_outcome read_settings(settings *s, int argc, char **argv) {
    const option_row rows[] = {
        LAW_ROW(&s->law),
        OPTION(CHOICE, "method", &s->method, "iteration method (default accelerated-pgs)",
               .choice = method_choice),
        OPTION(CHOICE, "backend", &s->backend,
               "backend that solves; auto: host for accelerated-pgs in double; in float a GPU if there is "
               "one, else native",
               .choice = backend_choice),
        DEVICE_ROW(&s->device),
        OPTION_WHOLE("threads", &s->threads, 1, 4096,
                     "threads of native and of PoCL (default all); does not affect results"),
        OPTION(CHOICE, "precision", &s->precision,
               "arithmetic precision (default double); float requires native or opencl",
               .choice = precision_choice),
        OPTION(CHOICE, "measure", &s->measure, "measure that the tolerance refers to (default scaled)",
               .choice = measure_choice),
        OPTION(REAL, "tolerance", &s->tolerance, "error to reach (default 1e-8)", .placeholder = "T",
               .min = 0, .max = 1),
        OPTION_WHOLE("max-iterations", &s->iterations, 1, 1e9,
                     "maximum number of iterations (default 50000)"),
        OPTION(REAL, "relaxation", &s->relaxation,
               "below 2 (SOR) for pgs and accelerated-pgs, else at most 1 (default 1)", .placeholder = "W",
               .min = 0.001, .max = 1.999),
        OPTION(CHOICE, "start", &s->start, "start from the file's guess, if any (default), or from zero",
               .choice = start_choice),
        OPTION(TEXT, "out", &s->out, "copy of the file with the solution added under /solution",
               .placeholder = "FILE"),
        {.name = NULL},
    };
    const option_command command = {.name = name,
                                    .operands = "FILE.hdf5",
                                    .rows = rows,
                                    .summary =
                                        "Solves the frictional contact problem of an FCLIB file, local or "
                                        "global form, and prints the\nerrors reached. Exit status: 0 "
                                        "tolerance met, 1 not met, 2 wrong usage or unsolvable input."};
    return options_parse(&command, argc, argv, &s->file, NULL);
}

/* Returns EXIT_WRONG for every error in the file or in the options. */
static int complain_input(scree_result result) {
    const int code = complain(name, result);
    return result == SCREE_ERROR_FILE || result == SCREE_ERROR_UNSUPPORTED ||
                   result == SCREE_ERROR_CAPACITY || result == SCREE_ERROR_NO_DEVICE
               ? EXIT_WRONG
               : code;
}

static scree_result load(const settings *s, solution *out) {
    const double started = clock_seconds();
    TRY(scree_fclib_load(s->file, &out->problem));
    const size_t size = 3 * (size_t)scree_problem_contact_count(out->problem);
    out->impulses = memory_allocate(size, sizeof *out->impulses);
    out->velocities = memory_allocate(size, sizeof *out->velocities);
    if (!out->impulses || !out->velocities) return fail(SCREE_ERROR_MEMORY, "out of memory");
    out->read_seconds = clock_seconds() - started;
    return SCREE_OK;
}

static scree_result solve(const settings *s, solution *out) {
    scree_problem_options options = scree_default_problem_options();
    options.law = (scree_law)s->law;
    options.measure = (scree_measure)s->measure;
    options.tolerance = s->tolerance;
    options.iterations = (int)s->iterations;
    options.method = (scree_method)s->method;
    options.backend = (scree_backend_kind)s->backend;
    options.device = s->device;
    options.threads = (int)s->threads;
    options.precision = (scree_precision)s->precision;
    options.relaxation = (float)s->relaxation;
    options.start = s->start == 0 ? scree_problem_get_warm_start(out->problem) : NULL;
    out->guessed = options.start != NULL;
    pocl_set_thread_count(options.threads);
    const double started = clock_seconds();
    TRY(scree_problem_solve(out->problem, &options, out->impulses, out->velocities, &out->report));
    out->solve_seconds = clock_seconds() - started;
    return SCREE_OK;
}

static void print_table(const settings *s, const solution *x) {
    /* Bilateral rows are in blocks of three after the contacts. */
    const int rows = scree_problem_bilateral_count(x->problem), row_blocks = (rows + 2) / 3,
              contacts = scree_problem_contact_count(x->problem) - row_blocks,
              dofs = scree_problem_dof_count(x->problem), blocks = scree_problem_block_count(x->problem);
    const scree_problem_report *report = &x->report;
    printf("%-12s%s\n", "file", s->file);
    printf("%-12s%d\n", "contacts", contacts);
    if (rows) printf("%-12s%d %s\n", "bilateral", rows, noun_of(rows, "row", "rows"));
    printf("%-12s%d unknowns, %d %s of 3 x 3", "size", 3 * contacts + rows, blocks,
           noun_of(blocks, "block", "blocks"));
    if (dofs) printf(", from %d %s of freedom", dofs, noun_of(dofs, "degree", "degrees"));
    printf("\n%-12s%s\n", "law", law_choice(s->law));
    printf("%-12s%s", "method", method_choice(s->method));
    if (s->relaxation != 1) printf(" with relaxation %g", s->relaxation);
    printf(", from %s\n%-12s%s\n", x->guessed ? "the file's guess" : "zero", "solver", report->solver);
    printf("%-12s%d (%d %s, %d %s, %d %s)\n", "iterations", report->iterations, report->sweeps,
           noun_of(report->sweeps, "sweep", "sweeps"), report->restarts,
           noun_of(report->restarts, "restart", "restarts"), report->fallbacks,
           noun_of(report->fallbacks, "fallback", "fallbacks"));
    printf("%-12s%s\n", "stopped by", scree_stop_name(report->stop));
    printf("%-12s%.4f s, of which %.4f s on residuals; reading took %.4f s\n", "time", x->solve_seconds,
           report->measure_seconds, x->read_seconds);
    for (int m = 0; m < SCREE_MEASURE_COUNT; m++)
        printf("%-12s%-9s%.3e%s\n", m ? "" : "residual", measure_choice(m), report->residual[m],
               m != s->measure                         ? ""
               : report->stop == SCREE_STOP_INFEASIBLE ? "   no solution"
               : report->residual[m] <= s->tolerance   ? "   tolerance met"
                                                       : "   tolerance not met");
    const int row = 3 * (report->worst - contacts);
    if (row >= 0)
        printf("%-12sbilateral rows %d to %d, %.3e N s off\n", "worst", row,
               row + 3 < rows ? row + 2 : rows - 1, report->worst_residual);
    else if (report->worst >= 0)
        printf("%-12scontact %d, %.3e N s off\n", "worst", report->worst, report->worst_residual);
}

/* Prints the table and writes the solution. */
static int report(const settings *s, const solution *x) {
    print_table(s, x);
    const scree_problem_report *found = &x->report;
    const bool met = found->residual[s->measure] <= s->tolerance && found->stop != SCREE_STOP_INFEASIBLE;
    if (!s->out) return met ? EXIT_DONE : EXIT_FAILED;
    const scree_result result =
        scree_fclib_save_solution(x->problem, s->file, s->out, x->impulses, x->velocities);
    if (result == SCREE_OK)
        printf("%-12s%s\n", "solution", s->out);
    else
        complain(name, result);
    return met && result == SCREE_OK ? EXIT_DONE : EXIT_FAILED;
}

int command_solve(int argc, char **argv) {
    settings s = {.method = SCREE_METHOD_ACCELERATED_PGS,
                  .precision = SCREE_PRECISION_DOUBLE,
                  .tolerance = 1e-8,
                  .relaxation = 1,
                  .iterations = 50000};
    solution x = {0};
    const option_outcome outcome = read_settings(&s, argc, argv);
    if (outcome != OPTION_OK) return (int)outcome;
    scree_result result = load(&s, &x);
    if (result == SCREE_OK) result = solve(&s, &x);
    const int code = result == SCREE_OK ? report(&s, &x) : complain_input(result);
    scree_problem_destroy(x.problem);
    memory_release(x.impulses);
    memory_release(x.velocities);
    return code;
}
