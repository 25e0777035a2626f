/* Rows of options that every command with a solver has. `where` points to the value, `told` to the flag that
 * it was given, or is NULL. */
#pragma once

#include "options.h"

#define BACKEND_ROW(where, told)                                                                             \
    OPTION(CHOICE, "backend", where, "backend that solves", .choice = world_backend_choice, .given = told)
#define DEVICE_ROW(where)                                                                                    \
    OPTION(TEXT, "device", where, "OpenCL device: its number in `scree devices`, or part of its name",       \
           .placeholder = "NAME")
#define PRESET_ROW(where, told)                                                                              \
    OPTION(CHOICE, "preset", where, "accuracy of a step; the options below override it",                     \
           .choice = preset_choice, .given = told)
#define METHOD_ROW(where, told)                                                                              \
    OPTION(CHOICE, "method", where, "iteration method", .choice = method_choice, .given = told)
#define LAW_ROW(where, told) OPTION(CHOICE, "law", where, "friction law", .choice = law_choice, .given = told)
#define ITERATIONS_ROW(where, told)                                                                          \
    OPTION_WHOLE("iterations", where, 1, 1e6, "maximum number of iterations per step", .given = told)
#define TOLERANCE_ROW(where, told)                                                                           \
    OPTION(REAL, "tolerance", where, "scaled residual at which a solve stops; 0: do not test",               \
           .placeholder = "R", .given = told, .min = 0, .max = 1)
#define THREADS_ROW(where, told)                                                                             \
    OPTION_WHOLE("threads", where, 0, 4096,                                                                  \
                 "host threads (and PoCL's); 0: all processors; does not affect results", .given = told)
