/* Triangle surfaces as tables: triangles with their frames and neighbours, and a tree over them. */
#ifndef SCREE_KERNELS_MESH_TABLE_H
#define SCREE_KERNELS_MESH_TABLE_H

#include "dialect.h"

typedef struct mesh_triangle {
    int corners[3];
    int given; /* index among the triangles given to mesh_build */
    /* Rough direction of the normal, < 2¹⁶: constant while a body slides across coplanar triangles. */
    int plane_code;
    /* Frame: the first corner is the origin, the second (size.x, 0, 0), the third (size.y, size.z, 0), the
     * normal along z. */
    vec3s size;
    versors rotation;
    vec3s normal;
    int edges[3]; /* edge numbers in the mesh, from corner k to the next */
} mesh_triangle;

/* A triangle that borders an edge. */
typedef struct edge_facet {
    vec3s inward; /* unit vector from the edge into the triangle, in its plane */
    int triangle;
    scalar from, to; /* section of the edge that it borders, as fractions of the length from the vertex of
                        lower number */
} edge_facet;

/* Children are consecutive, from `child` on; 0: a leaf. */
typedef struct mesh_node {
    vec3s lower, upper;
    int child, first, count; /* triangles of a leaf, as a range of `order` */
} mesh_node;

/* Most entries of the stack of a traversal: the depth is the logarithm of the number of triangles. */
enum { MESH_TREE_DEPTH = 64 };

/* Reference to a surface, which many bodies may share. */
typedef struct mesh_table {
    LOOKUP mesh_triangle *triangles;
    LOOKUP vec3s *vertices;
    LOOKUP int *facet_first; /* first facet of each edge, and the end */
    LOOKUP edge_facet *facets;
    LOOKUP int *direction_first; /* first direction of each vertex, and the end */
    LOOKUP vec3s *directions; /* unit vectors along the edges that leave a vertex, and into triangles with an
                                 edge through it */
} mesh_table;

STATIC_ASSERT(sizeof(mesh_triangle) == 10 * sizeof(scalar) + 32, "mesh_triangle");
STATIC_ASSERT(sizeof(edge_facet) == 5 * sizeof(scalar) + 4, "edge_facet");
STATIC_ASSERT(sizeof(mesh_node) == 6 * sizeof(scalar) + 12, "mesh_node");

#endif
