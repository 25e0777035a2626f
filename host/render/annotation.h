/* What is written into a finished picture: the meaning of its colours, a length, the time. */
#ifndef SCREE_RENDER_ANNOTATION_H
#define SCREE_RENDER_ANNOTATION_H

#include "snapshot_colour.h"

enum { ANNOTATION_WIDTH = 240, ANNOTATION_HEIGHT = 180 }; /* smaller pictures have no room */

/* A length to be shown: 1, 2 or 5 times a power of ten metres, and the pixels that it takes. */
typedef struct annotation_length {
    double metres, pixels;
} annotation_length;

/* About a fifth of the picture's width, at the distance of the point looked at. */
annotation_length annotation_length_of(const scree_view *settled);

/* Where the colour bar is: columns [left, left + width), rows [top, top + height), the upper end on top. */
typedef struct annotation_bar {
    int left, top, width, height;
} annotation_bar;

annotation_bar annotation_bar_of(const scree_view *view);

/* How many columns on the right the legend takes at most; 0: there is none. */
int annotation_legend_width(const scree_frame *frame, const scree_view *view);

/* Writes into `pixels` (RGB, rows from the top) what the settled view asks for. */
void annotation_draw(const scree_frame *frame, const scree_view *settled, const snapshot_scale *scale,
                     uint8_t *pixels);

#endif
