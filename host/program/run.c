/* `scree run`: from a scene file, or a checkpoint of it, to results in a folder. */
#include "program.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "output.h"
#include "progress.h"
#include "tally.h"

static const char *const name = "scree run";

/* What the command line asks for. Numbers that were not given are found in the scene. */
typedef struct settings {
    const char *scene, *out, *device, *resume, *dump;
    long long steps, iterations, threads, every, snapshot, checkpoint, verify, seed;
    double time, time_step, tolerance;
    int backend, method, law;
    bool quiet;
    struct {
        bool steps, time, time_step, backend, method, law, iterations, tolerance, threads, every, snapshot,
            checkpoint, seed;
    } given;
} settings;

typedef struct run {
    settings settings;
    scree_scene *scene;
    scree_world *world;
    scree_run_def plan;
    output output;
    progress progress;
    tally tally;
} run;

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number) { interrupted = signal_number; }

/* The first signal ends the run after the step in progress, a second one at once. */
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    /* A closed pipe or a file grown to its limit is an error to report, not an end without a word. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* Whether `step` is in a list such as "10,20,500"; false and *wrong set where the list is not one. Null is an
 * empty list. */
static bool is_listed(const char *list, uint64_t step, bool *wrong) {
    bool found = false;
    for (const char *at = list; at;) {
        char *end;
        const unsigned long long number = strtoull(at, &end, 10);
        if (*at < '0' || *at > '9' || number == 0 || (*end && *end != ',')) return *wrong = true, false;
        found = found || number == step;
        at = *end ? end + 1 : NULL;
    }
    return found;
}

static option_outcome read_settings(settings *s, int argc, char **argv) {
    const double most = 9e15; /* whole numbers that a double holds */
    const option_row rows[] = {
        {.name = "out",
         .kind = OPTION_TEXT,
         .placeholder = "DIR",
         .value = &s->out,
         .help = "folder for the results, made if missing (default out/SCENE)"},
        {.name = "time",
         .kind = OPTION_REAL,
         .placeholder = "SECONDS",
         .value = &s->time,
         .given = &s->given.time,
         .lowest = 1e-9,
         .highest = 1e9,
         .help = "simulated time at which to end"},
        {.name = "steps",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &s->steps,
         .given = &s->given.steps,
         .lowest = 1,
         .highest = most,
         .help = "step at which to end, counted from the scene's beginning"},
        {.name = "dt",
         .kind = OPTION_REAL,
         .placeholder = "SECONDS",
         .value = &s->time_step,
         .given = &s->given.time_step,
         .lowest = 1e-9,
         .highest = 10,
         .help = "time step"},
        {.name = "backend",
         .kind = OPTION_CHOICE,
         .value = &s->backend,
         .given = &s->given.backend,
         .choice = backend_choice,
         .help = "who solves"},
        {.name = "device",
         .kind = OPTION_TEXT,
         .placeholder = "NAME",
         .value = &s->device,
         .help = "OpenCL device: part of its name, or its number in `scree devices`"},
        {.name = "method",
         .kind = OPTION_CHOICE,
         .value = &s->method,
         .given = &s->given.method,
         .choice = method_choice,
         .help = "the iteration"},
        {.name = "law",
         .kind = OPTION_CHOICE,
         .value = &s->law,
         .given = &s->given.law,
         .choice = law_choice,
         .help = "the friction law"},
        {.name = "iterations",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &s->iterations,
         .given = &s->given.iterations,
         .lowest = 1,
         .highest = 1e9,
         .help = "most iterations a step"},
        {.name = "tolerance",
         .kind = OPTION_REAL,
         .placeholder = "R",
         .value = &s->tolerance,
         .given = &s->given.tolerance,
         .lowest = 0,
         .highest = 1,
         .help = "scaled residual to stop a solve at; 0: do not test"},
        {.name = "threads",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &s->threads,
         .given = &s->given.threads,
         .lowest = 1,
         .highest = 1024,
         .help = "host threads (and PoCL's); results do not depend on it"},
        {.name = "every",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &s->every,
         .given = &s->given.every,
         .lowest = 0,
         .highest = most,
         .help = "steps between two frames and rows of measurements; 0: none"},
        {.name = "snapshot",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &s->snapshot,
         .given = &s->given.snapshot,
         .lowest = 0,
         .highest = most,
         .help = "steps between two pictures; 0: one at the end"},
        {.name = "checkpoint",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &s->checkpoint,
         .given = &s->given.checkpoint,
         .lowest = 0,
         .highest = most,
         .help = "steps between two checkpoints; 0: one at the end"},
        {.name = "resume",
         .kind = OPTION_TEXT,
         .placeholder = "FILE",
         .value = &s->resume,
         .help = "go on from a checkpoint, bit for bit as if never stopped"},
        {.name = "verify",
         .kind = OPTION_INTEGER,
         .placeholder = "K",
         .value = &s->verify,
         .lowest = 0,
         .highest = 1e9,
         .help = "solve every K-th step again by reference and by the other backend"},
        {.name = "dump-problem",
         .kind = OPTION_TEXT,
         .placeholder = "STEP[,...]",
         .value = &s->dump,
         .help = "write the contact problems of these steps as FCLIB files"},
        {.name = "seed",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &s->seed,
         .given = &s->given.seed,
         .lowest = 0,
         .highest = most,
         .help = "seed of the scene's generators"},
        {.name = "quiet", .kind = OPTION_FLAG, .value = &s->quiet, .help = "print errors only"},
        {.name = NULL},
    };
    const option_command command = {
        .name = name,
        .operands = "SCENE.json",
        .least = 1,
        .most = 1,
        .rows = rows,
        .summary =
            "Simulates a scene and writes frames for ParaView, measurements.csv, pictures and a checkpoint.\n"
            "Options come before what the scene says. Ctrl-C ends after the current step with a checkpoint."};
    int count;
    const option_outcome outcome = options_parse(&command, argc, argv, &s->scene, &count);
    if (outcome != OPTION_OK) return outcome;
    const char *wrong = NULL;
    if (s->given.steps && s->given.time) wrong = "--steps and --time both say when to end; give one of them";
    if (s->resume && s->given.seed)
        wrong = "--seed changes nothing with --resume: the bodies come from the checkpoint";
    bool bad_list = false;
    is_listed(s->dump, 0, &bad_list);
    if (bad_list) wrong = "--dump-problem needs numbers of steps from 1 on, such as 10,20,500";
    if (wrong) fprintf(stderr, "%s: %s\n", name, wrong);
    return wrong ? OPTION_WRONG : OPTION_OK;
}

