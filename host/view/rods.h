/* Thin cylinders, each a strip that faces the eye, for force chains and joints. */
#pragma once

#include "gl_program.h"

/* A rod relative to the painter's origin. */
typedef struct rod_instance {
    float from[3], to[3], radius; /* m */
    uint8_t colour[4];            /* red, green, blue with the display's gamma; not used */
} rod_instance;

typedef struct rods {
    GLuint program, array, buffer;
    int count;
} rods;

scree_result rods_make(rods *self);
void rods_release(rods *self);
void rods_set(rods *self, const rod_instance *instances, int count);
void rods_draw(const rods *self);
