/* The momentum between two iterations in lanes (nesterov.cl). Of OpenCL C at widths of 8 and 16 alone. */
#ifndef SCREE_KERNELS_WIDE_MOMENTUM_H
#define SCREE_KERNELS_WIDE_MOMENTUM_H

#include "nesterov.h"
#include "wide_batch.h"

#if defined __OPENCL_VERSION__ && SCREE_WIDTH > 1

/* Of the chunks [chunk, chunk + SUMMED_CHUNKS) that there are, the sums of their terms in order: each chunk
 * in a lane. */
SHARED void chunks_summed(global const float *terms, global float *sums, const int chunk, const int count) {
    const int first = chunk * RESIDUAL_CHUNK;
    if (first + SUMMED_CHUNKS * RESIDUAL_CHUNK > count) {
        for (int begin = first; begin < count; begin += RESIDUAL_CHUNK) {
            const int end = begin + RESIDUAL_CHUNK < count ? begin + RESIDUAL_CHUNK : count;
            float sum = 0;
            for (int i = begin; i < end; i++) sum += terms[i];
            sums[begin / RESIDUAL_CHUNK] = sum;
        }
        return;
    }
    float8 sum = (float8)0;
    for (int i = 0; i < RESIDUAL_CHUNK; i++) {
        global const float *at = terms + first + i;
        sum += (float8)(at[0], at[RESIDUAL_CHUNK], at[2 * RESIDUAL_CHUNK], at[3 * RESIDUAL_CHUNK],
                        at[4 * RESIDUAL_CHUNK], at[5 * RESIDUAL_CHUNK], at[6 * RESIDUAL_CHUNK],
                        at[7 * RESIDUAL_CHUNK]);
    }
    vstore8(sum, 0, sums + chunk);
}

/* All chunks by one work-item. */
SHARED void uphill_summed(global const float *terms, global float *sums, const int count) {
    for (int chunk = 0; chunk * RESIDUAL_CHUNK < count; chunk += SUMMED_CHUNKS)
        chunks_summed(terms, sums, chunk, count);
}

/* The state after states[from], which goes to the other place of the two. */
SHARED nesterov_state momentum_on(global nesterov_state *states, global const float *sums,
                                  const float ceiling, const int from, const int count) {
    float total = 0;
    for (int chunk = 0; chunk * RESIDUAL_CHUNK < count; chunk++) total += sums[chunk];
    const nesterov_state state = nesterov_after(states[from], total, ceiling);
    states[1 - from] = state;
    return state;
}

/* All bodies go on to y, which takes the place of the velocities before, by one work-item. */
SHARED void bodies_ahead(global const float8 *velocities, global float8 *next, const float extrapolation,
                         const int count) {
    for (int i = 0; i < count; i++) next[i] = velocities[i] + (velocities[i] - next[i]) * extrapolation;
}

#endif

#endif