/* The solver of `solver` with the command line's choices. */
static scree_solver_def override_solver(const settings *s, scree_solver_def solver) {
    if (s->given.method) solver.method = (scree_method)s->method;
    if (s->given.law) solver.law = (scree_law)s->law;
    if (s->given.iterations) solver.iterations = (int)s->iterations;
    if (s->given.tolerance) solver.tolerance = (float)s->tolerance;
    return solver;
}

static scree_world_def override_world(const settings *s, scree_world_def def) {
    if (s->given.time_step) def.time_step = (float)s->time_step;
    if (s->given.backend) def.backend = (scree_backend_kind)s->backend;
    if (s->given.threads) def.threads = (int)s->threads;
    if (s->device) def.device = s->device;
    def.solver = override_solver(s, def.solver);
    return def;
}

/* `time_step`: the one in force. */
static scree_run_def override_plan(const settings *s, scree_run_def plan, float time_step,
                                   const scree_world *world) {
    if (s->given.every) plan.every = (uint64_t)s->every;
    if (s->given.snapshot) plan.snapshot_every = (uint64_t)s->snapshot;
    if (s->given.checkpoint) plan.checkpoint_every = (uint64_t)s->checkpoint;
    if (s->given.seed) plan.seed = (uint64_t)s->seed;
    if (s->given.steps) plan.steps = (uint64_t)s->steps;
    if (s->given.time) {
        /* A time step such as 1/120 s is not exact in binary: a quotient a hair above a whole number is that
         * number. */
        const double left = ceil((s->time - scree_world_time(world)) / (double)time_step - 1e-4);
        plan.steps = scree_world_steps(world) + (left > 0 ? (uint64_t)left : 0);
    }
    return plan;
}

/* A device that was asked for by name and is not there is wrong input. */
static int complain_device(const settings *s, scree_result result) {
    const int code = complain(name, result);
    return result == SCREE_ERROR_NO_DEVICE && s->device ? EXIT_WRONG : code;
}

