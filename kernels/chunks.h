/* Sums over chunks by work-groups of a device; empty in C. */
#ifndef SCREE_KERNELS_CHUNKS_H
#define SCREE_KERNELS_CHUNKS_H

#include "nesterov.h"

#ifdef __OPENCL_VERSION__

/* Returns the sum of all chunks to every work-item of a work-group. */
SHARED scalar chunks_total(global const scalar *sums, const int chunks, local scalar *items) {
    const int k = (int)get_local_id(0);
    scalar sum = 0;
    for (int first = 0; first < chunks; first += WORK_GROUP) {
        if (first + k < chunks) items[k] = sums[first + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k == 0)
            for (int i = 0; i < WORK_GROUP && first + i < chunks; i++) sum += items[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (k == 0) items[0] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    return items[0];
}

#endif

#endif
