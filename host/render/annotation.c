#include "annotation.h"

#include "base/vector.h"
#include "ink.h"
#include "ray.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 48, TICKS = 12 };

/* Returns whether a picture is large enough for text. */
static bool is_annotated(const scree_view *view) {
    return view->width >= ANNOTATION_WIDTH && view->height >= ANNOTATION_HEIGHT;
}

static ink_picture picture_of(const scree_view *view, uint8_t *pixels) {
    const int unit = view->height / 360 < view->width / 480 ? view->height / 360 : view->width / 480;
    return (ink_picture){pixels, view->width, view->height, unit < 1 ? 1 : unit};
}

/* Writes the unit with the SI prefix for which `size` is a handy number, and returns the prefix's factor. */
static double prefixed(double size, const char *unit, char out[TEXT]) {
    static const struct prefix {
        double factor;
        char text[2];
    } prefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, {FONT_MICRO, 0}},
                    {1e-9, "n"}};
    enum { COUNT = sizeof prefixes / sizeof *prefixes };
    int choice = 0;
    while (choice < COUNT - 1 && !(size >= prefixes[choice].factor * 0.9999)) choice++;
    if (!(size > 0)) choice = 3;
    snprintf(out, TEXT, "%s%s", prefixes[choice].text, unit);
    return prefixes[choice].factor;
}

annotation_length annotation_length_of(const scree_view *settled) {
    const vec3s from = glms_vec3_sub(vec3_in(settled->eye), vec3_in(settled->target));
    const double tangent = tan((double)settled->field_of_view / 2 * M_PI / 180);
    const double pixel = 2 * tangent * (double)glms_vec3_norm(from) / settled->height;
    const double metres = ink_round_step(0.25 * settled->width * pixel);
    return (annotation_length){metres, metres / pixel};
}

/* Draws the scale bar with its length, bottom left. */
static void draw_length(const ink_picture *self, const scree_view *settled) {
    const annotation_length length = annotation_length_of(settled);
    const int unit = self->unit, pixels = (int)(length.pixels + 0.5);
    char name[TEXT], text[2 * TEXT];
    const double factor = prefixed(length.metres, "m", name);
    snprintf(text, sizeof text, "%g %s", length.metres / factor, name);
    const int wide = ink_text_width(self, text) > pixels ? ink_text_width(self, text) : pixels;
    const int left = 8 * unit, bottom = self->height - 8 * unit, top = bottom - 15 * unit;
    ink_soften(self, left - 4 * unit, top - 3 * unit, wide + 8 * unit, bottom - top + 6 * unit);
    ink_write(self, left, top, text);
    ink_fill(self, left, bottom - 3 * unit, pixels, unit, ink_black);
    ink_fill(self, left, bottom - 5 * unit, unit, 5 * unit, ink_black);
    ink_fill(self, left + pixels - unit, bottom - 5 * unit, unit, 5 * unit, ink_black);
}

/* Draws the time, top left. */
static void draw_time(const ink_picture *self, double time) {
    char text[TEXT];
    snprintf(text, sizeof text, "t = %.*f s", fabs(time) < 100 ? 3 : 1, time);
    const int unit = self->unit;
    ink_soften(self, 4 * unit, 4 * unit, ink_text_width(self, text) + 8 * unit, 15 * unit);
    ink_write(self, 8 * unit, 8 * unit, text);
}

annotation_bar annotation_bar_of(const scree_view *view) {
    const int unit = picture_of(view, NULL).unit;
    const int height = view->height * 2 / 5;
    return (annotation_bar){view->width - 54 * unit, 24 * unit, 8 * unit, height};
}

static void bytes_of(vec3s light, uint8_t out[3]) {
    for (int k = 0; k < 3; k++) out[k] = (uint8_t)ray_byte(vec3_along(light, k));
}

/* Draws a title at the top right, with a background of at least `wide` by `rows` pixels. Returns the left
 * edge. */
static int draw_title(const ink_picture *self, const char *title, int wide, int rows) {
    const int unit = self->unit;
    if (ink_text_width(self, title) > wide) wide = ink_text_width(self, title);
    const int left = self->width - wide - 8 * unit;
    ink_soften(self, left - 4 * unit, 4 * unit, wide + 8 * unit, rows);
    ink_write(self, left, 8 * unit, title);
    return left;
}

/* Draws a number at a fraction of the bar's height below its top. */
static void draw_tick(const ink_picture *self, annotation_bar bar, double fraction, double number,
                      const char *format) {
    char text[TEXT];
    const int unit = self->unit, row = bar.top + (int)(fraction * (bar.height - 1) + 0.5);
    snprintf(text, sizeof text, format, number);
    ink_fill(self, bar.left + bar.width, row - unit / 2, 2 * unit, unit, ink_black);
    ink_write(self, bar.left + bar.width + 4 * unit, row - 4 * unit, text);
}

/* Draws the numbers of the colour bar. For sizes they are the smallest and largest size, at its ends;
 * otherwise multiples of a round step. */
