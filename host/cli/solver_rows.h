/* Rows of options that every command with a solver has. `where` points to the value, `told` to the flag that
 * it was given, or is NULL. */
#pragma once

#include "options.h"

#define CHOICE_ROW(word, names, text, where, told)                                                           \
    { .name = word, .kind = OPTION_CHOICE, .value = where, .given = told, .choice = names, .help = text }
#define COUNT_ROW(word, least, text, largest, where, told)                                                   \
    {                                                                                                        \
        .name = word, .kind = OPTION_INTEGER, .placeholder = "N", .value = where, .given = told,             \
        .min = least, .max = largest, .help = text                                                           \
    }

#define BACKEND_ROW(where, told)                                                                             \
    CHOICE_ROW("backend", world_backend_choice, "backend that solves", where, told)
#define DEVICE_ROW(where)                                                                                    \
    {                                                                                                        \
        .name = "device", .kind = OPTION_TEXT, .placeholder = "NAME", .value = where,                        \
        .help = "OpenCL device: its number in `scree devices`, or part of its name"                          \
    }
#define PRESET_ROW(where, told)                                                                              \
    CHOICE_ROW("preset", preset_choice, "accuracy of a step; the options below override it", where, told)
#define METHOD_ROW(where, told) CHOICE_ROW("method", method_choice, "iteration method", where, told)
#define LAW_ROW(where, told) CHOICE_ROW("law", law_choice, "friction law", where, told)
#define ITERATIONS_ROW(where, told)                                                                          \
    COUNT_ROW("iterations", 1, "maximum number of iterations per step", 1e6, where, told)
#define TOLERANCE_ROW(where, told)                                                                           \
    {                                                                                                        \
        .name = "tolerance", .kind = OPTION_REAL, .placeholder = "R", .value = where, .given = told,         \
        .min = 0, .max = 1, .help = "scaled residual at which a solve stops; 0: do not test"                 \
    }
#define THREADS_ROW(where, told)                                                                             \
    COUNT_ROW("threads", 0, "host threads (and PoCL's); 0: all processors; does not affect results", 4096,   \
              where, told)
