/* Texts, buttons and sliders, drawn in each picture. A call draws the widget and returns its event: what
 * the mouse did since the last picture. */
#pragma once

#include "gl_program.h"

#include <stdint.h>

typedef struct widget_box {
    int left, top, width, height; /* pixels from the upper left corner */
} widget_box;

typedef struct widget_corner {
    float place[2], glyph[2];
    uint8_t colour[4];
} widget_corner;

enum { WIDGET_BOXES = 64 };

typedef struct widgets {
    GLuint program, array, buffer, texture;
    GLint size;
    widget_corner *corners;
    int count, capacity;
    int width, height;  /* of the picture */
    int unit;           /* pixels of a dot of the font */
    double x, y;        /* the mouse */
    bool down, pressed; /* its left button; whether it went down since the last picture */
    widget_box held;    /* the widget that took the press; width 0: none */
    widget_box boxes[WIDGET_BOXES];
    int box_count; /* of the last picture */
} widgets;

scree_result widgets_make(widgets *self);
void widgets_release(widgets *self);
/* Tells the widgets of the mouse. Returns true if it is over one of them, or holds one. */
bool widgets_mouse(widgets *self, double x, double y);
bool widgets_press(widgets *self, bool down);

/* Starts a picture of this size. */
void widgets_begin(widgets *self, int width, int height);
/* Draws what has been added since. */
void widgets_end(widgets *self);
/* Returns the width of a text and the height of a line, pixels. */
int widgets_text_width(const widgets *self, const char *text);
int widgets_line(const widgets *self);
void widgets_text(widgets *self, int left, int top, const char *text);
/* Adds a pale background, which also keeps the mouse from what is behind it. */
void widgets_background(widgets *self, widget_box box);
/* Returns true if it was pressed. `lit`: it is on. */
bool widgets_button(widgets *self, widget_box box, const char *label, bool lit);
/* Returns true if the mouse has moved it; `value` is 0 … 1. */
bool widgets_slider(widgets *self, widget_box box, double *value);
