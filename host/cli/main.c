#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commit.h"
#include "messages.h"

/* Prints the JSON Schema of scenes. */
static int command_schema(int argc, char **argv) {
    const option_row rows[] = {{.name = NULL}};
    const option_command command = {
        .name = "scree schema",
        .operands = "",
        .rows = rows,
        .summary =
            "Prints the JSON Schema (draft 2020-12) of scenes, with which an editor completes and checks "
            "them."};
    const option_outcome outcome = options_parse(&command, argc, argv, NULL, NULL);
    if (outcome != OPTION_OK) return (int)outcome;
    const scree_result result = scree_scene_print_schema(stdout);
    if (result != SCREE_OK) return complain("scree schema", result);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}

typedef struct command {
    const char *name;
    int (*call)(int argc, char **argv);
    const char *help;
} command;

static const command commands[] = {
    {"run", command_run, "simulate a scene: scree run SCENE.json"},
    {"devices", command_devices, "list OpenCL devices and the one that would be used"},
    {"render", command_render, "draw a saved frame or checkpoint: scree render FILE"},
    {"view", command_view, "show a run, its results or a checkpoint in a window: scree view FILE"},
    {"grains", command_grains, "write a checkpoint's grains as CSV: scree grains FILE"},
    {"presets", command_presets, "print the solver's values in each preset"},
    {"schema", command_schema, "print the JSON Schema of scenes: scree schema > scene.schema.json"},
    {"bench", command_bench, "measure this machine: scree bench"},
    {"solve", command_solve, "solve a contact problem of an FCLIB file: scree solve FILE"},
    {NULL, NULL, NULL},
};

int complain(const char *name, scree_result result) {
    fprintf(messages(), "%s: %s\n", name, scree_error_get_message());
    return result == SCREE_ERROR_ARGUMENT || result == SCREE_ERROR_FORMAT ? EXIT_WRONG : EXIT_FAILED;
}

scree_result checkpoint_read(const char *path, scree_world **out) {
    scree_world_def runtime = scree_default_world_def();
    runtime.backend = SCREE_BACKEND_NATIVE;
    runtime.threads = 1;
    return scree_checkpoint_load(path, &runtime, out);
}

void view_set_camera(scree_view *view, const scree_camera *camera) {
    view->automatic = camera->automatic;
    view->eye = camera->eye;
    view->target = camera->target;
    view->field_of_view = camera->field_of_view;
}

void pocl_set_thread_count(int threads) {
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    if (threads > 0) setenv("POCL_MAX_PTHREAD_COUNT", text, 0);
}

const char *backend_choice(int index) { return scree_backend_name((scree_backend_kind)index); }
const char *pipeline_choice(int index) { return scree_pipeline_name((scree_pipeline)index); }
const char *world_backend_choice(int index) {
    return index <= SCREE_BACKEND_REFERENCE ? backend_choice(index) : NULL;
}
const char *preset_choice(int index) { return scree_preset_name((scree_preset)index); }
const char *method_choice(int index) { return scree_method_name((scree_method)index); }
const char *law_choice(int index) { return scree_law_name((scree_law)index); }
const char *stabilisation_choice(int index) { return scree_stabilisation_name((scree_stabilisation)index); }
const char *colouring_choice(int index) { return scree_colouring_name((scree_colouring)index); }

static const char *command_word(const void *context, int index) {
    (void)context;
    return commands[index].name;
}

static void print_help(FILE *out) {
    fprintf(out, "Usage: scree COMMAND [OPTIONS] [FILE]\n\nSimulates large piles of rigid bodies with "
                 "contact and friction, and reports the error of the result.\n\nCommands:\n");
    for (const command *c = commands; c->name; c++) fprintf(out, "  %-10s%s\n", c->name, c->help);
    fprintf(out, "\n`scree COMMAND --help` explains a command; `scree --version` prints the version.\nExit "
                 "status: 0 done, 1 the run failed or was interrupted, 2 wrong usage or input.\n");
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_WRONG;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("scree %s (%s), %s build with %s\n", scree_version_name(), SCREE_COMMIT, SCREE_BUILD_TYPE,
               SCREE_COMPILER);
        return EXIT_DONE;
    }
    for (const command *c = commands; c->name; c++)
        if (!strcmp(c->name, argv[1])) return c->call(argc - 1, argv + 1);
    const char *nearest = options_nearest(argv[1], command_word, NULL);
    fprintf(stderr, "scree: unknown command \"%s\"; %s%s%s\n", argv[1],
            nearest ? "did you mean \"" : "`scree --help` lists them", nearest ? nearest : "",
            nearest ? "\"?" : "");
    return EXIT_WRONG;
}
