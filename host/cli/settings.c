/* The options of `scree run` as a table, and their effect on a scene's definitions. */
#include "settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "output.h"
#include "program.h"

/* Returns the number at *at in a list such as "10,20,500" and advances *at past it; 0 unless there is a
 * number of at least 1. *at becomes NULL at the end. */
static uint64_t list_next(const char **at) {
    char *end;
    const unsigned long long number = strtoull(*at, &end, 10);
    if (**at < '0' || **at > '9' || (*end && *end != ',')) return 0;
    *at = *end ? end + 1 : NULL;
    return number;
}

static bool list_limits(const char *list, uint64_t *first, uint64_t *last) {
    *first = UINT64_MAX;
    *last = 0;
    for (const char *at = list; at;) {
        const uint64_t number = list_next(&at);
        if (!number) return false;
        if (number < *first) *first = number;
        if (number > *last) *last = number;
    }
    return true;
}

bool settings_dumps(const settings *s, uint64_t step) {
    for (const char *at = s->dump; at;)
        if (list_next(&at) == step) return true;
    return false;
}

bool settings_dumps_after(const settings *s, uint64_t step, char *out, size_t size) {
    size_t length = 0;
    for (const char *at = s->dump; at;) {
        const uint64_t number = list_next(&at);
        if (number > step && length + 24 < size)
            length += (size_t)snprintf(out + length, size - length, "%s%llu", length ? "," : "",
                                       (unsigned long long)number);
    }
    return length > 0;
}

bool settings_dumps_within(const settings *s, uint64_t from, uint64_t to, uint64_t *outside) {
    uint64_t first, last;
    if (!s->dump || !list_limits(s->dump, &first, &last)) return true;
    *outside = first <= from ? first : last;
    return first > from && last <= to;
}

#define IN_SECONDS(KEY) "the unit is steps; for seconds use \"" KEY "\" under \"outputs\" in the scene"

