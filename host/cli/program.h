/* The commands of the `scree` program and their shared functions. */
#pragma once

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include "options.h"

/* Exit status of the program. */
typedef enum exit_code {
    EXIT_DONE = 0,
    EXIT_FAILED = 1, /* the run failed or was interrupted; a message names the files that were saved */
    EXIT_WRONG = 2   /* wrong usage or input */
} exit_code;

/* argv[0] is the command's own name. */
int command_run(int argc, char **argv);
int command_devices(int argc, char **argv);
int command_render(int argc, char **argv);
int command_view(int argc, char **argv);
int command_solve(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_grains(int argc, char **argv);
int command_presets(int argc, char **argv);

/* Prints "name: message" to messages() with the library's last error message. Returns EXIT_WRONG for errors
 * in arguments and file contents, otherwise EXIT_FAILED. */
int complain(const char *name, scree_result result);

/* Loads a checkpoint to look at it, without a device. Errors: as scree_checkpoint_load. */
scree_result checkpoint_read(const char *path, scree_world **out);

/* Gives a view the camera of a scene. */
void view_set_camera(scree_view *view, const scree_camera *camera);

/* Sets the number of threads of PoCL if the environment does not set it (POCL_MAX_PTHREAD_COUNT); 0: leaves
 * PoCL's default. Call before the first OpenCL call. No effect on other platforms. */
void pocl_set_thread_count(int threads);

/* Words of an option, NULL after the last. */
const char *backend_choice(int index);       /* for `scree solve` */
const char *world_backend_choice(int index); /* for worlds */
const char *pipeline_choice(int index);
const char *method_choice(int index);
const char *law_choice(int index);
const char *stabilisation_choice(int index);
const char *preset_choice(int index);
const char *colouring_choice(int index);

/* Rows of options that several commands have. */
#define DEVICE_ROW(where)                                                                                    \
    OPTION(TEXT, "device", where, "OpenCL device: its number in `scree devices`, or part of its name",       \
           .placeholder = "NAME")
#define LAW_ROW(where) OPTION(CHOICE, "law", where, "friction law", .choice = law_choice)

/* The rows of world_options, in two parts. */
#define WORLD_ROWS(o)                                                                                        \
    OPTION(CHOICE, "backend", &(o)->backend, "backend that solves", .choice = world_backend_choice),         \
        OPTION(CHOICE, "pipeline", &(o)->pipeline,                                                           \
               "device: the whole step runs on an OpenCL device; auto: device on a GPU, else host",          \
               .choice = pipeline_choice),                                                                   \
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
