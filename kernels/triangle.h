/* Nearest point of a triangle with corners at 0, (x, 0, 0) and (y, z, 0). */
#ifndef SCREE_KERNELS_TRIANGLE_H
#define SCREE_KERNELS_TRIANGLE_H

#include "dialect.h"

/* Returns the nearest point of the segment from a to b. */
SHARED vec3s segment_nearest(vec3s a, vec3s b, vec3s point) {
    const vec3s along = glms_vec3_sub(b, a);
    const scalar at = glms_vec3_dot(glms_vec3_sub(point, a), along) / glms_vec3_norm2(along);
    return glms_vec3_add(a, glms_vec3_scale(along, scalar_clamp(at, 0, 1)));
}

/* Returns the projection of a point above the triangle's interior, else the nearest point of the edges. */
SHARED vec3s triangle_nearest(vec3s size, vec3s point) {
    const vec3s corners[3] = {vec3_of(0, 0, 0), vec3_of(size.x, 0, 0), vec3_of(size.y, size.z, 0)};
    int inside = 1;
    vec3s best = corners[0];
    scalar least = INFINITY;
    for (int k = 0; k < 3; k++) {
        const vec3s a = corners[k], b = corners[(k + 1) % 3];
        inside &= (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0;
    }
    if (inside) return vec3_of(point.x, point.y, 0);
    for (int k = 0; k < 3; k++) {
        const vec3s at = segment_nearest(corners[k], corners[(k + 1) % 3], point);
        const scalar square = glms_vec3_norm2(glms_vec3_sub(point, at));
        if (square < least) least = square, best = at;
    }
    return best;
}

#endif