option_outcome settings_read(settings *s, int argc, char **argv) {
    const double most = 9e15; /* whole numbers that a double represents exactly */
    s->world = world_options_none();
    const option_row rows[] = {
        OPTION(TEXT, "out", &s->out, "folder for the results, created if missing (default out/SCENE)",
               .placeholder = "DIR"),
        OPTION(REAL, "time", &s->time, "simulated time at which to end", .placeholder = "SECONDS",
               .unit = "s", .given = &s->given.time, .min = 1e-9, .max = 1e9),
        OPTION_WHOLE("steps", &s->steps, 1, most, "last step, counted from the scene's beginning",
                     .given = &s->given.steps, .hint = "the unit is steps; --time takes seconds"),
        OPTION(REAL, "dt", &s->time_step, "time step", .placeholder = "SECONDS", .unit = "s",
               .given = &s->given.time_step, .min = 1e-9, .max = 10),
        WORLD_ROWS(&s->world),
        OPTION(CHOICE, "stabilisation", &s->stabilisation, "scheme that removes overlaps and joint errors",
               .given = &s->given.stabilisation, .choice = stabilisation_choice),
        OPTION_WHOLE("substeps", &s->substeps, 1, 1000, "substeps per step with --stabilisation substep",
                     .given = &s->given.substeps),
        SOLVE_ROWS(&s->world),
        OPTION_WHOLE("every", &s->every, 0, most, "steps between two frames; 0: none",
                     .given = &s->given.every, .hint = IN_SECONDS("every_seconds")),
        OPTION_WHOLE("measure", &s->measure, 0, most,
                     "steps between two rows of measurements; 0: none; default: with each frame",
                     .given = &s->given.measure, .hint = IN_SECONDS("measurements_every_seconds")),
        OPTION(TEXT, "fields", &s->fields,
               "arrays of bodies and contacts in frames besides ids, positions and sizes; or none",
               .placeholder = "NAME[,...]"),
        OPTION(FLAG, "no-contacts", &s->no_contacts, "omit contacts from frames"),
        OPTION_WHOLE("compression", &s->compression, 0, 9, "of frames: 0 none, 1 fast ... 9 small",
                     .given = &s->given.compression),
        OPTION_WHOLE("snapshot", &s->snapshot, 0, most, "steps between two pictures; 0: one at the end",
                     .given = &s->given.snapshot, .hint = IN_SECONDS("snapshot_every_seconds")),
        OPTION(FLAG, "no-pictures", &s->no_pictures, "skip pictures (several seconds each)"),
        OPTION(CHOICE, "colour", &s->colouring, "quantity shown by colours in pictures (default speed)",
               .choice = colouring_choice),
        OPTION(FLAG, "plain", &s->plain, "omit legend, scale bar, time and joints in pictures"),
        OPTION_WHOLE("checkpoint", &s->checkpoint, 0, most,
                     "steps between two checkpoints; 0: one at the end", .given = &s->given.checkpoint,
                     .hint = IN_SECONDS("checkpoint_every_seconds")),
        OPTION(FLAG, "keep-stages", &s->keep_stages,
               "keep a checkpoint and a picture of the end of each stage"),
        OPTION(
            TEXT, "resume", &s->resume,
            "continue from a checkpoint of the scene, adopting changes of the scene; with \"worlds\", from "
            "their folder",
            .placeholder = "CHECKPOINT.h5"),
        OPTION(FLAG, "add", &s->add, "with --resume: add the new entries at the ends of the scene's lists"),
        OPTION(INTEGER, "world", &s->number, "run only this world of a scene with \"worlds\", from 0",
               .placeholder = "K", .given = &s->given.number, .min = 0, .max = 1e9),
        OPTION(INTEGER, "verify", &s->verify,
               "re-solve every K-th step by reference (8 ms per contact) and by the other backend",
               .placeholder = "K", .min = 1, .max = 1e9),
        OPTION(TEXT, "dump-problem", &s->dump, "write the contact problems of these steps as FCLIB files",
               .placeholder = "STEP[,...]"),
        OPTION_WHOLE("seed", &s->seed, 0, most, "seed of the scene's generators", .given = &s->given.seed),
        OPTION(FLAG, "profile", &s->profile,
               "print the time of each stage, and a device's launches, waits, bytes and work-items"),
        OPTION(TEXT, "trace", &s->trace,
               "write the stages and the device's commands for chrome://tracing and Perfetto; with --resume, "
               "to a new file",
               .placeholder = "FILE"),
        OPTION(FLAG, "quiet", &s->quiet, "print errors and warnings only"),
        {.name = NULL},
    };
    const option_command command = {.name = "scree run",
                                    .operands = "SCENE.json",
                                    .rows = rows,
                                    .summary =
                                        "Simulates a scene and writes frames for ParaView, measurements.csv, "
                                        "pictures and a checkpoint.\nOptions override the scene. Ctrl-C ends "
                                        "the run after the current step, with a checkpoint."};
    const option_outcome outcome = options_parse(&command, argc, argv, &s->scene, NULL);
    if (outcome != OPTION_OK) return outcome;
    const char *wrong = NULL;
    if (s->given.snapshot && s->no_pictures) wrong = "--snapshot and --no-pictures exclude each other";
    if (s->given.steps && s->given.time)
        wrong = "--steps and --time both set the end; must have only one of them";
    if (s->add && !s->resume) wrong = "--add requires --resume: a new run contains the whole scene";
    uint64_t first, last;
    char unknown[32], message_text[512];
    if (!list_limits(s->dump, &first, &last)) {
        snprintf(message_text, sizeof message_text,
                 "--dump-problem: \"%.99s\"; must be step numbers from 1 on, such as 10,20,500", s->dump);
        wrong = message_text;
    }
    if (s->fields && !output_fields_read(s->fields, &s->field_set, unknown)) {
        const int length = snprintf(message_text, sizeof message_text,
                                    "--fields: \"%s\"; must be none, or names among ", unknown);
        output_fields_list(message_text + length, sizeof message_text - (size_t)length);
        wrong = message_text;
    }
    if (wrong) fprintf(stderr, "scree run: %s\n", wrong);
    return wrong ? OPTION_WRONG : OPTION_OK;
}

