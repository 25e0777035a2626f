/* The separating axis test over a list of pairs at one width. Each width is compiled as an object of its
 * own. */
#pragma once

#include "body_record.h"

enum { AXES_MOST = RECORD_PAIRS };

/* Result of each pair. */
typedef struct wide_axes {
    float reach[AXES_MOST]; /* largest gap at which the pair is tested, m; −1: it is farther apart */
    float face_a[AXES_MOST], face_b[AXES_MOST], edges[AXES_MOST]; /* box_axes.h */
    float axis_a[AXES_MOST], axis_b[AXES_MOST], axis_edges[AXES_MOST];
    int crossed[AXES_MOST]; /* −1 if edges are preferred to faces (box_separation.h) */
} wide_axes;

/* Tests pairs a[i], b[i] of boxes, i < count ≤ AXES_MOST, given as slots. The reach is margin + speculative
 * margin + approach within the time step in any direction (reach.h). */
typedef void wide_axes_find(const body_record *records, const int *a, const int *b, int count, float margin,
                            float time_step, wide_axes *out);

wide_axes_find wide_axes_4, wide_axes_8, wide_axes_16; /* 128 bits, AVX2, AVX-512 */

/* Returns the function for a width of width_choose; null at width 1. */
wide_axes_find *wide_axes_of(int width);
