/* Which bodies may not touch, on a device: by their groups, and by joints. */
#ifndef SCREE_KERNELS_PAIR_FILTER_H
#define SCREE_KERNELS_PAIR_FILTER_H

#include "dialect.h"

#ifdef __OPENCL_VERSION__

/* Returns whether a joint keeps two bodies from touching; `apart` is sorted by (a, b). */
SHARED int held_apart(global const int2 *apart, const uint count, const int a, const int b) {
    uint low = 0, high = count;
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        const int2 at = apart[middle];
        if (at.x < a || (at.x == a && at.y < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && apart[low].x == a && apart[low].y == b;
}

/* Bodies that may touch according to their groups and masks, .x and .y. */
SHARED int may_touch(global const uint2 *groups, const int a, const int b) {
    const uint2 of_a = groups[a], of_b = groups[b];
    return (of_a.x & of_b.y) != 0 && (of_b.x & of_a.y) != 0;
}

/* Returns whether groups, read if `filtered`, or one of `apart_count` joints keep two bodies from touching.
 */
SHARED int is_held(global const uint2 *groups, const int filtered, global const int2 *apart,
                   const uint apart_count, const int a, const int b) {
    return (filtered && !may_touch(groups, a, b)) || (apart_count && held_apart(apart, apart_count, a, b));
}

#endif

#endif
