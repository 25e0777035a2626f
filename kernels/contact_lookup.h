/* Search in the sorted entries of a step's contacts, on a device. */
#ifndef SCREE_KERNELS_CONTACT_LOOKUP_H
#define SCREE_KERNELS_CONTACT_LOOKUP_H

#include "contact_set.h"

/* Compares pairs by (a, b, image of b). */
SHARED int pair_before(const int a, const int b, const int image, const int other_a, const int other_b,
                       const int other_image) {
    return a != other_a ? a < other_a : b != other_b ? b < other_b : image < other_image;
}

#ifdef __OPENCL_VERSION__

/* Returns the first of n entries that is not before a pair; with `list`, of the entries list[k]. */
SHARED uint entry_at(global const contact_head *heads, global const uint *list, const uint n, const int a,
                     const int b, const int image) {
    uint low = 0, high = n;
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        const contact_head at = heads[list ? list[middle] : middle];
        if (pair_before(at.a, at.b, head_image(at), a, b, image))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns whether a pair has a contact. */
SHARED int has_contact(global const contact_head *heads, const uint n, const int a, const int b,
                       const int image) {
    const uint i = entry_at(heads, 0, n, a, b, image);
    return i < n && heads[i].a == a && heads[i].b == b && head_image(heads[i]) == image;
}

#endif

#endif
