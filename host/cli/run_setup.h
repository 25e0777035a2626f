/* The initial objects of a run: scene, world and plan. */
#pragma once

#include "settings.h"

typedef struct run_setup {
    scree_scene *scene;
    scree_world *world;
    plan plan;
    bool building;      /* the scene could not be built: places or memory are missing, no key is wrong */
    const char *device; /* from the scene or the command line; may be NULL */
    char *changes;      /* lines that list the scene changes a resumed run adopted; NULL: not resumed */
} run_setup;

/* Makes the world of self->scene or of a checkpoint, and performs all checks before any result is touched.
 * Errors: those of the library; ARGUMENT. */
scree_result run_setup_make(run_setup *self, const settings *settings);
void run_setup_release(run_setup *self);
