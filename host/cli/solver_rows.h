/* Rows of options that every command with a solver has: who solves and how far. `where` is the place of the
 * value, `told` that of whether it was given, or null. */
#ifndef SCREE_CLI_SOLVER_ROWS_H
#define SCREE_CLI_SOLVER_ROWS_H

#include "options.h"

#define CHOICE_ROW(word, names, text, where, told)                                                           \
    { .name = word, .kind = OPTION_CHOICE, .value = where, .given = told, .choice = names, .help = text }
#define COUNT_ROW(word, least, text, largest, where, told)                                                   \
    {                                                                                                        \
        .name = word, .kind = OPTION_INTEGER, .placeholder = "N", .value = where, .given = told,             \
        .min = least, .max = largest, .help = text                                                           \
    }

#define BACKEND_ROW(where, told) CHOICE_ROW("backend", world_backend_choice, "who solves", where, told)
#define DEVICE_ROW(where)                                                                                    \
    {                                                                                                        \
        .name = "device", .kind = OPTION_TEXT, .placeholder = "NAME", .value = where,                        \
        .help = "OpenCL device: its number in `scree devices`, or part of its name"                          \
    }
#define PRESET_ROW(where, told)                                                                              \
    CHOICE_ROW("preset", preset_choice, "how much a step does; the options below go over it", where, told)
#define METHOD_ROW(where, told) CHOICE_ROW("method", method_choice, "the iteration", where, told)
#define LAW_ROW(where, told) CHOICE_ROW("law", law_choice, "the friction law", where, told)
#define ITERATIONS_ROW(where, told) COUNT_ROW("iterations", 1, "most iterations a step", 1e6, where, told)
#define TOLERANCE_ROW(where, told)                                                                           \
    {                                                                                                        \
        .name = "tolerance", .kind = OPTION_REAL, .placeholder = "R", .value = where, .given = told,         \
        .min = 0, .max = 1, .help = "scaled residual to stop a solve at; 0: do not test"                     \
    }
#define THREADS_ROW(where, told)                                                                             \
    COUNT_ROW("threads", 0,                                                                                  \
              "host threads (and PoCL's), 0: as many as there are; results do not depend on it", 4096,       \
              where, told)

#endif