/* The world of a checkpoint, with the command line's choices of solver and time step. */
static int resume_world(run *self, const scree_world_def *runtime) {
    const settings *s = &self->settings;
    scree_result result = scree_checkpoint_load(s->resume, runtime, &self->world);
    if (result == SCREE_ERROR_FILE) return complain(name, result), EXIT_WRONG;
    if (result != SCREE_OK) return complain_device(s, result);
    const scree_solver_def solver = override_solver(s, scree_world_read(self->world).solver);
    result = scree_world_solver_set(self->world, &solver);
    if (result == SCREE_OK && s->given.time_step)
        result = scree_world_time_step_set(self->world, (float)s->time_step);
    return result == SCREE_OK ? EXIT_DONE : complain(name, result);
}

/* Reads the scene and makes the world, from it or from a checkpoint. */
static int make_world(run *self) {
    const settings *s = &self->settings;
    scree_result result = scree_scene_load(s->scene, &self->scene);
    if (result != SCREE_OK)
        return result == SCREE_ERROR_FILE ? (complain(name, result), EXIT_WRONG) : complain(name, result);
    const scree_world_def def = override_world(s, scree_scene_world_def(self->scene));
    limit_device_threads(def.threads);
    self->output.view.device = def.device;
    if (s->resume) {
        const int code = resume_world(self, &def);
        if (code != EXIT_DONE) return code;
    } else if ((result = scree_world_create(&def, &self->world)) != SCREE_OK) {
        return complain_device(s, result);
    }
    self->plan = override_plan(s, scree_scene_run_def(self->scene), scree_world_read(self->world).time_step,
                               self->world);
    if (!s->resume && (result = scree_scene_build(self->scene, self->world, self->plan.seed)) != SCREE_OK)
        return complain(name, result);
    if (scree_world_steps(self->world) >= self->plan.steps) {
        fprintf(stderr,
                "%s: \"%s\" is at step %llu and the run ends at step %llu: give a later --steps or --time\n",
                name, s->resume ? s->resume : s->scene, (unsigned long long)scree_world_steps(self->world),
                (unsigned long long)self->plan.steps);
        return EXIT_WRONG;
    }
    if (s->verify && (result = scree_world_verify(self->world, (int)s->verify)) != SCREE_OK)
        return complain(name, result);
    return EXIT_DONE;
}

/* "out/beads" for "scenes/beads.json" */
static void default_folder(const char *scene, char folder[OUTPUT_PATH]) {
    const char *slash = strrchr(scene, '/'), *base = slash ? slash + 1 : scene, *dot = strrchr(base, '.');
    snprintf(folder, OUTPUT_PATH, "out/%.*s", dot && dot > base ? (int)(dot - base) : (int)strlen(base),
             base);
}

static int open_output(run *self) {
    const settings *s = &self->settings;
    char folder[OUTPUT_PATH];
    default_folder(s->scene, folder);
    const char *chosen = s->out ? s->out : folder;
    if (!output_folder_make(chosen)) return EXIT_WRONG;
    const uint64_t from = s->resume ? scree_world_steps(self->world) : 0;
    scree_result result = output_open(&self->output, chosen, from);
    if (result == SCREE_OK && !from && self->plan.every) result = output_frame(&self->output, self->world);
    if (result != SCREE_OK) return complain(name, result);
    self->output.pictures = true;
    self->output.pictures_required = s->given.snapshot;
    if (s->given.snapshot) { /* better told now than after an hour */
        int devices;
        result = scree_device_list(NULL, 0, &devices);
        if (result != SCREE_OK) return complain(name, result);
    }
    return EXIT_DONE;
}

static bool is_due(uint64_t step, uint64_t every) { return every && step % every == 0; }

/* What a step leaves in files; `last`: the run ends with it. */
static scree_result write_step(run *self, const scree_statistics *statistics, bool last) {
    const uint64_t step = statistics->step;
    const scree_run_def *plan = &self->plan;
    scree_result result = SCREE_OK;
    if (plan->every && (last || is_due(step, plan->every))) {
        result = output_frame(&self->output, self->world);
        if (result == SCREE_OK) result = output_row(&self->output, statistics);
    }
    if (result == SCREE_OK && (last || is_due(step, plan->checkpoint_every)))
        result = output_checkpoint(&self->output, self->world);
    if (result == SCREE_OK && (last || is_due(step, plan->snapshot_every)))
        result = output_picture(&self->output, self->world, self->settings.quiet);
    bool wrong = false;
    if (result == SCREE_OK && is_listed(self->settings.dump, step, &wrong))
        result = output_problem(&self->output, self->world);
    return result;
}

