/* `scree grains`: writes the grains of a checkpoint as a CSV table. */
#include "program.h"
#include "progress.h"

#include <stdio.h>

static const char *const name = "scree grains";

static scree_result no_grains(const char *file) {
    char text[512];
    snprintf(text, sizeof text, "%.400s: no dynamic spheres; must have at least one", file);
    return scree_error_set(SCREE_ERROR_FORMAT, text);
}

static scree_result convert(const char *file, const char *out, scree_grains *grains, int *others) {
    scree_world *world = NULL;
    scree_result result = checkpoint_read(file, &world);
    if (result == SCREE_OK) result = scree_grains_from_world(world, grains, others);
    if (result == SCREE_OK && grains->count == 0) result = no_grains(file);
    if (result == SCREE_OK) result = scree_grains_save(grains, out);
    scree_world_destroy(world);
    return result;
}

int command_grains(int argc, char **argv) {
    const char *file = NULL, *out = "grains.csv";
    const option_row rows[] = {
        OPTION(TEXT, "out", &out, "the table (default grains.csv)", .placeholder = "FILE"),
        {.name = NULL},
    };
    const option_command command = {
        .name = name,
        .operands = "CHECKPOINT.h5",
        .rows = rows,
        .summary =
            "Writes the dynamic spheres of a checkpoint as a CSV table of positions, radii,\ndensities, "
            "ids and velocities. A scene's generator of the kind \"grains\" reads it."};
    const option_outcome outcome = options_parse(&command, argc, argv, &file, NULL);
    if (outcome != OPTION_OK) return (int)outcome;
    scree_grains grains = {0};
    int others = 0, code = EXIT_DONE;
    const scree_result result = convert(file, out, &grains, &others);
    if (result != SCREE_OK)
        code = result == SCREE_ERROR_FILE ? (complain(name, result), EXIT_WRONG) : complain(name, result);
    else
        printf("%s: %d %s\n", out, grains.count, noun_of(grains.count, "grain", "grains"));
    if (others)
        fprintf(stderr, "%s: warning: %d dynamic %s omitted\n", name, others,
                noun_of(others, "body is not a sphere and was", "bodies are not spheres and were"));
    scree_grains_release(&grains);
    return code;
}
