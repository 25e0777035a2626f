/* Annotations of a finished picture: the meaning of its colours, a scale bar, the time. */
#pragma once

#include "snapshot_colour.h"

enum { ANNOTATION_WIDTH = 240, ANNOTATION_HEIGHT = 180 }; /* smaller pictures have no space for text */

/* The length of the scale bar: 1, 2 or 5 times a power of ten metres, and its size in pixels. */
typedef struct annotation_length {
    double metres, pixels;
} annotation_length;

/* Returns a length of about a fifth of the picture's width, at the distance of the target point. */
annotation_length annotation_length_of(const scree_view *settled);

/* Position of the colour bar: columns [left, left + width), rows [top, top + height), with the upper end at
 * the top. */
typedef struct annotation_bar {
    int left, top, width, height;
} annotation_bar;

annotation_bar annotation_bar_of(const scree_view *view);

/* Returns the maximum number of columns that the legend takes on the right; 0: no legend. */
int annotation_legend_width(const scree_frame *frame, const scree_view *view);

/* Draws the annotations of the settled view into `pixels` (RGB, rows from the top). */
void annotation_draw(const scree_frame *frame, const scree_view *settled, const snapshot_scale *scale,
                     uint8_t *pixels);
