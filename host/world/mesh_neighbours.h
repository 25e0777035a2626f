/* Which triangles of a mesh meet at an edge or at a corner. */
#ifndef SCREE_WORLD_MESH_NEIGHBOURS_H
#define SCREE_WORLD_MESH_NEIGHBOURS_H

#include "mesh.h"

/* Fills edges, wings and spokes of a mesh whose tree stands. Errors: MEMORY. */
scree_result mesh_neighbours_find(mesh *self);

#endif
