/* The sums of a chunk's residuals on a device; nothing of it is asked for in C. */
#ifndef SCREE_KERNELS_RESIDUAL_SUMS_H
#define SCREE_KERNELS_RESIDUAL_SUMS_H

#include "layout.h"

#ifdef __OPENCL_VERSION__

/* Double precision where the device has it, as on the host. */
#ifdef SCREE_ACCUMULATE_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double accumulator;
#else
typedef float accumulator;
#endif

/* In the order of residual_sum (executor.h): ‖F‖², ‖r‖², drive, change, the largest ‖F‖², ‖u‖² (of matrices
 * alone), the largest violation and free velocity, and how many violations are above a limit. */
enum { SUMS = 9 };

/* A work-item for each sum adds the shares of a chunk's `here` blocks, shares[sum][block], in their order. */
static inline void chunk_summed(local const float *shares, global accumulator *sums, const int here) {
    for (int number = (int)get_local_id(0); number < SUMS; number += (int)get_local_size(0)) {
        const int finds_largest = number == 4 || number == 6 || number == 7;
        accumulator sum = 0;
        for (int k = 0; k < here; k++) {
            const accumulator share = (accumulator)shares[RESIDUAL_CHUNK * number + k];
            sum = !finds_largest ? sum + share : share > sum ? share : sum;
        }
        sums[number] = sum;
    }
}

#endif

#endif
