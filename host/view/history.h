/* Frames of a run in memory. When they fill it, every second one is dropped, so that they span the whole run.
 */
#pragma once

#include <scree/tools/frame.h>

typedef struct history {
    scree_frame *frames;
    int count, capacity;
    size_t bytes, most; /* of the frames; above `most` they are thinned out */
} history;

void history_release(history *self);
/* Takes over a frame as the last one. Errors: MEMORY. */
scree_result history_add(history *self, scree_frame *frame);
