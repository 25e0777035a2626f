/* scree-curves: residual against time, method by method, for the contact problem of a world's next step.
 *
 * The problem is taken from a checkpoint and solved repeatedly by the launches of a backend, from zero or
 * from the contact cache. The measured time includes everything that a solve does, also its residual checks.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/executor.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/team.h"
#include "cli/options.h"
#include "step/world.h"

#include <scree/tools/checkpoint.h>

enum { POINTS = 20000, CURVES = 64, REPEATS = 25 };

typedef struct curve {
    char backend[192];
    scree_method method;
    int count, restarts, fallbacks;
    double *seconds[REPEATS], residual[POINTS];
} curve;

typedef struct settings {
    const char *file, *backends, *methods, *json, *name;
    long long threads, check, repeats;
    double tolerance, limit;
    int law;
    bool warm;
} settings;

/* --- the problem --- */

static scree_world *world;
static problem captured;
static backend_operations stepping;
static scree_result (*step_solve)(backend *, problem *, const solve_request *, scree_solve_report *);

/* Copies the problem before the step solves it, warm start included. */
static scree_result capture(backend *engine, problem *p, const solve_request *request,
                            scree_solve_report *report) {
    TRY(problem_index(p, &world->state.bodies, world->model.threads, NULL));
    TRY(problem_copy(&captured, p));
    return step_solve(engine, p, request, report);
}

static scree_result capture_next_step(const char *path) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    TRY(scree_checkpoint_load(path, &def, &world));
    scree_result result = world_settle_backend(world);
    if (result == SCREE_OK) {
        stepping = *world->backend->operations;
        step_solve = stepping.solve, stepping.solve = capture;
        world->backend->operations = &stepping;
        world->model.def.solver.iterations = 1, world->model.def.solver.tolerance = 0;
        result = scree_world_step(world, NULL);
    }
    scree_world_destroy(world);
    return result;
}

/* --- a curve --- */

static struct {
    scree_result (*residual)(executor *, solve_parameters, residual_sum *);
    curve *curve;
    double *seconds, started, limit;
    int count;
} record;

/* Records the residual. Past the time limit it returns 0, which ends the solve. */
static scree_result recorded_residual(executor *self, solve_parameters parameters, residual_sum *out) {
    TRY(record.residual(self, parameters, out));
    const double elapsed = clock_seconds() - record.started, scale = fmax(out->impulse, out->drive);
    if (record.count < POINTS) {
        record.seconds[record.count] = elapsed;
        record.curve->residual[record.count++] = scale > 0 ? sqrt(out->map / scale) : 0;
    }
    if (elapsed > record.limit || record.count >= POINTS - 1) out->map = 0;
    return SCREE_OK;
}

