/* `scree presets`: prints the values that each preset sets. */
#include "program.h"

#include <stdio.h>

enum { WIDTH = 20, VALUE = 32 };

typedef struct preset_key {
    const char *name;
    void (*print)(const scree_solver_def *def, char out[VALUE]);
} preset_key;

static bool has_substeps(const scree_solver_def *def) {
    return def->stabilisation == SCREE_STABILISATION_SUBSTEP;
}

static void print_iterations(const scree_solver_def *def, char out[VALUE]) {
    if (!has_substeps(def)) snprintf(out, VALUE, "%d", def->iterations);
}

static void print_tolerance(const scree_solver_def *def, char out[VALUE]) {
    if (!has_substeps(def)) snprintf(out, VALUE, "%g", (double)def->tolerance);
}

static void print_reduction(const scree_solver_def *def, char out[VALUE]) {
    if (!has_substeps(def)) snprintf(out, VALUE, "%g", (double)def->reduction);
}

static void print_local_sweeps(const scree_solver_def *def, char out[VALUE]) {
    snprintf(out, VALUE, "%d", def->local_sweeps);
}

static void print_direct_joints(const scree_solver_def *def, char out[VALUE]) {
    snprintf(out, VALUE, "%s", def->direct_joints ? "true" : "false");
}

static void print_stabilisation(const scree_solver_def *def, char out[VALUE]) {
    snprintf(out, VALUE, "%s", scree_stabilisation_name(def->stabilisation));
}

static void print_position_iterations(const scree_solver_def *def, char out[VALUE]) {
    if (def->stabilisation == SCREE_STABILISATION_SPLIT)
        snprintf(out, VALUE, "%d", def->split.position_iterations);
}

static void print_position_follows(const scree_solver_def *def, char out[VALUE]) {
    if (def->stabilisation == SCREE_STABILISATION_SPLIT)
        snprintf(out, VALUE, "%s", def->split.position_follows ? "true" : "false");
}

static void print_substeps(const scree_solver_def *def, char out[VALUE]) {
    if (has_substeps(def)) snprintf(out, VALUE, "%d", def->substep.substeps);
}

/* Named as the keys of `solver` in scenes. */
static const preset_key keys[] = {
    {"iterations", print_iterations},
    {"tolerance", print_tolerance},
    {"reduction", print_reduction},
    {"local_sweeps", print_local_sweeps},
    {"direct_joints", print_direct_joints},
    {"stabilisation", print_stabilisation},
    {"position_iterations", print_position_iterations},
    {"position_follows", print_position_follows},
    {"substeps", print_substeps},
};

static void print_key(const preset_key *key) {
    printf("%-*s", WIDTH, key->name);
    for (int i = 0; i < SCREE_PRESET_COUNT; i++) {
        const scree_solver_def def =
            scree_solver_def_with_preset(scree_default_solver_def(), (scree_preset)i);
        char value[VALUE] = "-";
        key->print(&def, value);
        printf(" %10s", value);
    }
    putchar('\n');
}

int command_presets(int argc, char **argv) {
    const option_row rows[] = {{.name = NULL}};
    const option_command command = {
        .name = "scree presets",
        .operands = "",
        .rows = rows,
        .summary = "Prints the values that each preset sets, by their keys in a scene's \"solver\".\n"
                   "-: the preset does not use the key. Options and keys override a preset's values."};
    const option_outcome outcome = options_parse(&command, argc, argv, NULL, NULL);
    if (outcome != OPTION_OK) return (int)outcome;
    printf("%-*s", WIDTH, "");
    for (int i = 0; i < SCREE_PRESET_COUNT; i++) printf(" %10s", scree_preset_name((scree_preset)i));
    putchar('\n');
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) print_key(&keys[i]);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}
