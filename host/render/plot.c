#include <scree/tools/plot.h>

#include "base/error.h"
#include "base/memory.h"
#include "ink.h"
#include "picture_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_SIZE = 240, MOST_SIZE = 8192, TEXT = 32, MARKS = 8 };

static const uint8_t grid_colour[3] = {0xdd, 0xdf, 0xe3}, point_colour[3] = {0x1f, 0x5f, 0xa8};

/* An axis: numbers from `low` to `high`, or their decimal logarithms, over `length` pixels. */
typedef struct axis {
    double low, high;
    bool logarithmic;
    int length;
} axis;

/* The frame of a plot in its picture. */
typedef struct plot {
    const scree_plot_def *def;
    ink_picture on;
    axis x, y;
    int left, top;
} plot;

scree_plot_def scree_default_plot_def(void) { return (scree_plot_def){.width = 960, .height = 720}; }

static double along(const axis *self, double number) { return self->logarithmic ? log10(number) : number; }

static bool is_drawn(const axis *x, scree_plot_point point) {
    return isfinite(along(x, point.x)) && isfinite(point.y);
}

static double bar_of(scree_plot_point point) { return isfinite(point.error) ? fabs(point.error) : 0; }

static void include(axis *self, double at) {
    self->low = fmin(self->low, at);
    self->high = fmax(self->high, at);
}

/* Moves the ends by a twentieth of the length, so that no point lies on the frame. */
static void widen(axis *self) {
    if (self->low > self->high) self->low = self->high = 0;
    const double length = self->high - self->low, magnitude = fabs(self->high);
    const double margin = length > 0 ? length / 20 : magnitude > 0 ? magnitude / 2 : 1;
    self->low -= margin;
    self->high += margin;
}

static void find_ranges(plot *self) {
    const scree_plot_def *def = self->def;
    self->x = (axis){.low = INFINITY, .high = -INFINITY, .logarithmic = def->x_logarithmic};
    self->y = (axis){.low = INFINITY, .high = -INFINITY};
    for (int i = 0; i < def->count; i++) {
        const scree_plot_point point = def->points[i];
        if (!is_drawn(&self->x, point)) continue;
        include(&self->x, along(&self->x, point.x));
        include(&self->y, point.y - bar_of(point));
        include(&self->y, point.y + bar_of(point));
    }
    widen(&self->x);
    widen(&self->y);
}

/* Returns the column or row of a place on an axis, from its lower end. */
static int pixel_of(const axis *self, double at) {
    return (int)((at - self->low) / (self->high - self->low) * (self->length - 1) + 0.5);
}

static int column_of(const plot *self, double at) { return self->left + pixel_of(&self->x, at); }
static int row_of(const plot *self, double at) {
    return self->top + self->y.length - 1 - pixel_of(&self->y, at);
}

static void number_text(double number, double step, char out[TEXT]) {
    snprintf(out, TEXT, "%.6g", fabs(number) < 1e-9 * step ? 0 : number);
}

static void mark_x(const plot *self, double at, double number, double step) {
    char text[TEXT];
    const int unit = self->on.unit, column = column_of(self, at), bottom = self->top + self->y.length;
    number_text(number, step, text);
    ink_fill(&self->on, column, self->top, 1, self->y.length, grid_colour);
    ink_fill(&self->on, column - unit / 2, bottom, unit, 3 * unit, ink_black);
    ink_write(&self->on, column - ink_text_width(&self->on, text) / 2, bottom + 5 * unit, text);
}

static void mark_y(const plot *self, double number, double step) {
    char text[TEXT];
    const int unit = self->on.unit, row = row_of(self, number);
    number_text(number, step, text);
    ink_fill(&self->on, self->left, row, self->x.length, 1, grid_colour);
    ink_fill(&self->on, self->left - 3 * unit, row - unit / 2, 3 * unit, unit, ink_black);
    ink_write(&self->on, self->left - 5 * unit - ink_text_width(&self->on, text), row - 4 * unit, text);
}

/* Marks 1, 2 and 5 times the powers of ten, or the powers alone where the axis is long. */
static void mark_decades(const plot *self) {
    static const double parts[] = {1, 2, 5};
    const int count = self->x.high - self->x.low > 3 ? 1 : 3;
    for (double decade = floor(self->x.low); decade <= self->x.high; decade++)
        for (int i = 0; i < count; i++) {
            const double at = decade + log10(parts[i]);
            if (at >= self->x.low && at <= self->x.high)
                mark_x(self, at, parts[i] * pow(10, decade), pow(10, decade));
        }
}

