/* Contact points of boxes over a list of pairs at one width; widths are objects of their own. */
#ifndef SCREE_DETECT_WIDE_BOXES_H
#define SCREE_DETECT_WIDE_BOXES_H

#include "wide_axes.h"

enum { BOXES_POINTS = 4, BOXES_UNKNOWN = -1 };

/* What two boxes have, in words of four floats; known to objects of every width. */
typedef struct boxes_found {
    float normal[3]; /* unit, from the first to the second */
    int count;       /* of the points; BOXES_UNKNOWN: their nearest features are those of no axis */
    struct {
        float position[3], gap; /* m */
    } points[BOXES_POINTS];
    unsigned int feature[BOXES_POINTS];
    float closing; /* up to this gap a point can close within the step, m (reach.h) */
    int skims;     /* 0: nothing for grazing.c */
    float reserved[2];
} boxes_found;

/* Of pairs a[i], b[i] that are not parted (wide_axes.h), what box_points.h finds between them along their
 * axes. Of parted ones nothing is written. */
typedef void wide_boxes_find(const body_record *records, const int *a, const int *b, int count, float margin,
                             float time_step, const wide_axes *axes, boxes_found *out);

wide_boxes_find wide_boxes_4, wide_boxes_8, wide_boxes_16; /* 128 bits, AVX2, AVX-512 */

/* That of a width of width_choose; null at width 1. */
wide_boxes_find *wide_boxes_of(int width);

#endif
