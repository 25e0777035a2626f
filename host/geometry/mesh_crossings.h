/* Whether a closed surface bounds a solid: nowhere does it cross itself, and no shell stands where it does
 * not belong. */
#ifndef SCREE_GEOMETRY_MESH_CROSSINGS_H
#define SCREE_GEOMETRY_MESH_CROSSINGS_H

#include "mesh.h"

/* That every place is inside of a closed surface once or not at all. Shells may lie beside each other, touch,
 * and be hollows of others, then turned the other way. What is less than four units of the last place of the
 * farthest coordinate deep counts as touching. Errors: ARGUMENT (names the triangles and a point), MEMORY. */
scree_result mesh_check_crossings(const mesh *self);

#endif
