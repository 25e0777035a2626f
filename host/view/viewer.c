#include "viewer.h"

#include "base/clock.h"
#include "base/memory.h"
#include "panel.h"
#include "render/annotation.h"
#include "render/camera.h"
#include "render/picture_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const scree_frame *viewer_frame(const viewer *self) { return self->source->frame(self->source); }

void viewer_note(viewer *self, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(self->notice, sizeof self->notice, format, values);
    va_end(values);
    self->redraw = true;
}

void viewer_report(viewer *self) {
    viewer_note(self, "%s", scree_error_get_message());
    fprintf(stderr, "scree view: %s\n", self->notice);
}

/* Each picture on a processor costs its pixels; a graphics card has them for nothing. */
static int samples_of_renderer(void) {
    const char *name = (const char *)glGetString(GL_RENDERER);
    return name && (strstr(name, "llvmpipe") || strstr(name, "softpipe")) ? 1 : 2;
}

void viewer_look_at_all(viewer *self) {
    self->view.automatic = true;
    scree_view found;
    if (camera_find(viewer_frame(self), &self->view, &found) != SCREE_OK) {
        viewer_report(self);
        return;
    }
    self->camera = orbit_from(&found);
    self->redraw = true;
}

scree_result viewer_make(viewer *self, view_source *source, const scree_view *view) {
    *self = (viewer){.source = source,
                     .view = *view,
                     .clip_axis = -1,
                     .clip_share = 0.5,
                     .panel = true,
                     .speed = 1,
                     .stale = true,
                     .redraw = true,
                     .film.pipe = -1};
    if (view->automatic)
        viewer_look_at_all(self);
    else
        self->camera = orbit_from(view);
    self->origin = self->camera.target;
    self->clock = viewer_frame(self)->time;
    self->samples = samples_of_renderer();
    TRY(painter_make(&self->painter));
    TRY(widgets_make(&self->widgets));
    return overlay_make(&self->overlay);
}

void viewer_release(viewer *self) {
    if (recorder_end(&self->film) != SCREE_OK) viewer_report(self);
    painter_release(&self->painter);
    widgets_release(&self->widgets);
    overlay_release(&self->overlay);
    canvas_release(&self->canvas);
    canvas_release(&self->picture);
    memory_release(self->pixels);
    self->pixels = NULL;
}

void viewer_resize(viewer *self, int width, int height) {
    self->view.width = width < 16 ? 16 : width;
    self->view.height = height < 16 ? 16 : height;
    self->redraw = true;
}

/* Returns the plane that shows half of space from a place between the extents of the bodies. */
static clip_plane clip_of(const viewer *self) {
    clip_plane out = {.normal = vec3_of(0, 0, 0)};
    if (self->clip_axis < 0) return out;
    const double at = self->lower + self->clip_share * (self->upper - self->lower);
    *vec3_component(&out.normal, self->clip_axis) = self->clip_flipped ? -1 : 1;
    out.offset = self->clip_flipped ? -at : at;
    return out;
}

painter_look viewer_look(const viewer *self) {
    painter_look look = {
        .view = self->view, .clip = clip_of(self), .chosen = self->chosen, .chains = self->chains};
    orbit_to(&self->camera, &look.view);
    return look;
}

static void find_extent(viewer *self) {
    const scree_frame *frame = viewer_frame(self);
    if (self->clip_axis < 0) return;
    self->lower = INFINITY;
    self->upper = -INFINITY;
    for (int i = 0; i < frame->count; i++) {
        const double at = (double)vec3_along(vec3_in(frame->states[i].position), self->clip_axis);
        if (frame->types[i] != SCREE_BODY_DYNAMIC || !isfinite(at)) continue;
        const double radius = scree_shape_get_radius(frame->shapes[i]);
        self->lower = fmin(self->lower, at - radius);
        self->upper = fmax(self->upper, at + radius);
    }
    if (self->lower > self->upper) self->lower = self->upper = 0;
}

/* Gives the painter the frame. Frames without the field that colours show are coloured by id. */
static scree_result take_frame(viewer *self) {
    const painter_look look = viewer_look(self);
    scree_result result = painter_take(&self->painter, viewer_frame(self), &look.view, self->origin);
    if (result == SCREE_ERROR_ARGUMENT) {
        viewer_report(self);
        self->view.colouring = SCREE_COLOURING_ID;
        scree_view plain = look.view;
        plain.colouring = SCREE_COLOURING_ID;
        result = painter_take(&self->painter, viewer_frame(self), &plain, self->origin);
    }
    self->stale = result != SCREE_OK;
    return result;
}

/* Returns the meaning of the colours that the legend shows: those of force chains, if they are shown. */
static snapshot_scale legend_of(const viewer *self) {
    if (!self->chains) return self->painter.scale;
    return (snapshot_scale){
        .colouring = SCREE_COLOURING_FORCE, .high = (scalar)self->painter.chain_high, .beyond = true};
}

