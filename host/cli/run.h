/* Runs of one world. */
#pragma once

#include <signal.h>

#include "output.h"
#include "settings.h"

/* Progress and failure of a run, in memory that another process reads. */
typedef struct run_watch {
    uint64_t step, steps; /* the last step made, and that of the end */
    double residual;      /* of the last step */
    bool interrupted;     /* a signal ended the run */
    char failure[1024];   /* empty: none */
} run_watch;

/* The signal that ends the run after the current step; 0: none. */
extern volatile sig_atomic_t run_interrupted;
/* The first signal ends a run after the current step, a second one immediately. */
void run_catch_signals(void);
/* Derives "out/beads" from "scenes/beads.json", for a world of an ensemble "out/beads-world-7". */
void run_default_folder(const settings *settings, char folder[OUTPUT_PATH]);
/* Runs the world settings->number of an ensemble; `watch` may be NULL. Returns the exit code of the program.
 */
int run_world(const settings *settings, const scree_scene *ensemble, int argc, char **argv, run_watch *watch);
/* Checks the settings of that world, and whether there is memory for `at_once` such worlds, and prints its
 * warnings, without files. Stores the number of steps. A world whose bodies find no place is no error.
 * Returns the exit code. */
int run_world_check(const settings *settings, const scree_scene *ensemble, int at_once, run_watch *watch);
