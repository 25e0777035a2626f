/* What a run begins with: scene, world and plan. */
#ifndef SCREE_CLI_RUN_START_H
#define SCREE_CLI_RUN_START_H

#include "settings.h"

typedef struct run_start {
    scree_scene *scene;
    scree_world *world;
    plan plan;
    const char *device; /* of the scene or the command line; may be null */
    char *changes;      /* lines about what a resumed run took over; null: nothing was resumed */
} run_start;

/* Reads the scene, makes the world from it or from a checkpoint, and refuses whatever can be refused, so that
 * nothing is lost to a mistake. Returns an exit code; a sentence is printed unless that is EXIT_DONE. */
int run_start_make(run_start *self, const settings *settings);
void run_start_release(run_start *self);

#endif
