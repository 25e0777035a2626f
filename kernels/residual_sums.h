/* Sums of a chunk's residuals on a device; empty in C. */
#ifndef SCREE_KERNELS_RESIDUAL_SUMS_H
#define SCREE_KERNELS_RESIDUAL_SUMS_H

#include "layout.h"

#ifdef __OPENCL_VERSION__

/* Double precision if the device supports it, as on the host. */
#ifdef SCREE_ACCUMULATE_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double accumulator;
#else
typedef float accumulator;
#endif

/* Order of residual_sum (executor.h): ‖F‖², ‖r‖², drive, change, the largest ‖F‖², ‖u‖² (matrices only), the
 * largest violation and free velocity, and the number of violations above a limit. */
enum { SUM_LARGEST_MAP = 4, SUM_VELOCITY, SUM_VIOLATION, SUM_FREE, SUM_VIOLATED, SUMS };

/* A block's contributions to the sums; ‖F‖² contributes to two. The first four have the indices of the sums.
 */
enum {
    SHARE_MAP,
    SHARE_IMPULSE,
    SHARE_DRIVE,
    SHARE_CHANGE,
    SHARE_VIOLATION,
    SHARE_FREE,
    SHARE_VIOLATED,
    SHARES = 8
};

SHARED scalar share_violated(const block_residual one, const float limit) {
    const scalar zero = scalar_of(0);
    return limit > 0 ? choose(one.violation > limit, scalar_of(1), zero) : zero;
}

/* Stores the sum and the maximum of one contribution over a chunk's blocks. */
SHARED void share_summed(global accumulator *sums, const int share, const accumulator sum,
                                const accumulator largest) {
    if (share <= SHARE_CHANGE) sums[share] = sum;
    if (share == SHARE_MAP) sums[SUM_LARGEST_MAP] = largest;
    if (share == SHARE_VIOLATION) sums[SUM_VIOLATION] = largest;
    if (share == SHARE_FREE) sums[SUM_FREE] = largest;
    if (share == SHARE_VIOLATED) sums[SUM_VIOLATED] = sum, sums[SUM_VELOCITY] = 0;
}

/* Sums the contributions of a chunk's `here` blocks in order, one work-item per contribution. */
SHARED void chunk_summed(local const float8 *shares, global accumulator *sums, const int here) {
    for (int share = (int)get_local_id(0); share < SHARES; share += (int)get_local_size(0)) {
        accumulator sum = 0, largest = 0;
        for (int k = 0; k < here; k++) {
            const accumulator x = (accumulator)((local const float *)shares)[SHARES * k + share];
            sum += x, largest = x > largest ? x : largest;
        }
        share_summed(sums, share, sum, largest);
    }
}

#endif

#endif
