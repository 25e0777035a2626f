/* Where the frames of a viewer come from: a run in progress, or the files of one. */
#pragma once

#include <scree/tools/tools.h>

#include "pull.h"

typedef struct view_source view_source;

/* Functions of a kind of source. Places count the frames that can be shown, from 0. */
struct view_source {
    bool live;
    /* Returns the frame shown, which stays until the next call that may change it. */
    const scree_frame *(*frame)(view_source *self);
    int (*count)(view_source *self);
    int (*place)(view_source *self);
    scree_result (*seek)(view_source *self, int place);
    /* Shows the next frame; at the end of a live source it begins a step, whose frame a later poll shows. */
    scree_result (*step)(view_source *self);
    /* Shows the last frame up to a time, s; at the end of a live source it begins steps up to it, or as many
     * as a twentieth of a second allows. Returns at once. */
    scree_result (*advance)(view_source *self, double until);
    /* Shows the frame that has been made meanwhile, if any; `wait`: waits for one that is being made. Sets
     * `changed` if there is one. Errors: those of a step. */
    scree_result (*poll)(view_source *self, bool wait, bool *changed);
    bool (*is_busy)(view_source *self);
    /* Returns whether the last frame is shown and the end reached. A live source continues if asked again. */
    bool (*is_over)(view_source *self);
    /* Returns the time of the frame after the one shown as far as it is known, s. */
    double (*next_time)(view_source *self);
    /* Pulls a body in all following steps; a null body: none. */
    void (*pull)(view_source *self, const pull *with);
    /* Returns the stage or an empty text. */
    const char *(*note)(view_source *self);
    void (*release)(view_source *self);
};

/* A world to run. */
typedef struct source_run {
    scree_world *world;       /* belongs to the source until it is released */
    const scree_scene *scene; /* of its stages; NULL: none */
    uint64_t seed;            /* of bodies that stages add */
    uint64_t last;            /* step of the end; with stages the end of the last one */
    bool limited;             /* the end is `last` also with stages */
} source_run;

/* Errors: those of scree_scene_enter_stage, MEMORY. */
scree_result source_live_make(const source_run *run, view_source **out);
/* Shows the frames of a results folder, or one file, from the last one on. Errors: FILE (no frames), those of
 * scree_frame_load. */
scree_result source_recorded_make(const char *path, view_source **out);