static scree_result trace(backend *engine, executor *launcher, const settings *s, curve *out, int repeat) {
    static problem work;
    TRY(problem_copy(&work, &captured));
    scree_solver_def options = scree_default_solver_def();
    options.method = out->method, options.law = (scree_law)s->law, options.tolerance = (float)s->tolerance;
    options.iterations = 100000000, options.check_every = (int)s->check, options.warm_start = s->warm;
    options = scree_solver_def_with_stabilisation(
        options, SCREE_STABILISATION_BAUMGARTE); /* the velocity problem only */
    executor_operations recording = *launcher->operations;
    const executor_operations *operations = launcher->operations;
    record.residual = recording.residual, recording.residual = recorded_residual;
    record.curve = out, record.count = 0, record.limit = s->limit, record.seconds = out->seconds[repeat];
    launcher->operations = &recording;
    scree_solve_report report;
    record.started = clock_seconds();
    const scree_result result =
        solve_iterate(launcher, &work, &(solve_request){.options = &options}, &report);
    launcher->operations = operations;
    snprintf(out->backend, sizeof out->backend, "%s", engine->name);
    out->restarts = report.restarts, out->fallbacks = report.fallbacks;
    out->count = repeat == 0 || record.count < out->count ? record.count : out->count;
    return result;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_seconds(const curve *c, int point, int repeats) {
    double values[REPEATS];
    for (int r = 0; r < repeats; r++) values[r] = c->seconds[r][point];
    qsort(values, (size_t)repeats, sizeof *values, compare);
    return repeats % 2 ? values[repeats / 2] : 0.5 * (values[repeats / 2 - 1] + values[repeats / 2]);
}

/* --- output --- */

static double time_to(const curve *c, double residual, int repeats) {
    for (int i = 0; i < c->count; i++)
        if (c->residual[i] <= residual) return median_seconds(c, i, repeats);
    return INFINITY;
}

static void print_curves(const settings *s, const curve *curves, int count) {
    static const double goals[] = {1e-2, 1e-3, 1e-4};
    printf("%s: %d bodies, %d contacts, %d colours, %s, %s start, checked every %lld iterations; "
           "seconds, median of %lld\n%-18s %-12s %10s %10s %10s   restarts, fallbacks\n",
           s->name, captured.body_count, captured.block_count, captured.colour_count,
           scree_law_name((scree_law)s->law), s->warm ? "warm" : "cold", s->check, s->repeats, "method",
           "backend", "1e-2", "1e-3", "1e-4");
    for (int k = 0; k < count; k++) {
        printf("%-18s %-12.12s", scree_method_name(curves[k].method), curves[k].backend);
        for (int g = 0; g < 3; g++) printf(" %10.4f", time_to(&curves[k], goals[g], (int)s->repeats));
        printf("   %d, %d\n", curves[k].restarts, curves[k].fallbacks);
    }
}

static bool write_curves(const settings *s, const curve *curves, int count) {
    FILE *file = fopen(s->json, "w");
    if (!file) return false;
    fprintf(file,
            "{\"problem\": \"%s\", \"bodies\": %d, \"contacts\": %d, \"law\": \"%s\", \"start\": \"%s\", "
            "\"check_every\": %lld, \"repeats\": %lld, \"curves\": [",
            s->name, captured.body_count, captured.block_count, scree_law_name((scree_law)s->law),
            s->warm ? "warm" : "cold", s->check, s->repeats);
    for (int k = 0; k < count; k++) {
        const curve *c = &curves[k];
        fprintf(file, "%s\n{\"method\": \"%s\", \"backend\": \"%s\", \"restarts\": %d, \"fallbacks\": %d,\n",
                k ? "," : "", scree_method_name(c->method), c->backend, c->restarts, c->fallbacks);
        fprintf(file, " \"seconds\": [");
        for (int i = 0; i < c->count; i++)
            fprintf(file, "%s%.5g", i ? ", " : "", median_seconds(c, i, (int)s->repeats));
        fprintf(file, "],\n \"residual\": [");
        for (int i = 0; i < c->count; i++) fprintf(file, "%s%.4g", i ? ", " : "", c->residual[i]);
        fprintf(file, "]}");
    }
    fprintf(file, "\n]}\n");
    return fclose(file) == 0;
}

/* --- the program --- */

static bool listed(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && !strncmp(at, word, length)) return true;
    return false;
}

typedef struct engine {
    backend *backend;
    executor *executor;
} engine;

static scree_result open_engines(const settings *s, engine engines[2], int *count) {
    if (listed(s->backends, "native")) {
        TRY(native_create((int)s->threads, &engines[*count].backend));
        engines[*count].executor = native_executor(engines[*count].backend);
        ++*count;
    }
    if (listed(s->backends, "opencl")) {
        TRY(opencl_create(NULL, &engines[*count].backend));
        engines[*count].executor = opencl_executor(engines[*count].backend);
        ++*count;
    }
    return SCREE_OK;
}

static scree_result run(const settings *s, curve *curves, int *count) {
    engine engines[2];
    int engine_count = 0;
    TRY(capture_next_step(s->file));
    TRY(open_engines(s, engines, &engine_count));
    for (int repeat = 0; repeat < s->repeats; repeat++) { /* interleaved, so that noise affects all equally */
        *count = 0;
        for (int e = 0; e < engine_count; e++)
            for (int m = 0; m < SCREE_METHOD_COUNT; m++) {
                if (!listed(s->methods, scree_method_name((scree_method)m))) continue;
                curve *c = &curves[(*count)++];
                c->method = (scree_method)m;
                if (!c->seconds[repeat] && !(c->seconds[repeat] = malloc(POINTS * sizeof(double))))
                    return fail(SCREE_ERROR_MEMORY, "out of memory: times of a curve");
                TRY(trace(engines[e].backend, engines[e].executor, s, c, repeat));
            }
    }
    for (int e = 0; e < engine_count; e++) engines[e].backend->operations->destroy(engines[e].backend);
    return SCREE_OK;
}

