/* Programs of the graphics card, and the values that all of them share. */
#pragma once

#include "base/error.h"

#include <epoxy/gl.h>

/* Camera, light and marks of one picture, as the block `scene` of the programs has them (std140). Positions
 * are relative to the painter's origin, m. */
typedef struct gl_scene {
    float view[16], projection[16];
    float eye[4];
    float forward[4];
    float light[4]; /* unit vector towards the light */
    float clip[4];  /* keeps points p with clip.xyz · p + clip.w ≥ 0; all zero but w = 1: keeps all */
    float
        chosen[4]; /* x: index of the marked body, 0: none; y: 0 … 1, how far bodies fade to the background */
    float
        ground[4]; /* side of the squares, m; distance at which the ground fades, m; angle of a pixel, rad */
} gl_scene;

/* Makes a program whose two texts follow the version, the block `scene` and the functions of light. `name`
 * stands in error messages. Errors: DEVICE. */
scree_result gl_program_make(const char *name, const char *vertex, const char *fragment, GLuint *out);
