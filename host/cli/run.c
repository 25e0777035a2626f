/* `scree run`: runs a scene, or continues it from a checkpoint, and writes results to a folder. */
#include "program.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "benchmark/memory_line.h"
#include "run_setup.h"
#include "warnings.h"
#include "ensemble.h"
#include "folder.h"
#include "messages.h"
#include "output.h"
#include "run.h"
#include "progress.h"
#include "run_summary.h"
#include "trace_file.h"

static const char *const name = "scree run";

typedef struct run {
    int argc; /* the command line, for the command that continues the run */
    char **argv;
    settings settings;
    run_setup from;
    scree_world *world; /* same as from.world */
    plan plan;
    int stage; /* index of the scene's stage and its begin time, s; −1: no stages */
    double stage_time;
    bool entered;         /* no step of this stage has been made yet */
    body_snapshot before; /* the bodies present when it was entered */
    output output;
    progress progress;
    run_summary run_summary;
    trace_file trace;
    scree_statistics last; /* of the last step; step 0: none */
    int lock;              /* of the folder, −1: none */
    run_watch *watch;      /* NULL: no other process watches the run */
} run;

volatile sig_atomic_t run_interrupted;

static void interrupt(int signal_number) { run_interrupted = signal_number; }

void run_catch_signals(void) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    /* A closed pipe or a file at its size limit must be reported as an error instead of killing the
     * process. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void run_default_folder(const settings *s, char folder[OUTPUT_PATH]) {
    const char *slash = strrchr(s->scene, '/'), *base = slash ? slash + 1 : s->scene,
               *dot = strrchr(base, '.');
    const int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    if (s->given.number)
        snprintf(folder, OUTPUT_PATH, "out/%.*s-world-%lld", length, base, s->number);
    else
        snprintf(folder, OUTPUT_PATH, "out/%.*s", length, base);
}

/* Estimates the disk space for the first frame and a checkpoint, bytes: about 135 and 150 per body, plus a
 * constant. */
static uint64_t space_for(const scree_world *world) {
    return 16384 + 300 * (uint64_t)scree_body_count(world);
}

static scree_result open_output(run *self) {
    const settings *s = &self->settings;
    output *o = &self->output;
    char folder[OUTPUT_PATH];
    run_default_folder(s, folder);
    const char *chosen = s->out ? s->out : folder;
    TRY(folder_make(chosen));
    TRY(folder_lock(chosen, &self->lock));
    snprintf(o->folder, sizeof o->folder, "%s", chosen);
    TRY(folder_check(chosen, space_for(self->world)));
    if (s->resume) TRY(folder_belongs(chosen, s->resume, self->world));
    const uint64_t from = s->resume ? scree_world_step_count(self->world) : 0;
    o->goes_on = s->resume && folder_has_results(chosen, from);
    TRY(output_open(o, from, &self->plan.frames));
    TRY(scree_statistics_file_attach(o->statistics_file, self->world));
    TRY(output_measurements_open(o, self->world));
    if (!from && self->plan.every) TRY(output_frame(o, self->world));
    o->pictures = true;
    o->pictures_required = s->given.snapshot;
    o->view = scree_default_view();
    o->view.device = self->from.device;
    view_set_camera(&o->view, &self->plan.camera);
    o->view.colouring = (scree_colouring)s->colouring;
    o->view.legend = o->view.scale_bar = o->view.time = o->view.joints = !s->plain;
    return SCREE_OK;
}

/* Finds the world's stage, names it in the measurements and adopts its outputs. */
static scree_result find_stage(run *self) {
    const scree_scene *scene = self->from.scene;
    self->stage = -1;
    if (!scree_scene_stage_count(scene)) return SCREE_OK;
    TRY(scree_scene_get_stage(self->world, &self->stage, &self->stage_time));
    TRY(settings_plan(&self->settings, scene, self->world, &self->plan));
    self->progress.last = self->plan.steps;
    view_set_camera(&self->output.view, &self->plan.camera);
    return output_stage(&self->output, scree_scene_get_stage_name(scene, self->stage), &self->plan.frames);
}

static void tell_change(void *context, const char *change) {
    const run *self = context;
    if (!self->settings.quiet) printf("    %s\n", change);
}

static void tell_step(run *self, const char *what) {
    progress_clear(&self->progress);
    if (!self->settings.quiet)
        printf("  step %llu, %.9g s: %s\n", (unsigned long long)scree_world_step_count(self->world),
               scree_world_get_time(self->world), what);
}

