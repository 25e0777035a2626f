/* Feature codes that identify contact points of convex bodies. */
#ifndef SCREE_KERNELS_FEATURE_H
#define SCREE_KERNELS_FEATURE_H

/* Kind of a feature, stored above a number in the lower 28 bits: corners of a or b, crossings of edges, and
 * the nearest points themselves. Spheres have 0; the last bit is reserved for meshes. */
enum { FEATURE_CORNER_A = 1, FEATURE_CORNER_B = 2, FEATURE_CROSSING = 3, FEATURE_NEAREST = 4 };
#define FEATURE_SHIFT 28

/* Bit of features that are the same on all triangles of a plane (mesh_edges.h). */
#define FEATURE_OF_PLANE 0x80000000u
/* Layout of such a feature: whether the point is the body's single nearest one; the plane's code
 * (mesh_table.h); whether the contact pushes the body to the front of the plane; the number of the body's
 * corner. */
#define FEATURE_PLANE_NEAREST 0x40000000u
#define FEATURE_PLANE_CODE_SHIFT 14
#define FEATURE_PLANE_FRONT (1u << 13)
#define FEATURE_PLANE_NUMBER (FEATURE_PLANE_FRONT - 1)

#endif
