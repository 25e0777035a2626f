/* What names contact points of convex bodies. */
#ifndef SCREE_KERNELS_FEATURE_H
#define SCREE_KERNELS_FEATURE_H

/* Above a number in the lower 28 bits: corners of a or b, where edges cross, and the nearest points
 * themselves. Spheres have 0, and the last bit is left to meshes. */
enum { FEATURE_CORNER_A = 1, FEATURE_CORNER_B = 2, FEATURE_CROSSING = 3, FEATURE_NEAREST = 4 };
#define FEATURE_SHIFT 28

#endif
