/* What edges between the triangles of a mesh may do to what touches it. */
#ifndef SCREE_DETECT_MESH_EDGES_H
#define SCREE_DETECT_MESH_EDGES_H

#include "compound_children.h"
#include "geometry/mesh.h"

/* Takes out the points of a triangle's manifold whose normal is that of a neighbour, and gives the normal of
 * the triangle's plane to those that differ from it by rounding. `outward`: 1 if the manifold's normal leads
 * away from the mesh, else −1. Features then say in which plane something touches. */
void mesh_edges_settle(const mesh *self, scalar scale, body_pose pose, int triangle, const placed_child *by,
                       scalar outward, manifold *touch);

#endif