/* Enters the stage after one that is over and makes at least one step of it. `criterion` is the key of the
 * end, or NULL if unknown. */
static scree_result next_stage(run *self, const char *criterion) {
    char what[512];
    scree_resume_def def = scree_default_resume_def();
    def.seed = self->settings.given.seed ? (uint64_t)self->settings.seed
                                         : scree_scene_get_run_def(self->from.scene).seed;
    def.tell = tell_change;
    def.context = self;
    snprintf(what, sizeof what, "stage \"%s\" follows \"%s\"%s%s%s",
             scree_scene_get_stage_name(self->from.scene, self->stage + 1),
             scree_scene_get_stage_name(self->from.scene, self->stage),
             criterion ? ", which ended by its \"" : "", criterion ? criterion : "", criterion ? "\"" : "");
    tell_step(self, what);
    body_snapshot_release(&self->before);
    self->before = body_snapshot_of(self->world);
    self->entered = true;
    const scree_vec3 gravity = scree_world_get_def(self->world).gravity;
    const double mass = run_summary_dynamic_mass(self->world);
    TRY(scree_scene_enter_stage(self->from.scene, self->world, self->stage + 1, &def));
    const scree_vec3 now = scree_world_get_def(self->world).gravity;
    if (run_summary_dynamic_mass(self->world) != mass || memcmp(&now, &gravity, sizeof now))
        run_summary_restart_energy(&self->run_summary);
    TRY(find_stage(self));
    if (self->plan.steps <= scree_world_step_count(self->world))
        self->plan.steps = scree_world_step_count(self->world) + 1;
    return SCREE_OK;
}

static bool is_due(uint64_t step, uint64_t every) { return every && step % every == 0; }

/* Writes the files due after a step; `last`: it is the last step of the run. */
static scree_result write_step(run *self, const scree_statistics *statistics, bool last) {
    const uint64_t step = statistics->step;
    const plan *p = &self->plan;
    /* Each checkpoint also gets a row, so that a resumed run begins a new interval there. */
    const bool saved = last || is_due(step, p->checkpoint_every);
    output *o = &self->output;
    TRY(trace_file_step(&self->trace, self->world));
    TRY(output_step(o, statistics));
    TRY(output_measurements(o, self->world));
    if (p->every && (last || is_due(step, p->every))) TRY(output_frame(o, self->world));
    if (p->measures && (saved || is_due(step, p->measurements_every)))
        TRY(output_row(o, self->world, statistics));
    if (saved) TRY(output_checkpoint(o, self->world, OUTPUT_CHECKPOINTS));
    if (p->pictures && (last || is_due(step, p->snapshot_every)))
        TRY(output_picture(o, self->world, self->settings.quiet));
    if (!settings_dumps(&self->settings, step)) return SCREE_OK;
    progress_clear(&self->progress); /* a warning may follow */
    return output_problem(o, self->world);
}

static scree_result keep_stage(run *self) {
    TRY(output_checkpoint(&self->output, self->world, OUTPUT_STAGES));
    return self->plan.pictures ? output_picture(&self->output, self->world, self->settings.quiet) : SCREE_OK;
}

/* Ends a stage with its last step and files, and begins the next one unless the run also ends. Checkpoints
 * record that the stage is over, so that a resumed run begins the next one. */
static scree_result end_stage(run *self, const scree_statistics *statistics, const char *criterion) {
    const uint64_t step = statistics->step;
    if (self->stage + 1 == scree_scene_stage_count(self->from.scene)) {
        char what[256];
        snprintf(what, sizeof what, "stage \"%s\" ended by its \"%s\"",
                 scree_scene_get_stage_name(self->from.scene, self->stage), criterion);
        tell_step(self, what);
        self->plan.steps = step;
    }
    const bool last = step == self->plan.steps;
    TRY(scree_scene_end_stage(self->from.scene, self->world));
    TRY(write_step(self, statistics, last));
    if (self->plan.keep_stages) TRY(keep_stage(self));
    if (last) return SCREE_OK;
    /* with a row that ends the stage's own interval */
    if (self->plan.measures) TRY(output_row(&self->output, self->world, statistics));
    return next_stage(self, criterion);
}

