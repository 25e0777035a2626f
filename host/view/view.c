#include "view.h"

#include "window.h"

#include <stdio.h>

scree_result view_open(const view_def *def, const char *title, view_window **out) {
    return window_open(def->view.width, def->view.height, title, (window **)out);
}

void view_close(view_window *self) { window_close((window *)self); }

/* Shows the first frame from step `at` on, which a live source makes. */
static scree_result go_to(viewer *self, uint64_t at) {
    view_source *source = self->source;
    if (!source->live) TRY(source->seek(source, 0));
    while (viewer_frame(self)->step < at && !source->is_over(source)) {
        bool changed;
        TRY(source->step(source));
        TRY(source->poll(source, true, &changed));
    }
    self->stale = true;
    self->clock = viewer_frame(self)->time;
    return SCREE_OK;
}

static scree_result draw_picture(viewer *self, const char *path) {
    TRY(viewer_save(self, path));
    const scree_frame *frame = viewer_frame(self);
    printf("%s: step %llu, %.4g s, %d bodies\n", path, (unsigned long long)frame->step, frame->time,
           frame->count);
    return SCREE_OK;
}

static scree_result record_all(viewer *self, const view_def *def) {
    view_source *source = self->source;
    if (!source->live && def->at < 0) TRY(go_to(self, 0));
    TRY(recorder_begin(&self->film, def->video, self->view.width, self->view.height));
    self->playing = true;
    while (self->playing && self->film.pipe >= 0) viewer_pass(self, 0, true);
    const bool whole = source->is_over(source) && self->film.pipe >= 0;
    const int frames = self->film.frames;
    TRY(recorder_end(&self->film));
    if (!whole) return fail(SCREE_ERROR_FILE, "'%s' has %d pictures and ends early", def->video, frames);
    printf("%s: %d pictures\n", def->video, frames);
    return SCREE_OK;
}

static scree_result run(window *shown, viewer *self, const view_def *def) {
    self->chains = def->chains;
    self->clip_axis = def->clip_axis;
    self->speed = def->speed > 0 ? def->speed : INFINITY;
    self->playing = def->playing && !def->picture;
    if (def->at >= 0) TRY(go_to(self, (uint64_t)def->at));
    if (self->view.automatic && def->at >= 0) viewer_look_at_all(self);
    if (def->picture) return draw_picture(self, def->picture);
    return def->video ? record_all(self, def) : window_run(shown, self);
}

scree_result view_run(view_window *shown, view_source *source, const view_def *def) {
    viewer self;
    scree_result result = viewer_make(&self, source, &def->view);
    if (result == SCREE_OK) result = run((window *)shown, &self, def);
    viewer_release(&self);
    return result;
}
