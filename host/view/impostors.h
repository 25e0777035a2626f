/* Balls, each a square that faces the eye, in which the program casts the pixel's ray at the sphere. */
#pragma once

#include "gl_program.h"

/* A ball relative to the painter's origin. */
typedef struct ball_instance {
    float centre[3], radius; /* m */
    uint8_t colour[4];       /* red, green, blue with the display's gamma; not used */
    float body;              /* index of its body's id */
} ball_instance;

typedef struct impostors {
    GLuint program, array, buffer;
    int count;
} impostors;

scree_result impostors_make(impostors *self);
void impostors_release(impostors *self);
void impostors_set(impostors *self, const ball_instance *balls, int count);
void impostors_draw(const impostors *self);