scree_result settings_solver(const settings *s, scree_solver_def *solver) {
    *solver = world_options_solver(&s->world, *solver);
    if (s->given.stabilisation)
        *solver = scree_solver_def_with_stabilisation(*solver, (scree_stabilisation)s->stabilisation);
    if (!s->given.substeps) return SCREE_OK;
    if (solver->stabilisation != SCREE_STABILISATION_SUBSTEP)
        return fail(SCREE_ERROR_ARGUMENT, "--substeps: not used by the stabilisation of the run; must be "
                                          "--stabilisation substep");
    solver->substep.substeps = (int)s->substeps;
    return SCREE_OK;
}

scree_result settings_world(const settings *s, scree_world_def *def) {
    const scree_solver_def solver = def->solver;
    *def = world_options_def(&s->world, *def);
    /* so that a world has the same bits alone and in company, where many would share a device */
    if (s->given.number && def->backend == SCREE_BACKEND_AUTO) def->backend = SCREE_BACKEND_NATIVE;
    def->solver = solver;
    def->group = s->group;
    if (s->given.time_step) def->time_step = s->time_step;
    def->profile = s->profile || s->trace;
    return settings_solver(s, &def->solver);
}

/* Returns the step at which a span from the scene's beginning ends. Spans in seconds count from the current
 * time, so that earlier steps of another length do not matter. */
static uint64_t last_step(scree_span length, const scree_world *world) {
    const double h = scree_world_get_def(world).time_step;
    if (!(length.seconds > 0)) return length.steps;
    if (!scree_world_step_count(world)) return scree_span_get_steps(length, h);
    const scree_span rest = {.seconds = length.seconds - scree_world_get_time(world)};
    return scree_world_step_count(world) + (rest.seconds >= 0.5 * h ? scree_span_get_steps(rest, h) : 0);
}

/* Finds the step at which the run ends: that of the command line or of the scene or, with stages, that of the
 * last stage. */
static scree_result end_of(const settings *s, scree_span length, const scree_scene *scene,
                           const scree_world *world, uint64_t *end) {
    const bool staged = scree_scene_stage_count(scene) > 0, limited = s->given.steps || s->given.time;
    *end = staged && !limited ? UINT64_MAX : last_step(length, world);
    if (!staged) return SCREE_OK;
    uint64_t left;
    TRY(scree_scene_get_stage_steps(scene, world, &left));
    if (scree_world_step_count(world) + left < *end) *end = scree_world_step_count(world) + left;
    return SCREE_OK;
}

scree_result settings_plan(const settings *s, const scree_scene *scene, const scree_world *world, plan *out) {
    const double h = scree_world_get_def(world).time_step;
    scree_run_def run = scree_scene_get_run_def(scene);
    if (scree_scene_stage_count(scene)) {
        int stage;
        double begin;
        TRY(scree_scene_get_stage(world, &stage, &begin));
        run = scree_scene_get_stage_run_def(scene, stage);
    }
    if (s->given.every) run.every = (scree_span){.steps = (uint64_t)s->every};
    if (s->given.measure) run.measurements_every = (scree_span){.steps = (uint64_t)s->measure};
    const bool with_frames = run.measurements_every.steps == SCREE_EVERY_FRAME;
    if (with_frames) run.measurements_every = run.every;
    if (s->fields) run.frames.fields = s->field_set;
    if (s->no_contacts) run.frames.contacts = false;
    if (s->given.compression) run.frames.compression = (int)s->compression;
    if (s->no_pictures) run.pictures = false;
    if (s->keep_stages) run.keep_stages = true;
    if (s->given.snapshot) run.pictures = true;
    if (s->given.snapshot) run.snapshot_every = (scree_span){.steps = (uint64_t)s->snapshot};
    if (s->given.checkpoint) run.checkpoint_every = (scree_span){.steps = (uint64_t)s->checkpoint};
    if (s->given.steps) run.length = (scree_span){.steps = (uint64_t)s->steps};
    if (s->given.time) run.length = (scree_span){.seconds = s->time};
    *out = (plan){.seconds = run.length.seconds,
                  .every = scree_span_get_steps(run.every, h),
                  .measurements_every = scree_span_get_steps(run.measurements_every, h),
                  .measures = with_frames || scree_span_get_steps(run.measurements_every, h) > 0,
                  .frames = run.frames,
                  .pictures = run.pictures,
                  .camera = run.camera,
                  .keep_stages = run.keep_stages,
                  .snapshot_every = scree_span_get_steps(run.snapshot_every, h),
                  .checkpoint_every = scree_span_get_steps(run.checkpoint_every, h)};
    if (s->rows_only) out->every = 0;
    if (s->rows_only) out->pictures = false;
    return end_of(s, run.length, scene, world, &out->steps);
}

