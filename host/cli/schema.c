/* `scree schema`: prints the JSON Schema of scenes. */
#include "program.h"

#include <stdio.h>

#include "options.h"

int command_schema(int argc, char **argv) {
    const option_row rows[] = {{.name = NULL}};
    const option_command command = {
        .name = "scree schema",
        .operands = "",
        .rows = rows,
        .summary =
            "Prints the JSON Schema (draft 2020-12) of scenes, with which an editor completes and checks "
            "them."};
    int operands;
    const option_outcome outcome = options_parse(&command, argc, argv, NULL, &operands);
    if (outcome != OPTION_OK) return outcome == OPTION_HELP ? EXIT_DONE : EXIT_WRONG;
    const scree_result result = scree_scene_print_schema(stdout);
    if (result != SCREE_OK) return complain("scree schema", result);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}
