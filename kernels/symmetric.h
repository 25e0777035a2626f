/* Symmetric 3×3 matrices: inertia tensors and diagonal blocks of the Delassus operator. */
#ifndef SCREE_KERNELS_SYMMETRIC_H
#define SCREE_KERNELS_SYMMETRIC_H

#include "dialect.h"

typedef struct symmetric3 {
    vec3s diagonal;     /* (xx, yy, zz) */
    vec3s off_diagonal; /* (yz, xz, xy) */
} symmetric3;

SHARED symmetric3 symmetric_of(vec3s diagonal, vec3s off_diagonal) {
    symmetric3 m;
    m.diagonal = diagonal, m.off_diagonal = off_diagonal;
    return m;
}

SHARED vec3s symmetric_times(symmetric3 m, vec3s v) {
    return vec3_of(m.diagonal.x * v.x + m.off_diagonal.z * v.y + m.off_diagonal.y * v.z,
                   m.off_diagonal.z * v.x + m.diagonal.y * v.y + m.off_diagonal.x * v.z,
                   m.off_diagonal.y * v.x + m.off_diagonal.x * v.y + m.diagonal.z * v.z);
}

SHARED scalar symmetric_trace(symmetric3 m) { return m.diagonal.x + m.diagonal.y + m.diagonal.z; }

#endif
