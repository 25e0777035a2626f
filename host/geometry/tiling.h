/* A mesh as long as a period, continued by its images. Bodies near a periodic boundary touch one surface
 * made of the mesh and copies of it, so that triangles have neighbours across the boundary. */
#pragma once

#include "geometry.h"

typedef struct tiling {
    const scree_geometry *of; /* null: none */
    vec3s step;               /* period along the axes on which the mesh repeats, m; 0: it does not */
    const scree_geometry *made;
} tiling;

/* Makes or updates the tiling of a mesh. It extends as far from the body's origin as a body in the same
 * cell can reach. Errors: ARGUMENT (too many triangles), MEMORY. */
scree_result tiling_follow(tiling *self, const scree_geometry *of, vec3s step);
void tiling_drop(tiling *self);
