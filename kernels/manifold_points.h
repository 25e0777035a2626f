/* Contact points of two bodies. */
#ifndef SCREE_KERNELS_MANIFOLD_POINTS_H
#define SCREE_KERNELS_MANIFOLD_POINTS_H

#include "dialect.h"

enum { MANIFOLD_POINTS = 4 };

/* One point. The gap is along the manifold's normal; negative when overlapping. */
typedef struct manifold_point {
    vec3s position;      /* m, midway between the two surfaces */
    scalar gap;          /* m */
    scalar_bits feature; /* stable while the same features (face, edge, vertex of each body) touch */
} manifold_point;

typedef struct manifold_points {
    scalar_int count; /* 0 … MANIFOLD_POINTS */
    scalar_int mean;  /* not 0: the normal is the mean of several sides' (edge_normal.h) */
    vec3s normal;     /* unit, from the first body to the second */
    manifold_point points[MANIFOLD_POINTS];
} manifold_points;

SHARED manifold_point manifold_point_of(vec3s position, scalar gap, scalar_bits feature) {
    manifold_point out;
    out.position = position, out.gap = gap, out.feature = feature;
    return out;
}

SHARED manifold_points manifold_points_none(void) {
    manifold_points out;
    out.count = out.mean = int_of(0), out.normal = glms_vec3_zero();
    return out;
}

SHARED manifold_points manifold_points_one(vec3s normal, manifold_point point) {
    manifold_points out;
    out.count = int_of(1), out.mean = int_of(0), out.normal = normal, out.points[0] = point;
    return out;
}

#endif
