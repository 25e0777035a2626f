/* Feature codes that identify contact points of convex bodies. */
#ifndef SCREE_KERNELS_FEATURE_H
#define SCREE_KERNELS_FEATURE_H

/* Kind of a feature, stored above a number in the lower 28 bits: corners of a or b, crossings of edges, and
 * the nearest points themselves. Spheres have 0; the last bit is reserved for meshes. */
enum { FEATURE_CORNER_A = 1, FEATURE_CORNER_B = 2, FEATURE_CROSSING = 3, FEATURE_NEAREST = 4 };
#define FEATURE_SHIFT 28

#endif
