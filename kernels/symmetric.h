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

#if SCREE_WIDTH == 1
/* The inverse by cofactors; zero for a singular matrix. Cofactors are divided by the determinant, not
 * multiplied by its inverse, so that small matrices (inertia of 1 mm grains) do not overflow: entries are
 * scaled by the trace first. */
SHARED symmetric3 symmetric_inverse(symmetric3 m) {
    const scalar scale = symmetric_trace(m);
    if (!(scale > 0)) return symmetric_of(glms_vec3_zero(), glms_vec3_zero());
    const vec3s d = glms_vec3_scale(m.diagonal, 1 / scale), o = glms_vec3_scale(m.off_diagonal, 1 / scale);
    const vec3s cofactors = vec3_of(d.y * d.z - o.x * o.x, d.x * d.z - o.y * o.y, d.x * d.y - o.z * o.z);
    const vec3s mixed = vec3_of(o.y * o.z - d.x * o.x, o.x * o.z - d.y * o.y, o.x * o.y - d.z * o.z);
    const scalar determinant = d.x * cofactors.x + o.z * mixed.z + o.y * mixed.y;
    if (!(determinant > 0)) return symmetric_of(glms_vec3_zero(), glms_vec3_zero());
    const scalar factor = 1 / (determinant * scale);
    return symmetric_of(glms_vec3_scale(cofactors, factor), glms_vec3_scale(mixed, factor));
}
#endif

#endif
