/* Contacts of a list of pairs of balls at one width. Each width is compiled as an object of its own. */
#pragma once

#include "body_record.h"

/* Result of each pair: its normal, position and gap. */
typedef struct wide_balls {
    int touches[RECORD_PAIRS]; /* not 0: there is a contact */
    float normal[3][RECORD_PAIRS], position[3][RECORD_PAIRS], gap[RECORD_PAIRS];
} wide_balls;

/* Tests pairs a[i], b[i] of balls, i < count ≤ RECORD_PAIRS, given as slots. Contacts are those whose gap can
 * close within the time step (narrow_phase.h). */
typedef void wide_balls_find(const body_record *records, const int *a, const int *b, int count, float margin,
                             float time_step, wide_balls *out);

wide_balls_find wide_balls_4, wide_balls_8, wide_balls_16; /* 128 bits, AVX2, AVX-512 */

/* Returns the function for a width of width_choose; null at width 1. */
wide_balls_find *wide_balls_of(int width);
