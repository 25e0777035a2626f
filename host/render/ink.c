#include "ink.h"

#include <math.h>
#include <string.h>

const uint8_t ink_black[3] = {0x20, 0x22, 0x26};

/* Mixes a colour into a rectangle: `quarters` of it, the rest of the picture. */
static void mix(const ink_picture *self, int left, int top, int width, int height, const uint8_t colour[3],
                int quarters) {
    for (int row = top < 0 ? 0 : top; row < top + height && row < self->height; row++)
        for (int column = left < 0 ? 0 : left; column < left + width && column < self->width; column++) {
            uint8_t *pixel = self->pixels + 3 * ((size_t)row * (size_t)self->width + (size_t)column);
            for (int k = 0; k < 3; k++)
                pixel[k] = (uint8_t)(((4 - quarters) * pixel[k] + quarters * colour[k] + 2) / 4);
        }
}

void ink_fill(const ink_picture *self, int left, int top, int width, int height, const uint8_t colour[3]) {
    mix(self, left, top, width, height, colour, 4);
}

void ink_soften(const ink_picture *self, int left, int top, int width, int height) {
    mix(self, left, top, width, height, (const uint8_t[]){244, 244, 244}, 3);
}

int ink_text_width(const ink_picture *self, const char *text) {
    return self->unit * (FONT_ADVANCE * (int)strlen(text) - 1);
}

void ink_write(const ink_picture *self, int left, int top, const char *text) {
    for (; *text; ++text, left += FONT_ADVANCE * self->unit)
        for (int row = 0; row < FONT_HEIGHT; row++)
            for (int column = 0; column < FONT_WIDTH; column++)
                if (font_pixel(*text, column, row))
                    ink_fill(self, left + column * self->unit, top + row * self->unit, self->unit, self->unit,
                             ink_black);
}

double ink_round_step(double length) {
    const double decade = pow(10, floor(log10(length)));
    return decade * (length >= 5 * decade ? 5 : length >= 2 * decade ? 2 : 1);
}

double ink_scale_step(double length, int most) {
    double step = ink_round_step(length);
    while (length / (step / 2) <= most) step = ink_round_step(step * 0.6);
    return step;
}