/* Returns whether a step that failed with this error would fail again. */
static bool fails_again(scree_result result) {
    return result == SCREE_ERROR_CAPACITY || result == SCREE_ERROR_UNSUPPORTED ||
           result == SCREE_ERROR_NOT_FINITE;
}

/* Prints the files of a run that ended early, and the command that continues it. */
static void list_saved(run *self, bool again) {
    const output *o = &self->output;
    if (!o->written[OUTPUT_FRAMES].count && !o->written[OUTPUT_ROWS].count &&
        !o->written[OUTPUT_PICTURES].count && !o->written[OUTPUT_CHECKPOINTS].count) {
        fprintf(messages(), "Nothing was saved.\n");
        return;
    }
    fprintf(messages(), "Saved:\n");
    output_report(o, messages());
    char path[OUTPUT_PATH];
    if (!o->written[OUTPUT_CHECKPOINTS].count) return;
    fputc('`', messages());
    continuation_print(&self->settings, self->argc, self->argv, output_path(o, OUTPUT_CHECKPOINTS, 0, path),
                       o->folder, o->written[OUTPUT_CHECKPOINTS].step,
                       scree_scene_stage_count(self->from.scene) > 0 || self->settings.given.number,
                       messages());
    fprintf(messages(), "` continues from there%s.\n",
            again ? ", and will fail again unless the scene is changed first" : "");
}

/* Ends the run after a failure `result`. The world is in the state of the last good step: this saves it as a
 * checkpoint and lists the saved files, unless the run is watched, by what continues it. */
static int end_early(run *self, const char *why, scree_result result) {
    progress_clear(&self->progress);
    if (!self->watch || !self->watch->interrupted) fprintf(messages(), "%s: %s\n", name, why);
    if (self->watch) snprintf(self->watch->failure, sizeof self->watch->failure, "%s", why);
    /* A run that goes on makes the row in its own time; one that would fail again shows its last state. */
    if (fails_again(result) && self->plan.measures && self->last.step &&
        output_row(&self->output, self->world, &self->last) != SCREE_OK)
        fprintf(messages(), "%s: no row of measurements could be written: %s\n", name,
                scree_error_get_message());
    if (output_checkpoint(&self->output, self->world, OUTPUT_CHECKPOINTS) != SCREE_OK)
        fprintf(messages(), "%s: the checkpoint could not be saved: %s\n", name, scree_error_get_message());
    if (!self->watch) list_saved(self, fails_again(result));
    return EXIT_FAILED;
}

/* Warns about steps that are not solved, in which bodies move too far, or whose joints have come apart. */
static void warn_unsolved(run *self, const scree_statistics *s) {
    if (unsolved_steps_add(&self->run_summary.unsolved, self->world, s)) {
        progress_clear(&self->progress);
        unsolved_steps_warn(&self->run_summary.unsolved, self->world, s, messages());
    }
    if (run_summary_moves_far(&self->run_summary)) {
        progress_clear(&self->progress);
        run_summary_warn_of_travel(&self->run_summary, messages());
    }
    if (run_summary_joints_open(&self->run_summary, self->world)) {
        progress_clear(&self->progress);
        run_summary_warn_of_joints(&self->run_summary, messages());
    }
}

/* Warns about overlaps after the first step of the run or of a stage. */
static void warn_overlaps(run *self, bool first) {
    char when[128] = "";
    const bool all = first && !self->entered && (!self->settings.resume || self->settings.add);
    if (!all && !self->entered) return;
    if (self->entered)
        snprintf(when, sizeof when,
                 "stage \"%s\": ", scree_scene_get_stage_name(self->from.scene, self->stage));
    progress_clear(&self->progress);
    warnings_about_overlaps(self->world, all ? NULL : &self->before, when, messages());
    self->entered = false;
}

/* Appends the scene entries of the bodies that an error message names by their ids. */
static void add_places(const scree_world *world, const uint32_t *bodies, int count, char *why, size_t size) {
    for (int i = 0; i < count; i++) {
        char place[64];
        const size_t length = strlen(why);
        if (scree_scene_get_body_path(world, bodies[i], place, sizeof place))
            snprintf(why + length, size - length, "; id %u is %s", bodies[i], place);
    }
}

/* Announces a long verification. The reference takes up to 30 000 sweeps, about 8 ms per contact. The number
 * printed is that of the preceding step's contacts. */
