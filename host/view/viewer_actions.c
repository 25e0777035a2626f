/* Actions of keys and buttons. */
#include "viewer.h"

#include "render/annotation.h"

#include <stdio.h>
#include <unistd.h>

static const double slowest = 1.0 / 64, fastest = 64;

/* Sets the clock to the frame that is shown. */
static void settle(viewer *self) {
    self->clock = viewer_frame(self)->time;
    self->stale = self->redraw = true;
}

void viewer_toggle_play(viewer *self) {
    view_source *source = self->source;
    self->playing = !self->playing;
    self->notice[0] = 0;
    if (self->playing && source->is_over(source)) {
        if (source->live ? source->step(source) : source->seek(source, 0)) viewer_report(self);
    }
    settle(self);
}

void viewer_step(viewer *self, int by) {
    view_source *source = self->source;
    self->playing = false;
    self->notice[0] = 0;
    const int place = source->place(source);
    if ((by > 0 ? source->step(source) : source->seek(source, place > 0 ? place - 1 : 0)) != SCREE_OK)
        viewer_report(self);
    settle(self);
}

void viewer_seek(viewer *self, int place) {
    self->playing = false;
    if (self->source->seek(self->source, place) != SCREE_OK) viewer_report(self);
    settle(self);
}

void viewer_change_speed(viewer *self, int by) {
    if (isinf(self->speed))
        self->speed = by < 0 ? fastest : INFINITY;
    else
        self->speed *= by > 0 ? 2 : 0.5;
    if (self->speed > fastest) self->speed = INFINITY;
    if (self->speed < slowest) self->speed = slowest;
    settle(self);
}

void viewer_next_colouring(viewer *self, int by) {
    const int count = SCREE_COLOURING_COUNT;
    int next = (int)self->view.colouring;
    do next = (next + by + count) % count;
    while (colouring_row_of((scree_colouring)next)->needs & ~viewer_frame(self)->fields);
    self->view.colouring = (scree_colouring)next;
    self->stale = self->redraw = true;
}

void viewer_next_clip(viewer *self) {
    self->clip_axis = self->clip_axis == 2 ? -1 : self->clip_axis + 1;
    self->stale = self->redraw = true;
}

void viewer_flip_clip(viewer *self) {
    self->clip_flipped = !self->clip_flipped;
    self->redraw = true;
}

void viewer_move_clip(viewer *self, double share) {
    self->clip_share = share < 0 ? 0 : share > 1 ? 1 : share;
    self->redraw = true;
}

void viewer_toggle_chains(viewer *self) {
    if (!self->chains && !(viewer_frame(self)->fields >> SCREE_FRAME_IMPULSE & 1)) {
        viewer_note(self, "The frame has no impulses of contacts, which force chains show.");
        return;
    }
    self->chains = !self->chains;
    self->redraw = true;
}

void viewer_look_along(viewer *self, int axis) {
    orbit_look_along(&self->camera, axis);
    self->redraw = true;
}

void viewer_tell_camera(viewer *self) {
    const scree_view view = viewer_look(self).view;
    char text[256];
    snprintf(text, sizeof text,
             "\"camera\": {\"eye\": [%.6g, %.6g, %.6g], \"target\": [%.6g, %.6g, %.6g], "
             "\"field_of_view_degrees\": %.4g}",
             (double)view.eye.x, (double)view.eye.y, (double)view.eye.z, (double)view.target.x,
             (double)view.target.y, (double)view.target.z, (double)view.field_of_view);
    printf("%s\n", text);
    fflush(stdout);
    if (self->clipboard) self->clipboard(self->clipboard_context, text);
    viewer_note(self, "Camera for the scene's \"outputs\", also on the terminal and the clipboard: %s", text);
}

/* Writes the first name of the kind that no file has. */
static void free_name(char out[64], const char *stem, uint64_t step, const char *ending) {
    snprintf(out, 64, "%s-%06llu.%s", stem, (unsigned long long)step, ending);
    for (int i = 2; access(out, F_OK) == 0 && i < 10000; i++)
        snprintf(out, 64, "%s-%06llu-%d.%s", stem, (unsigned long long)step, i, ending);
}

void viewer_take_picture(viewer *self) {
    char path[64];
    free_name(path, "view", viewer_frame(self)->step, "png");
    if (viewer_save(self, path) != SCREE_OK)
        viewer_report(self);
    else
        viewer_note(self, "Picture: %s", path);
}

void viewer_toggle_film(viewer *self) {
    if (self->film.pipe >= 0) {
        const int frames = self->film.frames;
        if (recorder_end(&self->film) != SCREE_OK)
            viewer_report(self);
        else
            viewer_note(self, "Video: %s, %d pictures", self->film_name, frames);
        return;
    }
    free_name(self->film_name, "view", viewer_frame(self)->step, "mp4");
    if (recorder_begin(&self->film, self->film_name, self->view.width, self->view.height) != SCREE_OK)
        viewer_report(self);
    else
        viewer_note(self, "Recording %s; V ends it.", self->film_name);
}
