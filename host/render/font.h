/* A small built-in font: ASCII and µ in cells of 5 × 8 pixels. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    FONT_WIDTH = 5,
    FONT_HEIGHT = 8,  /* the last row is for descenders */
    FONT_ADVANCE = 6, /* from one character to the next */
    FONT_MICRO = 0x7f /* the character µ */
};

/* Returns whether the pixel (column, row) of a character is set; unknown characters are blank. */
bool font_pixel(char character, int column, int row);
