/* Search in a list of some of a step's contacts, in their order, on a device. */
#ifndef SCREE_KERNELS_LISTED_ENTRIES_H
#define SCREE_KERNELS_LISTED_ENTRIES_H

#include "contact_set.h"

#ifdef __OPENCL_VERSION__

/* Returns the number of the listed entries whose first body is below `slot`. */
SHARED uint listed_below(global const contact_head *heads, global const uint *list, const uint listed,
                         const uint slot) {
    uint low = 0, high = listed;
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if ((uint)heads[list[middle]].a < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif

#endif
