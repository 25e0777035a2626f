/* What a run begins with: scene, world and plan. */
#ifndef SCREE_PROGRAM_BEGINNING_H
#define SCREE_PROGRAM_BEGINNING_H

#include "settings.h"

typedef struct beginning {
    scree_scene *scene;
    scree_world *world;
    plan plan;
    const char *device; /* of the scene or the command line; may be null */
    char *changes;      /* lines about what a resumed run took over; null: nothing was resumed */
} beginning;

/* Reads the scene, makes the world from it or from a checkpoint, and refuses whatever can be refused, so that
 * nothing is lost to a mistake. Returns an exit code; a sentence is printed unless that is EXIT_DONE. */
int beginning_make(beginning *self, const settings *settings);
void beginning_release(beginning *self);

#endif
