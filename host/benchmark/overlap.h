/* How deep bodies overlap, from their positions alone: double precision and its own text, so that it judges
 * the library's collision code from outside. */
#ifndef SCREE_BENCHMARK_OVERLAP_H
#define SCREE_BENCHMARK_OVERLAP_H

#include <scree/scree.h>
#include <scree/tools/tools.h>

/* Over all pairs of spheres, boxes and half-spaces with a positive overlap, at least one of them dynamic; m.
 * Other shapes are left out. */
typedef struct overlap {
    int pairs;
    double rms, mean, largest;
} overlap;

/* Measures a world as it is. Returns false when out of memory. */
bool overlap_measure(const scree_world *world, overlap *out);

#endif