/* The state is that of the last good step: it goes into the checkpoint, and everything that was saved is
 * named. */
static int end_early(run *self, const char *why, int code) {
    progress_clear(&self->progress);
    fprintf(stderr, "%s: %s\n", name, why);
    if (output_checkpoint(&self->output, self->world) != SCREE_OK)
        fprintf(stderr, "%s: the checkpoint could not be saved: %s\n", name, scree_error_message());
    const output *o = &self->output;
    if (!o->frames && !o->rows && !o->picture_count && !o->checkpoints) {
        fprintf(stderr, "Nothing was saved.\n");
        return code;
    }
    fprintf(stderr, "Saved:\n");
    output_report(o, stderr);
    char path[OUTPUT_PATH];
    if (o->checkpoints)
        fprintf(stderr, "`scree run %s --resume %s --out %s` goes on from there.\n", self->settings.scene,
                output_file_path(o, "checkpoint.h5", path), o->folder);
    return code;
}

/* Makes the steps. */
static int make_steps(run *self) {
    char why[20000];
    self->progress = progress_begin(self->settings.quiet, scree_world_steps(self->world), self->plan.steps);
    for (uint64_t step = scree_world_steps(self->world) + 1; step <= self->plan.steps; ++step) {
        scree_statistics statistics;
        scree_result result = scree_world_step(self->world, &statistics);
        if (result != SCREE_OK) {
            snprintf(why, sizeof why, "step %llu: %s", (unsigned long long)step, scree_error_message());
            return end_early(self, why, EXIT_FAILED);
        }
        tally_add(&self->tally, &statistics);
        result = write_step(self, &statistics, step == self->plan.steps);
        if (result != SCREE_OK) {
            snprintf(why, sizeof why, "after step %llu: %s", (unsigned long long)step, scree_error_message());
            return end_early(self, why, EXIT_FAILED);
        }
        progress_step(&self->progress, &statistics);
        if (interrupted && step < self->plan.steps) {
            snprintf(why, sizeof why, "interrupted (signal %d) after step %llu of %llu", (int)interrupted,
                     (unsigned long long)step, (unsigned long long)self->plan.steps);
            return end_early(self, why, EXIT_FAILED);
        }
    }
    progress_clear(&self->progress);
    return EXIT_DONE;
}

static void announce(const run *self) {
    const settings *s = &self->settings;
    if (s->quiet) return;
    const scree_world_def def = scree_world_read(self->world);
    printf("%s: %d bodies, %llu steps of %.4g ms, %s\n", s->scene, scree_body_count(self->world),
           (unsigned long long)(self->plan.steps - scree_world_steps(self->world)),
           1e3 * (double)def.time_step, s->resume ? "resumed" : "from the beginning");
    fflush(stdout);
}

int command_run(int argc, char **argv) {
    run *self = calloc(1, sizeof *self);
    if (!self) return fprintf(stderr, "%s: out of memory\n", name), EXIT_FAILED;
    self->output.view = scree_default_view();
    const option_outcome outcome = read_settings(&self->settings, argc, argv);
    int code = outcome == OPTION_WRONG ? EXIT_WRONG : EXIT_DONE;
    double wall = 0;
    if (outcome == OPTION_OK) {
        catch_signals();
        code = make_world(self);
        if (code == EXIT_DONE) code = open_output(self);
        if (code == EXIT_DONE) {
            announce(self);
            const double started = progress_clock();
            code = make_steps(self);
            wall = progress_clock() - started;
        }
        const scree_result closed = output_close(&self->output);
        if (closed != SCREE_OK && code == EXIT_DONE) code = complain(name, closed);
        if (code == EXIT_DONE && !self->settings.quiet) {
            printf("Done.\n");
            tally_report(&self->tally, self->world, wall, stdout);
            output_report(&self->output, stdout);
        }
    }
    scree_world_destroy(self->world);
    scree_scene_destroy(self->scene);
    free(self);
    return code;
}
