/* Triangles of a mesh that meet at an edge or at a corner. */
#pragma once

#include "mesh.h"

/* A triangle's edge from corner `at` to the next, with its vertices in increasing order. */
typedef struct mesh_side {
    int low, high, triangle, at;
} mesh_side;

/* Returns the edges of all triangles in a new block, equal edges adjacent; null: out of memory. */
mesh_side *mesh_sides_sorted(const mesh *self);
bool mesh_same_edge(const mesh_side *one, const mesh_side *other);

/* Fills edges, wings and spokes of a mesh whose tree is built. Errors: MEMORY. */
scree_result mesh_neighbours_find(mesh *self);