static void tell_verification(run *self, uint64_t step) {
    enum { MANY = 2000 };
    const settings *s = &self->settings;
    const int contacts = scree_contact_count(self->world);
    if (s->quiet || s->verify <= 0 || step % (uint64_t)s->verify || contacts < MANY) return;
    progress_clear(&self->progress);
    fprintf(messages(), "verifying step %llu: %d contacts; this may take minutes\n", (unsigned long long)step,
            contacts);
}

static void watch_step(run *self, const scree_statistics *statistics) {
    run_watch *watch = self->watch;
    if (!watch) return;
    watch->step = statistics->step;
    watch->steps = self->plan.steps;
    watch->residual = statistics->solve.residual;
}

/* Makes the steps of the run. */
static int make_steps(run *self) {
    char why[20000];
    self->progress = progress_begin(self->settings.quiet, scree_world_step_count(self->world),
                                    self->plan.steps, (uint64_t)self->settings.verify);
    const uint64_t first = scree_world_step_count(self->world) + 1;
    for (uint64_t step = first; step <= self->plan.steps; step++) {
        scree_statistics statistics;
        tell_verification(self, step);
        scree_result result = scree_world_step(self->world, &statistics);
        if (result != SCREE_OK) {
            const char *message = scree_error_get_message();
            if (strncmp(message, "step ", 5)) /* the message names the step itself */
                snprintf(why, sizeof why, "step %llu: %s", (unsigned long long)step, message);
            else
                snprintf(why, sizeof why, "%s", message);
            uint32_t bodies[2];
            add_places(self->world, bodies, scree_error_get_bodies(bodies), why, sizeof why);
            return end_early(self, why, result);
        }
        self->last = statistics;
        run_summary_add(&self->run_summary, &statistics);
        warn_unsolved(self, &statistics);
        warn_overlaps(self, step == first);
        const char *criterion = scree_scene_get_stage_criterion(self->from.scene, self->stage,
                                                                self->stage_time, self->world, &statistics);
        result = criterion ? end_stage(self, &statistics, criterion)
                           : write_step(self, &statistics, step == self->plan.steps);
        if (result != SCREE_OK) {
            snprintf(why, sizeof why, "after step %llu: %s", (unsigned long long)step,
                     scree_error_get_message());
            return end_early(self, why, SCREE_OK);
        }
        progress_step(&self->progress, &statistics);
        watch_step(self, &statistics);
        if (run_interrupted && step < self->plan.steps) {
            snprintf(why, sizeof why, "interrupted (signal %d) after step %llu of %llu", (int)run_interrupted,
                     (unsigned long long)step, (unsigned long long)self->plan.steps);
            if (self->watch) self->watch->interrupted = true;
            return end_early(self, why, SCREE_OK);
        }
    }
    progress_clear(&self->progress);
    return EXIT_DONE;
}

/* Ends the run with the library's last error. */
static int give_up(run *self, scree_result result) {
    if (self->watch)
        snprintf(self->watch->failure, sizeof self->watch->failure, "%s", scree_error_get_message());
    return complain(name, result);
}

/* Returns the simulated time up to the last step, in steps of their present length. */
static double seconds_left(const run_setup *of) {
    const uint64_t made = scree_world_step_count(of->world), last = of->plan.steps;
    return last > made ? (double)(last - made) * scree_world_get_def(of->world).time_step : 0;
}

/* Prints the size classes that generators made from their tables. */
static void announce_sizes(const run *self) {
    enum { CLASSES = 64 };
    const settings *s = &self->settings;
    const uint64_t seed = s->given.seed ? (uint64_t)s->seed : scree_scene_get_run_def(self->from.scene).seed;
    scree_size_class made[CLASSES];
    for (int i = 0; i < scree_scene_generator_count(self->from.scene); i++) {
        const int count = scree_scene_get_size_classes(self->from.scene, i, seed, made, CLASSES);
        for (int k = 0; k < count && k < CLASSES; k++)
            printf("  sizes         generators[%d]: %.4g … %.4g m: %llu %s, %.6g %s requested, %.6g made\n",
                   i, made[k].from, made[k].to, (unsigned long long)made[k].grains,
                   noun_of((long long)made[k].grains, "grain", "grains"), made[k].asked,
                   made[k].made == (double)made[k].grains ? "grains" : "kg", made[k].made);
    }
}

