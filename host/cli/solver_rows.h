/* Rows of options that several commands have. */
#pragma once

#include "options.h"

#define DEVICE_ROW(where)                                                                                    \
    OPTION(TEXT, "device", where, "OpenCL device: its number in `scree devices`, or part of its name",       \
           .placeholder = "NAME")
#define LAW_ROW(where) OPTION(CHOICE, "law", where, "friction law", .choice = law_choice)

/* The rows of world_options, in two parts. */
#define WORLD_ROWS(o)                                                                                        \
    OPTION(CHOICE, "backend", &(o)->backend, "backend that solves", .choice = world_backend_choice),         \
        DEVICE_ROW(&(o)->device),                                                                            \
        OPTION(CHOICE, "preset", &(o)->preset, "accuracy of a step; the options below override it",          \
               .choice = preset_choice),                                                                     \
        OPTION(CHOICE, "method", &(o)->method, "iteration method", .choice = method_choice),                 \
        LAW_ROW(&(o)->law)
#define SOLVE_ROWS(o)                                                                                        \
    OPTION_WHOLE("iterations", &(o)->iterations, 1, 1e6, "maximum number of iterations per step"),           \
        OPTION(REAL, "tolerance", &(o)->tolerance, "scaled residual at which a solve stops; 0: do not test", \
               .placeholder = "R", .min = 0, .max = 1),                                                      \
        OPTION_WHOLE("threads", &(o)->threads, 0, 4096,                                                      \
                     "host threads (and PoCL's); 0: all processors; does not affect results")
