/* One patch a plane: of what a body touches of a surface of triangles that lie in one plane, four points. */
#ifndef SCREE_DETECT_FLAT_PATCH_H
#define SCREE_DETECT_FLAT_PATCH_H

#include "manifold.h"

/* Of a pair of bodies, one of which is made of triangles. */
typedef struct flat_touch {
    scalar side;  /* 1 if the surface is the first body's, else −1 */
    scalar width; /* of the pair's smaller half size, m */
    int divisor,
        parts; /* a manifold's part, over the divisor, is one of so many of the other body's, and more */
} flat_touch;

/* Thins the manifolds of one pair of bodies, those from `first` on: triangles of one plane together keep four
 * points of each part that touches them at most, as a half-space has. */
void flat_patch_thin(manifold_list *list, int first, const flat_touch *by);

#endif
