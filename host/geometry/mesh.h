/* Triangle surface: each triangle has a frame and neighbours, and a tree covers them all. */
#pragma once

#include <scree/shape.h>

#include "layout.h"
#include "mesh_table.h"

typedef struct mesh {
    int vertex_count, count;
    vec3s *vertices;
    mesh_triangle *triangles;
    int *order;
    int node_count;
    mesh_node *nodes;
    int *facet_first; /* first facet of each edge, and the end */
    edge_facet *facets;
    int *direction_first; /* first direction of each vertex, and the end */
    vec3s *directions;    /* unit vectors along the edges that leave a vertex, and into triangles with an
                         edge through it */
} mesh;

/* Returns the tables of a mesh. */
static inline mesh_table mesh_table_of(const mesh *self) {
    return (mesh_table){self->triangles, self->vertices,        self->facet_first,
                        self->facets,    self->direction_first, self->directions};
}

/* Visits the leaves of the tree whose nodes, and those above them, pass a test, in the tree's order. */
typedef struct mesh_walk {
    int depth, stack[MESH_TREE_DEPTH];
} mesh_walk;

static inline mesh_walk mesh_walk_begin(void) { return (mesh_walk){.depth = 1, .stack = {0}}; }

/* Returns the next leaf; null at the end. */
static inline const mesh_node *mesh_walk_next(mesh_walk *self, const mesh *of,
                                              bool (*enters)(const void *query, const mesh_node *node),
                                              const void *query) {
    while (self->depth > 0) {
        const mesh_node *node = &of->nodes[self->stack[--self->depth]];
        if (!enters(query, node)) continue;
        if (!node->child) return node;
        self->stack[self->depth++] = node->child + 1;
        self->stack[self->depth++] = node->child;
    }
    return NULL;
}

/* Builds a mesh. Corners at the same position are merged; triangles without area and duplicates are
 * dropped. Release `out` whatever the result. Errors: ARGUMENT (a corner out of range, no triangle with
 * area), MEMORY. */
scree_result mesh_build(mesh *out, const scree_vec3 *vertices, int vertex_count,
                        const scree_triangle *triangles, int count);
void mesh_release(mesh *self);
/* Merges corners of edges that belong to one triangle only, where they are within 1e-6 of the longest side
 * of the bounding box, or four units in the last place of the farthest coordinate, of each other. Errors:
 * MEMORY. */
scree_result mesh_close_cracks(mesh *self);
/* Checks that two triangles meet at every edge, both counter-clockwise as seen from the same side. Errors:
 * ARGUMENT (names the edge and the triangles), MEMORY. */
scree_result mesh_check_closed(const mesh *self);
/* Checks that every point is enclosed by a closed surface once or not at all. Shells may lie next to each
 * other, touch, or be hollows of other shells, then with opposite orientation. Penetration below four
 * units in the last place of the farthest coordinate counts as touching. Errors: ARGUMENT (names the
 * triangles and a point), MEMORY. */
scree_result mesh_check_crossings(const mesh *self);

/* A triangle's edge from corner `at` to the next, with its vertices in increasing order. */
typedef struct mesh_side {
    int low, high, triangle, at;
} mesh_side;

/* Returns the edges of all triangles in a new block, equal edges adjacent; null: out of memory. */
mesh_side *mesh_sides_sorted(const mesh *self);
bool mesh_same_edge(const mesh_side *one, const mesh_side *other);

/* Fills the edges, facets and directions of a mesh whose tree is built. Errors: MEMORY. */
scree_result mesh_neighbours_find(mesh *self);
