/* A mesh as long as a period, which its images continue: what stands near a border touches one surface made
 * of it and of its copies, whose triangles know their neighbours on the other side. */
#ifndef SCREE_GEOMETRY_TILING_H
#define SCREE_GEOMETRY_TILING_H

#include "geometry.h"

typedef struct tiling {
    const scree_geometry *of; /* null: none */
    vec3s step;               /* lengths of the mesh's own after which it repeats itself; 0: it does not */
    const scree_geometry *made;
} tiling;

/* Makes it the tiling of a mesh, unless it is, as far around the body's origin as anything reaches that
 * stands in the same cell. Errors: ARGUMENT (too many triangles), MEMORY. */
scree_result tiling_follow(tiling *self, const scree_geometry *of, vec3s step);
void tiling_drop(tiling *self);

#endif
