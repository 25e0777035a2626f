/* The viewer as a whole: what `scree view` does once it has a source. */
#pragma once

#include "source.h"

#include <scree/tools/snapshot.h>

typedef struct view_def {
    scree_view view;      /* size, camera, colouring */
    const char *picture;  /* file to draw instead of showing a window; NULL: none */
    const char *video;    /* file to record from the first frame to the last; NULL: none */
    long long at;         /* step to show first; −1: as the source does */
    double speed;         /* simulated seconds a second; 0: as fast as possible */
    bool playing, chains; /* from the beginning */
    int clip_axis;        /* −1: none */
} view_def;

typedef struct view_window view_window;

/* Opens the window, so that a machine without a display refuses before a scene is built. Errors: DEVICE. */
scree_result view_open(const view_def *def, const char *title, view_window **out);
/* Shows the source until the window is closed, or writes the files of `def` without showing the window.
 * Errors: DEVICE, FILE, MEMORY, those of steps and frames. */
scree_result view_run(view_window *self, view_source *source, const view_def *def);
void view_close(view_window *self);
