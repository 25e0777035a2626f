/* The annotations of pictures of `scree render` on the graphics card: legend, scale bar and time. */
#pragma once

#include "gl_program.h"

#include "render/snapshot_colour.h"

/* All that the annotations depend on, without gaps between the members, so that bytes can be compared. */
typedef struct overlay_content {
    double time, distance;
    float low, high;
    int32_t width, height, colouring, beyond, legend, scale_bar, shows_time, materials;
} overlay_content;

typedef struct overlay {
    GLuint program, array, texture;
    uint8_t *bytes; /* of three pictures: on black, on white, with transparency */
    int capacity;
    overlay_content content; /* of the texture */
} overlay;

scree_result overlay_make(overlay *self);
void overlay_release(overlay *self);
/* Draws them over the canvas. Errors: MEMORY. */
scree_result overlay_draw(overlay *self, const scree_frame *frame, const scree_view *settled,
                          const snapshot_scale *scale);
