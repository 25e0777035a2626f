/* Overlap depths of bodies from their positions alone. Double precision and independent code check the
 * library's collision code. */
#pragma once

#include <scree/scree.h>
#include <scree/tools/tools.h>

/* Statistics (m) over all pairs of spheres, boxes and half-spaces with a positive overlap, at least one of
 * them dynamic. Ignores other shapes. */
typedef struct overlap {
    int pairs;
    double rms, mean, largest;
} overlap;

/* Measures the current state of a world. Returns false if memory runs out. */
bool overlap_measure(const scree_world *world, overlap *out);
