#include "panel.h"

#include "keys.h"
#include "numbers.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 21 }; /* characters of a line of the column of buttons */

/* A column of lines from the upper left corner on. */
typedef struct column {
    widgets *widgets;
    int left, top, width, line;
} column;

static column column_of(widgets *shown) {
    const int unit = shown->unit;
    return (column){shown, 4 * unit, 4 * unit, 6 * unit * COLUMNS, 12 * unit};
}

/* Returns the next line, or `count` parts of one of which this is part k. */
static widget_box next_box(column *self, int k, int count) {
    const int gap = self->widgets->unit, width = self->width / count;
    const widget_box box = {self->left + k * width, self->top, width - gap, self->line - gap};
    if (k == count - 1) self->top += self->line;
    return box;
}

static bool button(column *self, const char *label, bool lit, int k, int count) {
    return widgets_button(self->widgets, next_box(self, k, count), label, lit);
}

static void write(column *self, const char *text) {
    widgets_text(self->widgets, self->left + 3 * self->widgets->unit, self->top + 2 * self->widgets->unit,
                 text);
    self->top += self->line;
}

static void draw_speed(viewer *self, column *at) {
    char text[32];
    if (isinf(self->speed))
        snprintf(text, sizeof text, "max");
    else
        snprintf(text, sizeof text, self->speed < 1 ? "x1/%.0f" : "x%.0f",
                 self->speed < 1 ? 1 / self->speed : self->speed);
    if (button(at, "  -", false, 0, 3)) viewer_change_speed(self, -1);
    const widget_box box = next_box(at, 1, 3);
    widgets_background(&self->widgets, box);
    widgets_text(&self->widgets, box.left + 3 * self->widgets.unit, box.top + 2 * self->widgets.unit, text);
    if (button(at, "  +", false, 2, 3)) viewer_change_speed(self, 1);
}

static void draw_clip(viewer *self, column *at) {
    static const char *const labels[] = {"Clip: none", "Clip: x", "Clip: y", "Clip: z"};
    const bool clipped = self->clip_axis >= 0;
    if (button(at, labels[self->clip_axis + 1], clipped, 0, clipped ? 2 : 1)) viewer_next_clip(self);
    if (!clipped) return;
    if (button(at, "flip", self->clip_flipped, 1, 2)) viewer_flip_clip(self);
    double share = self->clip_share;
    if (widgets_slider(&self->widgets, next_box(at, 0, 1), &share)) viewer_move_clip(self, share);
}

static void draw_buttons(viewer *self, column *at) {
    char text[64];
    if (button(at, self->playing ? "Pause" : "Play", self->playing, 0, 2)) viewer_toggle_play(self);
    if (button(at, "Step", false, 1, 2)) viewer_step(self, 1);
    draw_speed(self, at);
    snprintf(text, sizeof text, "Colour: %s", colouring_row_of(self->view.colouring)->name);
    if (button(at, text, false, 0, 1)) viewer_next_colouring(self, 1);
    if (button(at, "Force chains", self->chains, 0, 1)) viewer_toggle_chains(self);
    draw_clip(self, at);
    if (button(at, "Show all", false, 0, 2)) viewer_look_at_all(self);
    if (button(at, "Camera", false, 1, 2)) viewer_tell_camera(self);
    if (button(at, "Picture", false, 0, 2)) viewer_take_picture(self);
    if (button(at, self->film.pipe >= 0 ? "End video" : "Video", self->film.pipe >= 0, 1, 2))
        viewer_toggle_film(self);
    if (button(at, "Help (H)", self->help, 0, 1)) self->help = !self->help;
}

