/* Pairs of bodies as the colouring and the arrangement read them. */
#ifndef SCREE_KERNELS_PAIR_ENDS_H
#define SCREE_KERNELS_PAIR_ENDS_H

#include "dialect.h"

/* Flags of a body in a pair: it is dynamic; it has mass. The other bits are its slot. */
#define ENDS_MOVES 0x80000000u
#define ENDS_MASS 0x40000000u

/* Returns the slot of a body of a pair. */
SHARED int end_slot(unsigned int body) { return (int)(body & ~(ENDS_MOVES | ENDS_MASS)); }

#ifdef __OPENCL_VERSION__

/* Marks a colour at a dynamic body, and in `twice` if another pair has marked it. The order does not matter:
 * exactly one of the pairs comes first. */
SHARED void end_mark(global uint *once, global uint *twice, const uint body, const uint bit) {
    if (!(body & ENDS_MOVES)) return;
    if (atomic_or(&once[end_slot(body)], bit) & bit) atomic_or(&twice[end_slot(body)], bit);
}

#endif

#endif
