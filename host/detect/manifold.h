/* Contact points of one pair of bodies. */
#pragma once

#include "manifold_points.h"

#include "state/bodies.h"

/* Bit of features that are the same on all triangles of a plane (mesh_edges.c). */
#define FEATURE_OF_PLANE (UINT32_C(1) << 31)
/* Layout of such a feature: whether the point is the body's single nearest one; the plane's code
 * (geometry/mesh.h); whether the contact pushes the body to the front of the plane; the number of the body's
 * corner. */
#define FEATURE_PLANE_NEAREST (UINT32_C(1) << 30)
#define FEATURE_PLANE_CODE_SHIFT 14
#define FEATURE_PLANE_FRONT (UINT32_C(1) << 13)
#define FEATURE_PLANE_NUMBER (FEATURE_PLANE_FRONT - 1)

/* Contact of bodies a < b. */
typedef struct manifold {
    int a, b;
    int count;    /* 0 … MANIFOLD_POINTS */
    int children; /* number of the two children that touch (children.h); 0 if each body has one */
    int image;    /* of b, that a touches (model/period.h): points lie there */
    int mean;     /* not 0: the normal is the mean of several sides' (edge_normal.h) */
    vec3s normal; /* unit, from a to b */
    manifold_point points[MANIFOLD_POINTS];
} manifold;

/* Returns the manifold without bodies and children, which the caller sets. */
static inline manifold manifold_from(manifold_points found) {
    manifold self = {.count = found.count, .mean = found.mean, .normal = found.normal};
    for (int i = 0; i < found.count; i++) self.points[i] = found.points[i];
    return self;
}

/* Translates the points by `by`, m. */
static inline void manifold_move(manifold *self, vec3s by) {
    for (int i = 0; i < self->count; i++)
        self->points[i].position = glms_vec3_add(self->points[i].position, by);
}

/* Manifolds of some pairs, in order. */
typedef struct manifold_list {
    int count, capacity;
    manifold *items;
} manifold_list;

/* Returns the points with gap ≤ reach; a and b of the result are left 0. Not for kinds with
 * children. */
manifold manifold_of(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                     scalar reach);
/* Returns the points of boxes and hulls along the mean normal of sides that are equally good
 * (kernels/edge_normal.h), those of other shapes as manifold_of. */
manifold manifold_levelled(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                           scalar reach);

/* Gap of two shapes, m, negative if they overlap, along the unit normal from a to b along which it is
 * largest, and a pair of nearest points. */
typedef struct shape_gap {
    scalar gap;
    vec3s normal, on_a, on_b;
} shape_gap;

/* Returns the gap of a convex shape a, moved by `moved` (m) from its pose, and a convex shape or
 * half-space b. */
shape_gap shape_gap_of(scree_shape shape_a, body_pose pose_a, vec3s moved, scree_shape shape_b,
                       body_pose pose_b);
