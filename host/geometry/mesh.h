/* A surface of triangles: each with its neighbours and a frame of its own, and a tree over them. */
#ifndef SCREE_GEOMETRY_MESH_H
#define SCREE_GEOMETRY_MESH_H

#include <scree/shape.h>

#include "layout.h"

typedef struct mesh_triangle {
    int corners[3];
    int given; /* its number among those that the mesh was made of */
    int mark; /* of the plane that it lies in, roughly, < 2¹⁶: the same while something slides on over it */
    /* Its frame: the first corner at the origin, the second at (size.x, 0, 0), the third at (size.y, size.z,
     * 0), the normal along z. */
    vec3s size;
    versors rotation;
    vec3s normal;
    int edges[3]; /* from corner k to the next: numbers of the mesh */
} mesh_triangle;

/* A triangle at an edge. */
typedef struct mesh_wing {
    vec3s away; /* from the edge into it, unit */
    int triangle;
    scalar from, to; /* where it is there: shares of the edge's length, from the vertex of lower number */
} mesh_wing;

/* Children lie one behind the other from `child` on; 0: a leaf. */
typedef struct mesh_node {
    vec3s lower, upper;
    int child, first, count; /* triangles of a leaf, by their places in `order` */
} mesh_node;

typedef struct mesh {
    int vertex_count, count;
    vec3s *vertices;
    mesh_triangle *triangles;
    int *order;
    int node_count;
    mesh_node *nodes;
    int *wing_first; /* of each edge in `wings`, and the end */
    mesh_wing *wings;
    int *spoke_first; /* of each vertex in `spokes`, and the end */
    vec3s
        *spokes; /* unit, along the edges that leave it, and into triangles with an edge that goes through */
} mesh;

/* Corners at the same place become one; triangles without an area are left out, and copies of one. Errors:
 * ARGUMENT (a corner that is not there, no triangle with an area), MEMORY. `out` is to be released whatever
 * comes back.
 */
scree_result mesh_build(mesh *out, const scree_vec3 *vertices, int vertex_count,
                        const scree_triangle *triangles, int count);
void mesh_release(mesh *self);
/* Corners of edges that one triangle has become one where they are within 1e-6 of the surface's longest side,
 * or four units of the last place of its farthest coordinate, of each other. Errors: MEMORY. */
scree_result mesh_close_cracks(mesh *self);
/* That two triangles meet at every edge, counter-clockwise as seen from the same side. Errors: ARGUMENT
 * (names the edge and the triangles), MEMORY. */
scree_result mesh_check_closed(const mesh *self);

#endif