/* Prints a word as it is if a shell accepts that, otherwise in single quotes. */
static void print_word(const char *word, FILE *out) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

static void print_pair(const char *option, const char *value, FILE *out) {
    fprintf(out, " %s ", option);
    print_word(value, out);
}

/* Uses of the words of a command line: in the command that continues a run, in that of a run whose later
 * grains need the seed, and as those by which results may depend. */
typedef enum word_use { FOR_RUN = 1, FOR_SEEDED = 2, FOR_RESULTS = 4 } word_use;

/* Options that a use leaves out: the new command sets them itself, or they no longer apply, since the bodies
 * exist; a trace has the clock of its process. */
static const struct {
    const char *name;
    bool has_value;
    unsigned uses;
} dropped[] = {{"--resume", true, FOR_RUN | FOR_SEEDED | FOR_RESULTS},
               {"--out", true, FOR_RUN | FOR_SEEDED | FOR_RESULTS},
               {"--add", false, FOR_RUN | FOR_SEEDED},
               {"--seed", true, FOR_RUN},
               {"--dump-problem", true, FOR_RUN | FOR_SEEDED},
               {"--trace", true, FOR_RUN | FOR_SEEDED | FOR_RESULTS},
               {"--threads", true, FOR_RESULTS},
               {"--quiet", false, FOR_RESULTS}};
enum { DROPPED = sizeof dropped / sizeof *dropped };

/* Returns the number of words (0, 1 or 2) at `word` that form an option to drop. */
static int words_dropped(const char *word, word_use use) {
    for (int i = 0; i < DROPPED; i++) {
        const size_t length = strlen(dropped[i].name);
        if (!(dropped[i].uses & use)) continue;
        if (!strcmp(word, dropped[i].name)) return dropped[i].has_value ? 2 : 1;
        if (!strncmp(word, dropped[i].name, length) && word[length] == '=') return 1;
    }
    return 0;
}

/* Prints the words that a use takes. */
static void print_rest(const settings *given, int argc, char **argv, word_use use, FILE *out) {
    for (int at = 1; at < argc; at++) {
        const int words = words_dropped(argv[at], use);
        if (words) {
            at += words - 1;
        } else if (!strcmp(argv[at], "--")) {
            break;
        } else if (argv[at] != given->scene) {
            fputc(' ', out);
            print_word(argv[at], out);
        }
    }
}

void continuation_print(const settings *given, int argc, char **argv, const char *checkpoint,
                        const char *folder, uint64_t step, bool seeded, FILE *out) {
    fprintf(out, "scree run%s", given->scene[0] == '-' ? " ./" : " ");
    print_word(given->scene, out);
    print_pair("--resume", checkpoint ? checkpoint : folder, out);
    if (checkpoint) print_pair("--out", folder, out);
    print_rest(given, argc, argv, seeded ? FOR_SEEDED : FOR_RUN, out);
    char steps[4096];
    if (settings_dumps_after(given, step, steps, sizeof steps)) print_pair("--dump-problem", steps, out);
}

void settings_print_lasting(const settings *given, int argc, char **argv, FILE *out) {
    print_rest(given, argc, argv, FOR_RESULTS, out);
}
