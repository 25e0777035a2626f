/* Search in the sorted entries of a step's contacts, on a device. */
#ifndef SCREE_KERNELS_CONTACT_LOOKUP_H
#define SCREE_KERNELS_CONTACT_LOOKUP_H

#include "contact_set.h"

SHARED int pair_before(const int a, const int b, const int other_a, const int other_b) {
    return a != other_a ? a < other_a : b < other_b;
}

#ifdef __OPENCL_VERSION__

/* Returns the first of n entries that is not before the pair (a, b), whatever its image; with `list`, of the
 * entries list[k]. */
SHARED uint entry_at(global const contact_head *heads, global const uint *list, const uint n, const int a,
                     const int b) {
    uint low = 0, high = n;
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        const contact_head at = heads[list ? list[middle] : middle];
        if (pair_before(at.a, at.b, a, b))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns whether the bodies have a contact without an image. */
SHARED int has_contact(global const contact_head *heads, const uint n, const int a, const int b) {
    for (uint i = entry_at(heads, 0, n, a, b); i < n && heads[i].a == a && heads[i].b == b; i++)
        if (head_image(heads[i]) == 0) return 1;
    return 0;
}

#endif

#endif
