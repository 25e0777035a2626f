/* Triangles of a shape at size 1, each with its own corners and normals, for the mesh instances. */
#pragma once

#include <scree/shape.h>

#include "base/error.h"

typedef struct surface_corner {
    float position[3], normal[3];
} surface_corner;

typedef struct surface {
    surface_corner *corners; /* three for each triangle */
    int count, capacity;
} surface;

/* Shapes whose instances differ in their sizes only. */
typedef enum surface_kind {
    SURFACE_BOX,      /* half extents 1 */
    SURFACE_CYLINDER, /* radius 1, half height 1 */
    SURFACE_PIPE,     /* the same without its ends */
    SURFACE_CONE,     /* radius of the base 1, height 1, about its centre of mass */
    SURFACE_BALL,     /* radius 1, for ellipsoids */
    SURFACE_TRIANGLE, /* corners (0, 0, 0), (1, 0, 0), (0, 1, 1): size.y shifts the last one along x */
    SURFACE_KINDS
} surface_kind;

/* Fill an empty surface; release it also after an error. Errors: MEMORY. */
scree_result surface_of_kind(surface_kind kind, surface *out);
/* The pieces of a hull, solid or mesh at scale 1, all of which are triangles. */
scree_result surface_of_geometry(scree_shape shape, surface *out);
void surface_release(surface *self);
