/* Internal-edge rules of meshes. */
#pragma once

#include "geometry/children.h"
#include "geometry/mesh.h"
#include "manifold.h"

/* Removes the points of a triangle's manifold whose normal is a neighbour's, and sets normals that differ
 * from the plane's by rounding to the plane's. `outward`: 1 if the manifold's normal points away from the
 * mesh, else −1. Features then encode the plane. */
void mesh_edges_settle(const mesh *self, scalar scale, body_pose pose, int triangle, const placed_child *by,
                       scalar outward, manifold *touch);
