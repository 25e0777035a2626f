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
    GLuint apart, joined, array, buffer; /* programs: see impostors_draw */
    int count;
} impostors;

scree_result impostors_make(impostors *self);
void impostors_release(impostors *self);
void impostors_set(impostors *self, const ball_instance *balls, int count);
/* `joined`: balls may overlap each other and be cut by the clip plane, which takes several times longer. */
void impostors_draw(const impostors *self, bool joined);
/* Copies the balls to `out` roughly in the order of their distance from the eye, which saves the pixels of
 * those behind others. */
void impostors_sort(const ball_instance *balls, int count, const float eye[3], ball_instance *out);