static const char *law_choice(int index) { return scree_law_name((scree_law)index); }

static option_outcome read_settings(settings *s, int argc, char **argv) {
    const option_row rows[] = {
        {.name = "backends",
         .kind = OPTION_TEXT,
         .placeholder = "NAMES",
         .value = &s->backends,
         .help = "of native,opencl (default both)"},
        {.name = "methods",
         .kind = OPTION_TEXT,
         .placeholder = "NAMES",
         .value = &s->methods,
         .help = "separated by commas (default all)"},
        {.name = "law",
         .kind = OPTION_CHOICE,
         .value = &s->law,
         .choice = law_choice,
         .help = "the friction law"},
        {.name = "threads",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &s->threads,
         .min = 1,
         .max = 1024,
         .help = "of native and of PoCL (default 1)"},
        {.name = "check",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &s->check,
         .min = 1,
         .max = 1000,
         .help = "iterations between two residuals (default 5)"},
        {.name = "tolerance",
         .kind = OPTION_REAL,
         .placeholder = "R",
         .value = &s->tolerance,
         .min = 0,
         .max = 1,
         .help = "scaled residual that ends a curve (default 1e-5)"},
        {.name = "limit",
         .kind = OPTION_REAL,
         .placeholder = "SECONDS",
         .value = &s->limit,
         .min = 0,
         .max = 1e6,
         .help = "after which a curve ends (default 20)"},
        {.name = "repeats",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &s->repeats,
         .min = 1,
         .max = REPEATS,
         .help = "interleaved; medians count (default 5)"},
        {.name = "warm",
         .kind = OPTION_FLAG,
         .value = &s->warm,
         .help = "start from the contact cache instead of zero"},
        {.name = "name",
         .kind = OPTION_TEXT,
         .placeholder = "NAME",
         .value = &s->name,
         .help = "title of the problem in the output"},
        {.name = "json",
         .kind = OPTION_TEXT,
         .placeholder = "FILE",
         .value = &s->json,
         .help = "write the curves there"},
        {.name = NULL},
    };
    const option_command command = {.name = "scree-curves",
                                    .operands = "CHECKPOINT.h5",
                                    .rows = rows,
                                    .summary = "Solves the contact problem of the step after a checkpoint "
                                               "with every method and backend, and prints the seconds\nto "
                                               "scaled residuals of 1e-2, 1e-3 and 1e-4."};
    int count;
    return options_parse(&command, argc, argv, &s->file, &count);
}

int main(int argc, char **argv) {
    settings s = {.backends = "native,opencl",
                  .methods = "pgs,jacobi,accelerated-jacobi,accelerated-pgs",
                  .threads = 1,
                  .check = 5,
                  .repeats = 5,
                  .tolerance = 1e-5,
                  .limit = 20};
    static curve curves[CURVES];
    int count = 0;
    const option_outcome outcome = read_settings(&s, argc, argv);
    if (outcome != OPTION_OK) return outcome == OPTION_HELP ? 0 : 2;
    if (!s.name) s.name = s.file;
    char threads[16];
    snprintf(threads, sizeof threads, "%d", (int)s.threads);
    setenv("POCL_MAX_PTHREAD_COUNT", threads, 0);
    team_lead(team_create((int)s.threads, NULL)); /* of the process */
    if (run(&s, curves, &count) != SCREE_OK)
        return fprintf(stderr, "scree-curves: %s\n", scree_error_get_message()), 1;
    print_curves(&s, curves, count);
    if (s.json && !write_curves(&s, curves, count))
        return fprintf(stderr, "scree-curves: cannot write %s\n", s.json), 1;
    return 0;
}
