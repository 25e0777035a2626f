#include "widgets.h"

#include "base/memory.h"
#include "render/font.h"

#include <stddef.h>
#include <string.h>

/* The texture has a cell for each character of the font, and one that is full, for areas. */
enum { CELLS = FONT_MICRO - ' ' + 2, FULL = CELLS - 1 };

static const uint8_t ink[4] = {32, 34, 38, 255}, paper[4] = {244, 244, 244, 200},
                     idle[4] = {214, 219, 226, 235}, hot[4] = {190, 200, 214, 245},
                     on[4] = {120, 168, 220, 250}, knob[4] = {69, 117, 180, 255};

static const char vertex[] = "layout(location = 0) in vec2 place;\n"
                             "layout(location = 1) in vec2 glyph;\n"
                             "layout(location = 2) in vec4 colour;\n"
                             "uniform vec2 size;\n"
                             "out vec2 spot;\n"
                             "out vec4 paint;\n"
                             "void main() {\n"
                             "    spot = glyph;\n"
                             "    paint = colour;\n"
                             "    gl_Position = vec4(place / size * vec2(2, -2) + vec2(-1, 1), 0, 1);\n"
                             "}\n";
static const char fragment[] = "in vec2 spot;\n"
                               "in vec4 paint;\n"
                               "uniform sampler2D font;\n"
                               "out vec4 result;\n"
                               "void main() {\n"
                               "    if (texelFetch(font, ivec2(spot), 0).r < 0.5) discard;\n"
                               "    result = paint;\n"
                               "}\n";

static void make_font(widgets *self) {
    static uint8_t dots[FONT_HEIGHT][CELLS * FONT_ADVANCE];
    for (int cell = 0; cell < CELLS; cell++)
        for (int row = 0; row < FONT_HEIGHT; row++)
            for (int column = 0; column < FONT_ADVANCE; column++) {
                const bool set = column < FONT_WIDTH && font_pixel((char)(' ' + cell), column, row);
                dots[row][cell * FONT_ADVANCE + column] = cell == FULL || set ? 255 : 0;
            }
    glGenTextures(1, &self->texture);
    glBindTexture(GL_TEXTURE_2D, self->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, CELLS * FONT_ADVANCE, FONT_HEIGHT, 0, GL_RED, GL_UNSIGNED_BYTE,
                 dots);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

scree_result widgets_make(widgets *self) {
    *self = (widgets){.unit = 1};
    TRY(gl_program_make("of widgets", vertex, fragment, &self->program));
    self->size = glGetUniformLocation(self->program, "size");
    glGenVertexArrays(1, &self->array);
    glGenBuffers(1, &self->buffer);
    glBindVertexArray(self->array);
    glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
    for (GLuint k = 0; k < 3; k++) glEnableVertexAttribArray(k);
    const GLsizei stride = sizeof(widget_corner);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(widget_corner, place));
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(widget_corner, glyph));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)offsetof(widget_corner, colour));
    make_font(self);
    return SCREE_OK;
}

void widgets_release(widgets *self) {
    glDeleteTextures(1, &self->texture);
    glDeleteBuffers(1, &self->buffer);
    glDeleteVertexArrays(1, &self->array);
    glDeleteProgram(self->program);
    memory_release(self->corners);
    *self = (widgets){0};
}

static bool contains(widget_box box, double x, double y) {
    return x >= box.left && x < box.left + box.width && y >= box.top && y < box.top + box.height;
}

static bool is_over(const widgets *self) {
    for (int i = 0; i < self->box_count; i++)
        if (contains(self->boxes[i], self->x, self->y)) return true;
    return self->held.width > 0;
}

bool widgets_mouse(widgets *self, double x, double y) {
    self->x = x;
    self->y = y;
    return is_over(self);
}

bool widgets_press(widgets *self, bool down) {
    const bool over = is_over(self);
    self->pressed = down && over;
    self->down = down && over;
    if (!down) self->held = (widget_box){0};
    return over;
}