static scree_result draw_on(viewer *self, const canvas *target, bool widgets_too) {
    const painter_look look = viewer_look(self);
    canvas_begin(target);
    TRY(painter_draw(&self->painter, viewer_frame(self), &look));
    canvas_end(target);
    glBindFramebuffer(GL_FRAMEBUFFER, target->shown);
    glViewport(0, 0, target->width, target->height);
    const snapshot_scale legend = legend_of(self);
    scree_view annotated = look.view;
    annotated.colouring = legend.colouring;
    annotated.time = annotated.time && !(widgets_too && self->panel); /* the panel shows it */
    annotated.scale_bar = annotated.scale_bar && !(widgets_too && self->panel);
    TRY(overlay_draw(&self->overlay, viewer_frame(self), &annotated, &legend));
    if (widgets_too) panel_draw(self);
    return SCREE_OK;
}

scree_result viewer_draw(viewer *self) {
    const double from = clock_seconds();
    if (self->stale) find_extent(self);
    if (self->stale) TRY(take_frame(self));
    const bool still = !self->playing && self->hand == HAND_FREE;
    TRY(canvas_resize(&self->canvas, self->view.width, self->view.height, still ? 2 : self->samples));
    self->redraw = false;
    TRY(draw_on(self, &self->canvas, true));
    self->redraw = self->redraw || self->stale;
    const double ms = 1e3 * (clock_seconds() - from);
    self->drawn_ms = self->drawn_ms > 0 ? 0.9 * self->drawn_ms + 0.1 * ms : ms;
    return SCREE_OK;
}

scree_result viewer_picture(viewer *self, const uint8_t **pixels) {
    const size_t bytes = 3 * (size_t)self->view.width * (size_t)self->view.height;
    if (self->stale) find_extent(self);
    if (self->stale) TRY(take_frame(self));
    TRY(canvas_resize(&self->picture, self->view.width, self->view.height, 2));
    TRY(draw_on(self, &self->picture, false));
    TRY(MEMORY_RESERVE(self->pixels, self->pixel_capacity, bytes, NULL));
    canvas_read(&self->picture, self->pixels);
    *pixels = self->pixels;
    return SCREE_OK;
}

scree_result viewer_save(viewer *self, const char *path) {
    const uint8_t *pixels;
    TRY(viewer_picture(self, &pixels));
    return picture_file_write(path, self->view.width, self->view.height, pixels);
}

/* Adds a picture to the film while something moves. */
static void record(viewer *self) {
    const uint8_t *pixels;
    if (self->film.pipe < 0 || !(self->playing || self->redraw)) return;
    scree_result result = viewer_picture(self, &pixels);
    if (result == SCREE_OK) result = recorder_add(&self->film, pixels);
    if (result == SCREE_OK) return;
    viewer_report(self);
    if (recorder_end(&self->film) != SCREE_OK) viewer_report(self);
}

/* Waits for steps until the frame is that of the clock, or the end. */
static scree_result catch_up(viewer *self) {
    view_source *source = self->source;
    bool changed = true;
    while (changed && viewer_frame(self)->time < self->clock && !source->is_over(source)) {
        TRY(source->advance(source, self->clock));
        TRY(source->poll(source, true, &changed));
    }
    return SCREE_OK;
}

/* Moves on while it plays. The clock does not run away from a source that is slower. */
static scree_result play(viewer *self, double seconds, bool wait) {
    view_source *source = self->source;
    if (source->is_over(source)) {
        self->playing = false;
        viewer_note(self,
                    source->live ? "The run has ended; Space continues it." : "This is the last frame.");
        return SCREE_OK;
    }
    const double now = viewer_frame(self)->time,
                 slack = fmax(source->next_time(source) - now, 0.1 * self->speed);
    self->clock = fmin(self->clock + seconds * self->speed, now + slack * (1 + 1e-9));
    if (isinf(self->speed)) self->clock = source->live ? now + 1e6 : source->next_time(source);
    return wait ? catch_up(self) : source->advance(source, self->clock);
}

void viewer_pass(viewer *self, double seconds, bool wait) {
    view_source *source = self->source;
    bool changed = false;
    const double before = viewer_frame(self)->time;
    const int place = source->place(source);
    const bool filming = self->film.pipe >= 0;
    scree_result result = source->poll(source, wait, &changed);
    if (result == SCREE_OK && self->playing)
        result = play(self, filming ? 1.0 / RECORDER_RATE : seconds, wait || filming);
    if (result != SCREE_OK) {
        self->playing = false;
        viewer_report(self);
    }
    if (changed || viewer_frame(self)->time != before || source->place(source) != place)
        self->stale = self->redraw = true;
    record(self);
}