static void announce(const run *self) {
    const settings *s = &self->settings;
    if (s->quiet) return;
    const scree_world_def def = scree_world_get_def(self->world);
    /* Stages end early and may change the time step. */
    const bool staged = scree_scene_stage_count(self->from.scene) > 1;
    const int bodies = scree_body_count(self->world);
    const uint64_t steps = self->plan.steps - scree_world_step_count(self->world);
    printf("%s: %d %s, %llu %s %s %.4g ms, %s\n", s->scene, bodies, noun_of(bodies, "body", "bodies"),
           (unsigned long long)steps, noun_of((long long)steps, "step", "steps"),
           staged ? "at most, the next of" : "of", 1e3 * def.time_step,
           s->resume ? "resumed" : "from the beginning");
    if (s->resume)
        printf("  from step %llu, %.9g s, of %s\n%s", (unsigned long long)scree_world_step_count(self->world),
               scree_world_get_time(self->world), s->resume,
               self->from.changes && *self->from.changes ? self->from.changes : "  the scene is unchanged\n");
    else
        announce_sizes(self);
    memory_tell(self->world, seconds_left(&self->from), 1, stdout);
}

static bool lacks(const output *o, output_kind kind, uint64_t step) {
    char path[OUTPUT_PATH];
    return access(output_path(o, kind, step, path), F_OK) != 0;
}

static scree_result make_missing(run *self) {
    output *o = &self->output;
    const uint64_t step = self->plan.steps;
    if (self->plan.every && !folder_has_frame(o->folder, step)) TRY(output_frame(o, self->world));
    if (lacks(o, OUTPUT_CHECKPOINTS, step)) TRY(output_checkpoint(o, self->world, OUTPUT_CHECKPOINTS));
    if (self->plan.pictures && lacks(o, OUTPUT_PICTURES, step))
        TRY(output_picture(o, self->world, self->settings.quiet));
    return SCREE_OK;
}

/* Completes a run that was killed after its last checkpoint: makes the missing files from the checkpoint's
 * state. A row of measurements cannot be made, because it needs the statistics of the step. */
static int finish(run *self) {
    output *o = &self->output;
    scree_result result = make_missing(self);
    const scree_result closed = output_close(o);
    if (result == SCREE_OK) result = closed;
    if (result != SCREE_OK) return give_up(self, result);
    if (self->settings.quiet) return EXIT_DONE;
    const bool made = o->written[OUTPUT_FRAMES].count || o->written[OUTPUT_CHECKPOINTS].count ||
                      o->written[OUTPUT_PICTURES].count;
    printf("The run had reached its end, step %llu; %s\n", (unsigned long long)self->plan.steps,
           made ? "the missing files were written:" : "nothing was missing.");
    output_report(o, stdout);
    return EXIT_DONE;
}

/* Runs from the open files to the last step. */
static int go(run *self) {
    const settings *s = &self->settings;
    announce(self);
    if (self->plan.steps == scree_world_step_count(self->world)) return finish(self);
    /* The end of a stage makes a row, and the rows of later stages are unknown. */
    const bool staged = scree_scene_stage_count(self->from.scene) > 0;
    warnings_print(self->from.scene, self->world, self->plan.seconds, staged ? 0 : self->plan.steps,
                   messages());
    const double started = clock_seconds();
    bool ended;
    scree_result begun = scree_scene_stage_has_ended(self->from.scene, self->world, &ended);
    if (begun == SCREE_OK && ended) begun = next_stage(self, NULL);
    if (begun != SCREE_OK) return give_up(self, begun);
    const int code = make_steps(self);
    const double wall = clock_seconds() - started;
    const scree_result closed = output_close(&self->output);
    if (closed != SCREE_OK && code == EXIT_DONE) return give_up(self, closed);
    if (code == EXIT_DONE && !s->quiet) {
        printf("Done.\n");
        run_summary_report(&self->run_summary, self->world, wall, stdout);
        if (s->profile) run_summary_profile(&self->run_summary, self->world, stdout);
        output_report(&self->output, stdout);
    }
    if (code != EXIT_DONE && s->profile) run_summary_profile(&self->run_summary, self->world, stdout);
    return code;
}

/* Returns the exit code of an error before the first step. Nothing has been touched, so every error except
 * lack of memory is a wrong command. */
static int refuse(run *self, scree_result result) {
    give_up(self, result);
    return result == SCREE_ERROR_MEMORY || result == SCREE_ERROR_DEVICE_MEMORY ? EXIT_FAILED : EXIT_WRONG;
}