static void take(widgets *self, widget_box box) {
    if (self->box_count < WIDGET_BOXES) self->boxes[self->box_count++] = box;
}

void widgets_begin(widgets *self, int width, int height) {
    self->width = width;
    self->height = height;
    const int unit = height / 360 < width / 480 ? height / 360 : width / 480;
    self->unit = unit < 1 ? 1 : unit;
    self->count = self->box_count = 0;
}

void widgets_end(widgets *self) {
    self->pressed = false;
    if (!self->count) return;
    glUseProgram(self->program);
    glUniform2f(self->size, (float)self->width, (float)self->height);
    glBindVertexArray(self->array);
    glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)self->count * sizeof *self->corners), self->corners,
                 GL_STREAM_DRAW);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, self->texture);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, self->count);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}

/* Adds a rectangle with `columns` of the texture from `cell` on. A widget that finds no memory is not drawn.
 */
static void put(widgets *self, widget_box box, int cell, int columns, const uint8_t colour[4]) {
    if (self->count + 6 > self->capacity &&
        MEMORY_RESERVE(self->corners, self->capacity, 2 * self->count + 600, NULL) != SCREE_OK)
        return;
    static const int order[6] = {0, 1, 2, 2, 1, 3};
    for (int i = 0; i < 6; i++) {
        const int right = order[i] & 1, low = order[i] >> 1;
        const float across = (float)(cell * FONT_ADVANCE + right * columns),
                    down = (float)(columns > 1 ? low * FONT_HEIGHT : 0);
        widget_corner *corner = &self->corners[self->count++];
        *corner =
            (widget_corner){{(float)(box.left + right * box.width), (float)(box.top + low * box.height)},
                            {across, down},
                            {0}};
        memcpy(corner->colour, colour, 4);
    }
}

static void fill(widgets *self, widget_box box, const uint8_t colour[4]) { put(self, box, FULL, 1, colour); }

int widgets_text_width(const widgets *self, const char *text) {
    return self->unit * (FONT_ADVANCE * (int)strlen(text) - 1);
}

int widgets_line(const widgets *self) { return 11 * self->unit; }

void widgets_text(widgets *self, int left, int top, const char *text) {
    for (; *text; ++text, left += FONT_ADVANCE * self->unit) {
        const widget_box box = {left, top, FONT_WIDTH * self->unit, FONT_HEIGHT * self->unit};
        if (*text > ' ') put(self, box, *text - ' ', FONT_WIDTH, ink);
    }
}

void widgets_background(widgets *self, widget_box box) {
    fill(self, box, paper);
    take(self, box);
}

bool widgets_button(widgets *self, widget_box box, const char *label, bool lit) {
    const bool over = contains(box, self->x, self->y), pressed = over && self->pressed;
    if (pressed) self->held = box;
    fill(self, box, lit ? on : over ? hot : idle);
    widgets_text(self, box.left + 3 * self->unit, box.top + (box.height - FONT_HEIGHT * self->unit) / 2,
                 label);
    take(self, box);
    return pressed;
}

bool widgets_slider(widgets *self, widget_box box, double *value) {
    const bool over = contains(box, self->x, self->y);
    if (over && self->pressed) self->held = box;
    const bool held = self->down && !memcmp(&self->held, &box, sizeof box);
    const int thick = 4 * self->unit, way = box.width - thick;
    const double at = (self->x - box.left - thick / 2.0) / way, inside = at < 0 ? 0 : at > 1 ? 1 : at;
    const bool moved = held && inside != *value;
    if (moved) *value = inside;
    fill(self, (widget_box){box.left, box.top + box.height / 2 - self->unit, box.width, 2 * self->unit},
         over || held ? on : hot);
    fill(self, (widget_box){box.left + (int)(way * *value), box.top, thick, box.height}, knob);
    take(self, box);
    return moved;
}
