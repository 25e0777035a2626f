/* Contact points of boxes over a list of pairs at one width. Each width is compiled as an object of its
 * own. */
#pragma once

#include "wide_axes.h"

enum { BOXES_POINTS = 4, BOXES_UNKNOWN = -1 };

/* Contact of two boxes, in words of four floats. Objects of every width use it. */
typedef struct boxes_found {
    float normal[3]; /* unit, from the first to the second */
    int count;       /* of the points; BOXES_UNKNOWN: their nearest features are on none of the axes */
    struct {
        float position[3], gap; /* m */
    } points[BOXES_POINTS];
    unsigned int feature[BOXES_POINTS];
    float closing; /* largest gap that can close within the step, m (reach.h) */
    int skims;     /* 0: skimming.c need not examine it */
    float reserved[2];
} boxes_found;

/* Finds the points of box_points.h along the given axes for pairs a[i], b[i] that are not separated
 * (wide_axes.h). Writes nothing for separated pairs. */
typedef void wide_boxes_find(const body_record *records, const int *a, const int *b, int count, float margin,
                             float time_step, const wide_axes *axes, boxes_found *out);

wide_boxes_find wide_boxes_4, wide_boxes_8, wide_boxes_16; /* 128 bits, AVX2, AVX-512 */

/* Returns the function for a width of width_choose; null at width 1. */
wide_boxes_find *wide_boxes_of(int width);
