/* scree-benchmark: time per stage, and how right the result is, for scenes that other engines are measured on
 * too. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/options.h"
#include "report.h"

enum { SCENES = 64 };

static const char *backend_choice(int index) {
    return index <= SCREE_BACKEND_REFERENCE ? scree_backend_name((scree_backend_kind)index) : NULL;
}
static const char *method_choice(int index) { return scree_method_name((scree_method)index); }
static const char *law_choice(int index) { return scree_law_name((scree_law)index); }

/* A name such as A1000 stands for bench/scenes/A1000.json. */
static void scene_path(const char *scene, size_t length, char path[4096]) {
    const bool is_path =
        memchr(scene, '/', length) || (length > 5 && !strncmp(scene + length - 5, ".json", 5));
    if (is_path)
        snprintf(path, 4096, "%.*s", (int)length, scene);
    else
        snprintf(path, 4096, "%s/bench/scenes/%.*s.json", SCREE_SOURCE_DIR, (int)length, scene);
}

int main(int argc, char **argv) {
    measurement_options options = {.backend = -1, .method = -1, .law = -1, .iterations = -1, .threads = -1};
    const char *scenes = NULL, *json = NULL;
    long long repeats = 5;
    bool quick = false, repeats_given = false;
    const option_row rows[] = {
        {.name = "scene",
         .kind = OPTION_TEXT,
         .placeholder = "NAMES",
         .value = &scenes,
         .help = "names from bench/scenes or files, separated by commas\n(default "
                 "A1000,A8000,B1000,B8000,C20,C30,D10,D100,D1000,beads)"},
        {.name = "backend",
         .kind = OPTION_CHOICE,
         .value = &options.backend,
         .choice = backend_choice,
         .help = "who solves"},
        {.name = "device",
         .kind = OPTION_TEXT,
         .placeholder = "NAME",
         .value = &options.device,
         .help = "OpenCL device: part of its name, or its number in `scree devices`"},
        {.name = "method",
         .kind = OPTION_CHOICE,
         .value = &options.method,
         .choice = method_choice,
         .help = "the iteration"},
        {.name = "law",
         .kind = OPTION_CHOICE,
         .value = &options.law,
         .choice = law_choice,
         .help = "the friction law"},
        {.name = "iterations",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &options.iterations,
         .min = 1,
         .max = 1e9,
         .help = "most iterations a step"},
        {.name = "repeats",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &repeats,
         .given = &repeats_given,
         .min = 1,
         .max = MEASUREMENT_REPEATS,
         .help = "runs of the timed part, from the same state; the median counts (default 5)"},
        {.name = "threads",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &options.threads,
         .min = 1,
         .max = 1024,
         .help = "host threads, and PoCL's"},
        {.name = "steps",
         .kind = OPTION_INTEGER,
         .placeholder = "N",
         .value = &options.steps,
         .min = 1,
         .max = 1e9,
         .help = "timed steps, in place of the scene's"},
        {.name = "json",
         .kind = OPTION_TEXT,
         .placeholder = "FILE",
         .value = &json,
         .help = "write the figures there too"},
        {.name = "quick",
         .kind = OPTION_FLAG,
         .value = &quick,
         .help = "small scenes (A1000,B1000,C20,D10), one repeat"},
        {.name = NULL},
    };
    const option_command command = {.name = "scree-benchmark",
                                    .operands = "",
                                    .rows = rows,
                                    .summary = "Runs benchmark scenes and prints milliseconds a step for "
                                               "every stage, contacts times iterations a second, the "
                                               "residual,\nthe penetration measured from positions alone, "
                                               "the kinetic energy, and whether stacks stand."};
    int count;
    const option_outcome outcome = options_parse(&command, argc, argv, NULL, &count);
    if (outcome != OPTION_OK) return outcome == OPTION_HELP ? 0 : 2;
    if (!scenes)
        scenes = quick ? "A1000,B1000,C20,D10" : "A1000,A8000,B1000,B8000,C20,C30,D10,D100,D1000,beads";
    options.repeats = quick && !repeats_given ? 1 : (int)repeats;
    if (options.threads > 0) {
        char text[16];
        snprintf(text, sizeof text, "%d", (int)options.threads);
        setenv("POCL_MAX_PTHREAD_COUNT", text, 0);
    }

    static measurement measurements[SCENES];
    int done = 0;
    bool good = true;
    report_heading(stdout);
    for (const char *scene = scenes; good && *scene && done < SCENES;) {
        const size_t length = strcspn(scene, ",");
        char path[4096];
        scene_path(scene, length, path);
        if (length) good = measurement_run(path, &options, &measurements[done]);
        if (length && good) {
            report_row(stdout, &measurements[done++]);
            if (json)
                good = report_json(json, measurements, done); /* what is finished outlives a later end */
        }
        scene += length + (scene[length] == ',');
    }
    report_notes(stdout, measurements, done);
    return good ? 0 : 1;
}