static int command(run *self) {
    scree_result result = run_setup_make(&self->from, &self->settings);
    if (result != SCREE_OK) return refuse(self, result);
    self->world = self->from.world;
    self->plan = self->from.plan;
    result = memory_tell(self->world, seconds_left(&self->from), 1, NULL);
    if (result != SCREE_OK) return refuse(self, result);
    result = open_output(self);
    if (result == SCREE_OK)
        result = trace_file_open(&self->trace, self->settings.trace, self->settings.resume);
    if (result == SCREE_OK) result = find_stage(self);
    return result == SCREE_OK ? go(self) : give_up(self, result);
}

/* Takes the scene, or makes that of the world that the command line names, whose seed it then has. */
static scree_result take_scene(run *self, const scree_scene *scene) {
    settings *s = &self->settings;
    const uint64_t seed = s->given.seed ? (uint64_t)s->seed : scree_scene_get_run_def(scene).seed;
    const int count = scree_scene_get_worlds_def(scene).count;
    if (!count)
        return fail(SCREE_ERROR_ARGUMENT, "--world: %lld; must be used with a scene that has \"worlds\"",
                    s->number);
    if (s->number >= count)
        return fail(SCREE_ERROR_ARGUMENT, "--world: %lld; must be 0 to %d", s->number, count - 1);
    s->given.seed = false;
    return scree_scene_make_world(scene, (int)s->number, seed, &self->from.scene);
}

static void run_release(run *self) {
    output_release(&self->output);
    trace_file_close(&self->trace);
    folder_unlock(self->output.folder, self->lock);
    run_setup_release(&self->from);
    body_snapshot_release(&self->before);
}

static int run_alone(const settings *s, scree_scene *scene, int argc, char **argv) {
    SCOPED run *self = memory_allocate(1, sizeof *self);
    if (!self) return complain(name, fail(SCREE_ERROR_MEMORY, "out of memory"));
    *self = (run){.lock = -1, .argc = argc, .argv = argv, .settings = *s, .from.scene = scene};
    run_catch_signals();
    const int code = command(self);
    run_release(self);
    return code;
}

int run_world(const settings *s, const scree_scene *ensemble, int argc, char **argv, run_watch *watch) {
    SCOPED run *self = memory_allocate(1, sizeof *self);
    if (!self) return complain(name, fail(SCREE_ERROR_MEMORY, "out of memory"));
    *self = (run){.lock = -1, .argc = argc, .argv = argv, .settings = *s, .watch = watch};
    run_catch_signals();
    const scree_result result = take_scene(self, ensemble);
    const int code = result == SCREE_OK ? command(self) : refuse(self, result);
    run_release(self);
    return code;
}

int run_world_check(const settings *s, const scree_scene *ensemble, int at_once, run_watch *watch) {
    SCOPED run *self = memory_allocate(1, sizeof *self);
    if (!self) return complain(name, fail(SCREE_ERROR_MEMORY, "out of memory"));
    *self = (run){.lock = -1, .settings = *s, .watch = watch};
    scree_result result = take_scene(self, ensemble);
    if (result == SCREE_OK) result = run_setup_make(&self->from, &self->settings);
    watch->steps = self->from.plan.steps;
    if (result == SCREE_OK)
        warnings_print(self->from.scene, self->from.world, self->from.plan.seconds, 0, messages());
    if (result == SCREE_OK) result = memory_tell(self->from.world, seconds_left(&self->from), at_once, NULL);
    const int code = result == SCREE_OK || self->from.building ? EXIT_DONE : refuse(self, result);
    run_release(self);
    return code;
}

int command_run(int argc, char **argv) {
    settings s = {0};
    const option_outcome outcome = settings_read(&s, argc, argv);
    if (outcome != OPTION_OK) return (int)outcome;
    scree_scene *scene = NULL;
    const scree_result result = scree_scene_load(s.scene, &scene);
    if (result != SCREE_OK) {
        complain(name, result);
        return result == SCREE_ERROR_MEMORY ? EXIT_FAILED : EXIT_WRONG;
    }
    if (!s.given.number && !scree_scene_get_worlds_def(scene).count) return run_alone(&s, scene, argc, argv);
    const int code =
        s.given.number ? run_world(&s, scene, argc, argv, NULL) : ensemble_run(&s, scene, argc, argv);
    scree_scene_destroy(scene);
    return code;
}
