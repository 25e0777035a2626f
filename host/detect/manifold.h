/* Contact points of one pair of bodies. */
#pragma once

#include "feature.h"
#include "manifold_points.h"

#include "state/bodies.h"

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

static inline manifold_points manifold_points_in(const manifold *of) {
    manifold_points out = {.count = of->count, .mean = of->mean, .normal = of->normal};
    for (int i = 0; i < of->count; i++) out.points[i] = of->points[i];
    return out;
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
