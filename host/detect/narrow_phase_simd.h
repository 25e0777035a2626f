/* Tests of a list of pairs in lanes: the separating axes of boxes, their contact points, contacts of balls.
 * Each width is compiled as an object of its own. */
#pragma once

#include "body_record.h"

enum { RECORD_PAIRS = 256 /* pairs tested together */, BOXES_POINTS = 4, BOXES_UNKNOWN = -1 };

/* Separating axis test of each pair. */
typedef struct wide_axes {
    float reach[RECORD_PAIRS]; /* largest gap at which the pair is tested, m; −1: it is farther apart */
    float face_a[RECORD_PAIRS], face_b[RECORD_PAIRS], edges[RECORD_PAIRS]; /* box_axes.h */
    float axis_a[RECORD_PAIRS], axis_b[RECORD_PAIRS], axis_edges[RECORD_PAIRS];
    float second[RECORD_PAIRS];
    int crossed[RECORD_PAIRS]; /* −1 if edges are preferred to faces (box_separation.h) */
} wide_axes;

/* Contact of two boxes, in words of four floats. */
typedef struct boxes_found {
    float normal[3]; /* unit, from the first to the second */
    int count;       /* of the points; BOXES_UNKNOWN: their nearest features are on none of the axes */
    struct {
        float position[3], gap; /* m */
    } points[BOXES_POINTS];
    unsigned int feature[BOXES_POINTS];
    float closing; /* largest gap that can close within the step, m (reach.h) */
    int skims;     /* 0: skimming.h need not examine it */
    int mean;      /* as in manifold */
    float gap;     /* the smallest one */
} boxes_found;

/* Normal, position and gap of each pair of balls. */
typedef struct wide_balls {
    int touches[RECORD_PAIRS]; /* not 0: there is a contact */
    float normal[3][RECORD_PAIRS], position[3][RECORD_PAIRS], gap[RECORD_PAIRS];
} wide_balls;

/* Pairs a[i], b[i], i < count ≤ RECORD_PAIRS, given as slots. Each gap is tested that can close within the
 * time step (narrow_phase.h): margin + speculative margin + approach (reach.h). */
typedef struct wide_pairs {
    const body_record *records;
    const int *a, *b;
    int count;
    float margin, time_step;
} wide_pairs;

/* The tests of one width. */
typedef struct narrow_phase_simd {
    void (*axes)(const wide_pairs *pairs, wide_axes *out);
    /* Finds the points of box_points.h along the given axes. Writes nothing for separated pairs. */
    void (*boxes)(const wide_pairs *pairs, const wide_axes *axes, boxes_found *out);
    void (*balls)(const wide_pairs *pairs, wide_balls *out);
} narrow_phase_simd;

extern const narrow_phase_simd narrow_phase_simd_4, narrow_phase_simd_8,
    narrow_phase_simd_16; /* 128 bits, AVX2, AVX-512 */

/* Returns the tests for a width of width_choose; null at width 1. */
const narrow_phase_simd *narrow_phase_simd_of(int width);
