/* Sweeps over batches at one width; widths are objects of their own, of which the processor decides. */
#ifndef SCREE_NATIVE_WIDE_SWEEP_H
#define SCREE_NATIVE_WIDE_SWEEP_H

#include "batch.h"
#include "layout.h"

/* What batches [first, last) of one colour are swept with. With `momentum` a point goes on from y = r + β (r
 * − before), keeps r as the one before, and leaves its share of the restart test (nesterov.h). */
typedef struct wide_job {
    const batch *items;
    const float *fields;
    float *impulses, *before; /* block_impulse of each block, as floats */
    float *uphill;            /* of each block */
    float *velocities;        /* body_velocity of each body */
    const float *mobility;    /* body_mobility likewise */
    solve_parameters parameters;
    bool momentum;
    float extrapolation; /* β */
} wide_job;

typedef void (*wide_sweep)(const wide_job *job, int first, int last);

void wide_sweep_8(const wide_job *job, int first, int last);  /* AVX2 */
void wide_sweep_16(const wide_job *job, int first, int last); /* AVX-512 */

/* The widest that this processor can do, or what the environment variable SCREE_WIDTH asks for (1, 8 or 16)
 * if it can; null at width 1. */
wide_sweep wide_sweep_choose(int *width);

#endif