static void draw_ticks(const ink_picture *self, const snapshot_scale *scale, annotation_bar bar,
                       double factor) {
    const int unit = self->unit, most = bar.height / (14 * unit);
    const double low = (double)scale->low / factor, high = (double)scale->high / factor, range = high - low;
    if (!(range > 0)) {
        char text[TEXT];
        snprintf(text, sizeof text, "%.3g", low);
        ink_write(self, bar.left + bar.width + 3 * unit, bar.top + bar.height / 2 - 4 * unit, text);
        return;
    }
    const double step = ink_scale_step(range, most < 5 ? most : 5);
    const bool ends = scale->colouring == SCREE_COLOURING_SIZE;
    for (double number = ceil(low / step - 1e-6) * step; number <= high + 1e-6 * range; number += step) {
        const double from_end = fmin(number - low, high - number) / range * bar.height;
        if (!ends || from_end > 10 * unit)
            draw_tick(self, bar, (high - number) / range, fabs(number) < 1e-9 * step ? 0 : number, "%.4g");
    }
    if (ends) {
        draw_tick(self, bar, 0, high, "%.3g");
        draw_tick(self, bar, 1, low, "%.3g");
    }
}

/* Returns the width of a legend, with its background. */
static int legend_width(const ink_picture *self, int wide) { return wide + 12 * self->unit; }

int annotation_legend_width(const scree_frame *frame, const scree_view *view) {
    const ink_picture self = picture_of(view, NULL);
    const colouring_row *row = colouring_row_of(view->colouring);
    int wide = 60 * self.unit;
    if (!view->legend || !is_annotated(view) || !row->label) return 0;
    if (row->colour) {
        char title[2 * TEXT];
        snprintf(title, sizeof title, "%s (m%s) +", row->label, row->unit); /* the longest possible title */
        return legend_width(&self, ink_text_width(&self, title) > wide ? ink_text_width(&self, title) : wide);
    }
    for (int i = 0; i < frame->material_count; i++) {
        const int name = 12 * self.unit + ink_text_width(&self, frame->material_names[i]);
        if (name > wide) wide = name;
    }
    return legend_width(&self, wide);
}

static void draw_bar(const ink_picture *self, const scree_view *view, const snapshot_scale *scale) {
    const colouring_row *row = colouring_row_of(scale->colouring);
    const annotation_bar bar = annotation_bar_of(view);
    char unit[TEXT], title[2 * TEXT];
    const double most = fmax(fabs((double)scale->low), fabs((double)scale->high));
    const double factor =
        row->unit[0] ? prefixed(most, row->unit, unit) : 1; /* numbers of things have none */
    if (row->unit[0])
        snprintf(title, sizeof title, "%s (%s)%s", row->label, unit, scale->beyond ? " +" : "");
    else
        snprintf(title, sizeof title, "%s%s", row->label, scale->beyond ? " +" : "");
    draw_title(self, title, 60 * self->unit, bar.top + bar.height + 4 * self->unit);
    const bool ranges = scale->high > scale->low; /* otherwise all bodies have the lowest colour */
    for (int i = 0; i < bar.height; i++) {
        uint8_t colour[3];
        bytes_of(row->colour(ranges ? 1 - (scalar)i / (scalar)(bar.height - 1) : 0), colour);
        ink_fill(self, bar.left, bar.top + i, bar.width, 1, colour);
    }
    draw_ticks(self, scale, bar, factor);
}

/* Writes the name of the k-th material of the bodies, or its number if it has none. */
static void describe_kind(const scree_frame *frame, const snapshot_scale *scale, int k, char out[TEXT]) {
    const int kind = scale->kinds[k];
    const char *name = kind < frame->material_count ? frame->material_names[kind] : "",
               *more = k + 1 == scale->kind_count && scale->more_kinds ? " ..." : "";
    if (name[0])
        snprintf(out, TEXT, "%s%s", name, more);
    else if (kind == 0 && frame->material_count)
        snprintf(out, TEXT, "default%s", more);
    else
        snprintf(out, TEXT, "%d%s", kind, more);
}

/* Draws the materials of the bodies, in the order of their creation. */
static void draw_swatches(const ink_picture *self, const scree_frame *frame, const scree_view *view,
                          const snapshot_scale *scale) {
    const annotation_bar bar = annotation_bar_of(view);
    const int unit = self->unit, line = 12 * unit, count = scale->kind_count, beside = bar.width + 4 * unit;
    char text[TEXT];
    int wide = 60 * unit;
    for (int i = 0; i < count; i++) {
        describe_kind(frame, scale, i, text);
        if (beside + ink_text_width(self, text) > wide) wide = beside + ink_text_width(self, text);
    }
    const int left =
        draw_title(self, colouring_row_of(scale->colouring)->label, wide, bar.top + count * line);
    for (int i = 0; i < count; i++) {
        uint8_t colour[3];
        describe_kind(frame, scale, i, text);
        bytes_of(snapshot_colour_material(scale->kinds[i]), colour);
        ink_fill(self, left, bar.top + i * line, bar.width, 8 * unit, colour);
        ink_write(self, left + beside, bar.top + i * line, text);
    }
}

void annotation_draw(const scree_frame *frame, const scree_view *settled, const snapshot_scale *scale,
                     uint8_t *pixels) {
    if (!is_annotated(settled)) return;
    const ink_picture self = picture_of(settled, pixels);
    const colouring_row *row = colouring_row_of(scale->colouring);
    if (settled->time) draw_time(&self, frame->time);
    if (settled->scale_bar) draw_length(&self, settled);
    if (settled->legend && row->colour) draw_bar(&self, settled, scale);
    if (settled->legend && row->label && !row->colour) draw_swatches(&self, frame, settled, scale);
}
