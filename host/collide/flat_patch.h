/* One patch a plane: of what a body touches of a surface of triangles that lie in one plane, four points. */
#ifndef SCREE_COLLIDE_FLAT_PATCH_H
#define SCREE_COLLIDE_FLAT_PATCH_H

#include "manifold.h"

/* Thins the manifolds of one pair of bodies, those from `first` on: triangles of one plane together keep four
 * points at most, as a half-space has. `side`: 1 if the surface is the first body's, else −1; `width`: of the
 * pair's smaller half size, m. */
void flat_patch_thin(manifold_list *list, int first, scalar side, scalar width);

#endif
