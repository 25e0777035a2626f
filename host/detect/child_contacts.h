/* Contacts of children of two bodies. */
#pragma once

#include "geometry/children.h"
#include "geometry/mesh.h"
#include "manifold.h"

/* Returns whether a shape is made of triangles. Two of these do not collide. */
static inline bool shape_is_surface(scree_shape shape) {
    return shape.kind == SCREE_SHAPE_MESH || shape.kind == SCREE_SHAPE_SOLID;
}

/* Reduces the contact of two children where their neighbours take precedence. */
void children_settle(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b, int number,
                     manifold *touch);

/* Returns whether two numbers of a pair of which one body is made of triangles encode the same child of the
 * other body. Its contact with a plane is then the same (FEATURE_OF_PLANE) on every triangle. */
bool children_same_on_plane(scree_shape shape_a, scree_shape shape_b, int number, int other);

/* manifold_of for two children. */
manifold children_manifold(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                           int number, scalar reach);
/* Returns whether any children come within `reach`. */
bool children_meet(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                   scalar reach);

/* Returns the arm from a body's centre to the point at which a child touches. The arm of a ball is r n from
 * its centre for any gap and at any time of impact, so that normal forces never rotate it. `outward`: the
 * normal away from the body. */
vec3s children_arm(scree_shape shape, body_pose pose, int child, vec3s point, vec3s outward);

/* Removes the points of a triangle's manifold whose normal is a neighbour's, and sets normals that differ
 * from the plane's by rounding to the plane's. `outward`: 1 if the manifold's normal points away from the
 * mesh, else −1. Features then encode the plane. If that removes points of a shape other than a ball or
 * half-space whose normal is not the face's, replaces the manifold by the contacts with the face's plane that
 * project onto the triangle. */
void mesh_edges_reduce(const mesh *self, scalar scale, body_pose pose, int triangle, const placed_child *body,
                       scalar outward, manifold *touch);

/* A pair of bodies, one of which is made of triangles. */
typedef struct flat_children {
    scalar side;        /* 1 if the surface is the first body's, else −1 */
    scalar width;       /* smaller half size of the pair, m */
    int divisor, count; /* manifold.children / divisor modulo `count` is the child of the other body */
    bool flats;         /* whether that child may touch a plane at more than one point */
} flat_children;

/* Reduces the manifolds of one pair of bodies, from index `first` on: triangles of one plane together keep at
 * most four points for each child that touches them, as a half-space does. A body right over the edge of two
 * coplanar faces touches both in one point: the second one is dropped. */
void flat_patch_thin(manifold_list *list, int first, const flat_children *by);
