/* Rectangles and text in a finished picture. */
#pragma once

#include "font.h"

/* A picture, RGB, rows from the top. `unit`: side of a pixel of the font. */
typedef struct ink_picture {
    uint8_t *pixels;
    int width, height, unit;
} ink_picture;

extern const uint8_t ink_black[3];

/* Fills a rectangle, of which the picture may have only a part. */
void ink_fill(const ink_picture *self, int left, int top, int width, int height, const uint8_t colour[3]);
/* Lightens a rectangle, so that text is readable on any background. */
void ink_soften(const ink_picture *self, int left, int top, int width, int height);
/* Returns the width of a text in pixels. */
int ink_text_width(const ink_picture *self, const char *text);
void ink_write(const ink_picture *self, int left, int top, const char *text);

/* Returns the largest of 1, 2 and 5 times a power of ten that is at most `length`. */
double ink_round_step(double length);
/* Returns a round distance of the marks of a scale of this length, which has about `most` parts at most. */
double ink_scale_step(double length, int most);