static double first_mark(const axis *self, double step) { return ceil(self->low / step - 1e-6) * step; }

static void draw_scales(const plot *self) {
    const axis *x = &self->x, *y = &self->y;
    const double x_step = ink_scale_step(x->high - x->low, MARKS),
                 y_step = ink_scale_step(y->high - y->low, MARKS);
    if (x->logarithmic) mark_decades(self);
    for (double at = first_mark(x, x_step); at <= x->high && !x->logarithmic; at += x_step)
        mark_x(self, at, at, x_step);
    for (double at = first_mark(y, y_step); at <= y->high; at += y_step) mark_y(self, at, y_step);
}

static void draw_frame(const plot *self) {
    const int unit = self->on.unit, width = self->x.length, height = self->y.length;
    ink_fill(&self->on, self->left - unit, self->top - unit, width + 2 * unit, unit, ink_black);
    ink_fill(&self->on, self->left - unit, self->top + height, width + 2 * unit, unit, ink_black);
    ink_fill(&self->on, self->left - unit, self->top, unit, height, ink_black);
    ink_fill(&self->on, self->left + width, self->top, unit, height, ink_black);
}

static void draw_point(const plot *self, scree_plot_point point) {
    const int unit = self->on.unit, column = column_of(self, along(&self->x, point.x)),
              row = row_of(self, point.y), high = row_of(self, point.y + bar_of(point)),
              low = row_of(self, point.y - bar_of(point));
    if (isfinite(point.error)) {
        ink_fill(&self->on, column - unit / 2, high, unit, low - high + 1, point_colour);
        ink_fill(&self->on, column - 2 * unit, high, 4 * unit + 1, 1, point_colour);
        ink_fill(&self->on, column - 2 * unit, low, 4 * unit + 1, 1, point_colour);
    }
    ink_fill(&self->on, column - 3 * unit / 2, row - 3 * unit / 2, 3 * unit, 3 * unit, point_colour);
}

static void draw_labels(const plot *self) {
    const char *x = self->def->x_label ? self->def->x_label : "", *y = self->def->y_label;
    const int unit = self->on.unit, middle = self->left + self->x.length / 2;
    ink_write(&self->on, middle - ink_text_width(&self->on, x) / 2, self->on.height - 12 * unit, x);
    ink_write(&self->on, 8 * unit, 6 * unit, y ? y : "");
}

/* Returns the width of the widest number left of the frame. */
static int widest_number(const plot *self) {
    const axis *y = &self->y;
    const double step = ink_scale_step(y->high - y->low, MARKS);
    int widest = 0;
    for (double at = first_mark(y, step); at <= y->high; at += step) {
        char text[TEXT];
        number_text(at, step, text);
        if (ink_text_width(&self->on, text) > widest) widest = ink_text_width(&self->on, text);
    }
    return widest;
}

static void place_frame(plot *self) {
    const int unit = self->on.unit;
    self->left = widest_number(self) + 14 * unit;
    self->top = 22 * unit;
    self->x.length = self->on.width - self->left - 16 * unit;
    self->y.length = self->on.height - self->top - 32 * unit;
}

static void draw(plot *self) {
    find_ranges(self);
    place_frame(self);
    draw_scales(self);
    draw_frame(self);
    for (int i = 0; i < self->def->count; i++)
        if (is_drawn(&self->x, self->def->points[i])) draw_point(self, self->def->points[i]);
    draw_labels(self);
}

static scree_result check_size(const char *name, int size) {
    if (size >= LEAST_SIZE && size <= MOST_SIZE) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: %d; must be %d to %d pixels", name, size, LEAST_SIZE, MOST_SIZE);
}

scree_result scree_plot_write(const char *path, const scree_plot_def *def) {
    REQUIRE(path);
    REQUIRE(def);
    TRY(check_size("width", def->width));
    TRY(check_size("height", def->height));
    if (def->count < 0) return fail(SCREE_ERROR_ARGUMENT, "count: %d; must be >= 0", def->count);
    if (def->count > 0) REQUIRE(def->points);
    const size_t bytes = 3 * (size_t)def->width * (size_t)def->height;
    SCOPED uint8_t *pixels = memory_allocate(bytes, 1);
    if (!pixels) return fail(SCREE_ERROR_MEMORY, "out of memory for the plot '%s'", path);
    memset(pixels, 0xff, bytes);
    const int unit = def->height / 360 < def->width / 480 ? def->height / 360 : def->width / 480;
    plot self = {.def = def, .on = {pixels, def->width, def->height, unit < 1 ? 1 : unit}};
    draw(&self);
    return picture_file_write(path, def->width, def->height, pixels);
}
