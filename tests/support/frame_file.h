/* Writes a world's frame with a series and reads the file again. */
#pragma once

#include "folder.h"
#include "scenery.h"

/* Destroys the world. The caller owns both frames. */
static inline void frame_through_file(scree_world *world, scree_frame *frame, scree_frame *back) {
    const folder place = folder_make();
    scree_series *series = NULL;
    char name[64];
    CHECK(scree_frame_from_world(world, frame));
    scree_world_destroy(world);
    CHECK(scree_series_open(place.path, 0, NULL, &series));
    CHECK(scree_series_write(series, frame));
    CHECK(scree_series_close(series));
    snprintf(name, sizeof name, "frame_%08d.vtkhdf", (int)frame->step);
    CHECK(scree_frame_load(folder_file(&place, name), back));
    folder_remove(&place);
}
