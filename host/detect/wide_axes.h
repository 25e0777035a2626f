/* The separating axis test over a list of pairs at one width; widths are objects of their own. */
#ifndef SCREE_DETECT_WIDE_AXES_H
#define SCREE_DETECT_WIDE_AXES_H

#include "body_record.h"

enum { AXES_MOST = RECORD_PAIRS };

/* Found of each pair. */
typedef struct wide_axes {
    float reach[AXES_MOST]; /* up to which gap the pair is looked at, m; −1: it is parted by more */
    float face_a[AXES_MOST], face_b[AXES_MOST], edges[AXES_MOST]; /* box_axes.h */
    float axis_a[AXES_MOST], axis_b[AXES_MOST], axis_edges[AXES_MOST];
    int crossed[AXES_MOST]; /* −1 where edges are preferred to faces (box_separation.h) */
} wide_axes;

/* Pairs a[i], b[i] of boxes, i < count ≤ AXES_MOST, as slots. The reach is margin + lookout + what can close
 * within the time step in any direction (contacts.c). */
typedef void wide_axes_find(const body_record *records, const int *a, const int *b, int count, float margin,
                            float time_step, wide_axes *out);

wide_axes_find wide_axes_4, wide_axes_8, wide_axes_16; /* 128 bits, AVX2, AVX-512 */

/* That of a width of width_choose; null at width 1. */
wide_axes_find *wide_axes_of(int width);

#endif
