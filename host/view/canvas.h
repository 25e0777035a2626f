/* A picture in the memory of the graphics card. It is drawn several times larger where that smooths edges. */
#pragma once

#include "gl_program.h"

#include <stdint.h>

typedef struct canvas {
    int width, height; /* pixels of the picture */
    int scale;         /* pixels drawn for each one, along both axes */
    GLuint drawn, drawn_colour, drawn_depth, shown, shown_colour;
} canvas;

/* Makes the canvas of this size, unless it has it. Errors: DEVICE. */
scree_result canvas_resize(canvas *self, int width, int height, int scale);
void canvas_release(canvas *self);
/* Directs what is drawn to the canvas. */
void canvas_begin(const canvas *self);
/* Averages the pixels drawn. */
void canvas_end(const canvas *self);
/* Copies the picture to the window. */
void canvas_show(const canvas *self);
/* Reads red, green, blue, rows from the top; `out` holds 3 × width × height bytes. */
void canvas_read(const canvas *self, uint8_t *out);
