/* Half-spaces as planes with a pattern of squares, and the background. */
#pragma once

#include "parts.h"

typedef struct ground {
    GLuint plane, sky, array;
    GLint position, across, along;
} ground;

scree_result ground_make(ground *self);
void ground_release(ground *self);
/* Fills the picture with the background. */
void ground_draw_sky(const ground *self);
/* Draws a half-space, unless the eye (relative to the parts' origin) is inside. */
void ground_draw(const ground *self, const ground_part *part, vec3s eye);
