/* The commands of the `scree` program and their shared functions. */
#pragma once

#include <scree/scree.h>
#include <scree/tools/tools.h>

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
int command_solve(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_grains(int argc, char **argv);

/* Prints "name: message" to stderr with the library's last error message. Returns EXIT_WRONG for errors in
 * arguments and file contents, otherwise EXIT_FAILED. */
int complain(const char *name, scree_result result);

/* Makes PoCL's thread pool as large as the host's; call before the first OpenCL call. No effect on other
 * platforms. */
void limit_device_threads(int threads);

/* Words of an option, NULL after the last. */
const char *backend_choice(int index);       /* for `scree solve` */
const char *world_backend_choice(int index); /* for worlds */
const char *method_choice(int index);
const char *law_choice(int index);
const char *stabilisation_choice(int index);
const char *preset_choice(int index);
const char *colouring_choice(int index);