static void draw_numbers(viewer *self, column *at) {
    const body_numbers numbers = numbers_of(viewer_frame(self), self->chosen);
    if (!numbers.count) return;
    int widest = 0;
    for (int i = 0; i < numbers.count; i++) {
        const int width = widgets_text_width(&self->widgets, numbers.lines[i]);
        widest = width > widest ? width : widest;
    }
    at->top += 2 * self->widgets.unit;
    widgets_background(&self->widgets, (widget_box){at->left, at->top, widest + 6 * self->widgets.unit,
                                                    at->line * numbers.count + 2 * self->widgets.unit});
    for (int i = 0; i < numbers.count; i++) write(at, numbers.lines[i]);
}

/* Draws the time line: a slider over the frames with step, time and the time of a picture. */
static void draw_time(viewer *self) {
    view_source *source = self->source;
    const scree_frame *frame = viewer_frame(self);
    const int unit = self->widgets.unit, line = 12 * unit, count = source->count(source);
    const int top = self->view.height - 2 * line - 4 * unit;
    widgets_background(&self->widgets, (widget_box){0, top, self->view.width, 2 * line + 4 * unit});
    char text[256];
    snprintf(text, sizeof text, "%s  step %llu  t = %.4g s  frame %d of %d  %d bodies  %.0f ms%s%s",
             source->live ? "live" : "recorded", (unsigned long long)frame->step, frame->time,
             source->place(source) + 1, count, frame->count, self->drawn_ms,
             *source->note(source) ? "  " : "", source->note(source));
    widgets_text(&self->widgets, 6 * unit, top + 2 * unit, text);
    double share = count > 1 ? (double)source->place(source) / (count - 1) : 1;
    const widget_box box = {6 * unit, top + line + unit, self->view.width - 12 * unit, 10 * unit};
    if (widgets_slider(&self->widgets, box, &share)) viewer_seek(self, (int)(share * (count - 1) + 0.5));
}

/* Writes a text of several lines, broken at blanks. */
static void draw_notice(viewer *self) {
    const int unit = self->widgets.unit, most = (self->view.width - 16 * unit) / (6 * unit);
    const char *at = self->notice;
    if (!*at || most < 10) return;
    const int lines = 1 + (int)strlen(at) / (most > 20 ? most - 10 : most);
    int top = self->view.height - 28 * unit - (self->panel ? 0 : -26 * unit) - 12 * unit * lines;
    widgets_background(&self->widgets,
                       (widget_box){4 * unit, top, self->view.width - 8 * unit, 12 * unit * lines});
    for (int i = 0; i < lines && *at; i++, top += 12 * unit) {
        char text[512];
        int length = (int)strlen(at) < most ? (int)strlen(at) : most;
        while (at[length] && length > most - 10 && at[length] != ' ') length--;
        snprintf(text, sizeof text, "%.*s", length, at);
        widgets_text(&self->widgets, 8 * unit, top + 2 * unit, text);
        at += length + (at[length] == ' ');
    }
}

static void draw_help(viewer *self) {
    const int unit = self->widgets.unit, line = 11 * unit;
    int lines = 0;
    for (const key_action *row = keys_table(); row->help; row++) lines += row->name != NULL;
    const int width = 6 * unit * 42, height = line * lines + 8 * unit;
    const int left = (self->view.width - width) / 2;
    int top = (self->view.height - height) / 2;
    if (top < 0) top = 0;
    widgets_background(&self->widgets, (widget_box){left, top, width, height});
    widgets_background(&self->widgets,
                       (widget_box){left, top, width, height}); /* less of the picture shows */
    for (const key_action *row = keys_table(); row->help; row++) {
        if (!row->name) continue;
        widgets_text(&self->widgets, left + 6 * unit, top + 4 * unit, row->name);
        widgets_text(&self->widgets, left + 6 * unit * 12, top + 4 * unit, row->help);
        top += line;
    }
}

void panel_draw(viewer *self) {
    widgets_begin(&self->widgets, self->view.width, self->view.height);
    column at = column_of(&self->widgets);
    if (self->panel) draw_buttons(self, &at);
    draw_numbers(self, &at);
    if (self->panel) draw_time(self);
    draw_notice(self);
    if (self->help) draw_help(self);
    widgets_end(&self->widgets);
}
