/* A transition between stages: the differences between two scenes and their consequences. */
#pragma once

#include "scene.h"

enum { STAGE_MESSAGE = 1024 };

typedef struct stage {
    const scree_scene *scene;        /* the file's scene */
    const scree_scene *now, *before; /* as the stages make them */
    scene_source source;             /* of `now`, set up for the places in error messages */
    scree_world *world;              /* NULL if the scenes are only compared */
    const scree_resume_def *def;
    record kept;    /* record of the earlier stages */
    bool reporting; /* true in the second pass, which only reports accepted changes */
    int refusals;
    int additions;              /* number of refusals that --add would lift */
    char first[STAGE_MESSAGE];  /* the first refusal that --add cannot lift, otherwise the first one */
    int enters;                 /* the stage that begins now; −1: the current one continues */
    bool *differs[SCENE_LISTS]; /* by entry: a key that can change differs */
    bool *presence_changed[SCENE_LISTS]; /* by entry: it appears or disappears */
    bool rescheduled;                    /* gravity's keys differ */
} stage;

/* stage_reserve allocates the flags for the lists of both scenes, stage_release frees them. Errors:
 * MEMORY. */
scree_result stage_reserve(stage *self);
void stage_release(stage *self);
#define SCOPED_STAGE __attribute__((cleanup(stage_release))) stage
/* Compares `before` with `now`. Refuses changes that are not allowed, with one message for the first place in
 * the file. Errors: FORMAT. */
scree_result stage_compare(stage *self);
