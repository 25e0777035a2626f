/* Reduces the contacts of a body with coplanar triangles of a surface to four points. */
#pragma once

#include "manifold.h"

/* A pair of bodies, one of which is made of triangles. */
typedef struct flat_touch {
    scalar side;        /* 1 if the surface is the first body's, else −1 */
    scalar width;       /* smaller half size of the pair, m */
    int divisor, parts; /* manifold.part / divisor modulo `parts` is the child of the other body */
} flat_touch;

/* Reduces the manifolds of one pair of bodies, from index `first` on: triangles of one plane together keep at
 * most four points for each child that touches them, as a half-space does. */
void flat_patch_thin(manifold_list *list, int first, const flat_touch *by);
