/* Half sizes of shapes along the world's axes, about their centres, at width 1. `size`: as in scree_shape. */
#ifndef SCREE_KERNELS_SHAPE_EXTENT_H
#define SCREE_KERNELS_SHAPE_EXTENT_H

#include "rotation.h"

#if SCREE_WIDTH == 1

SHARED vec3s vec3_absolute(vec3s v) { return vec3_of(scalar_abs(v.x), scalar_abs(v.y), scalar_abs(v.z)); }

/* Returns the same length along all axes. */
SHARED vec3s vec3_equal(scalar length) { return vec3_of(length, length, length); }

SHARED vec3s ball_extent(vec3s size) { return vec3_equal(size.x); }

/* Returns |R| size: the farthest corner of a box. */
SHARED vec3s box_turned_extent(vec3s size, versors rotation) {
    const vec3s x = vec3_absolute(rotate(rotation, vec3_of(size.x, 0, 0))),
                y = vec3_absolute(rotate(rotation, vec3_of(0, size.y, 0))),
                z = vec3_absolute(rotate(rotation, vec3_of(0, 0, size.z)));
    return glms_vec3_add(x, glms_vec3_add(y, z));
}

SHARED vec3s capsule_extent(vec3s size, versors rotation) {
    const vec3s end = vec3_absolute(rotate(rotation, vec3_of(0, 0, size.y)));
    return glms_vec3_add(end, vec3_equal(size.x));
}

/* Returns the extent of a disc of radius 1 along an axis that its normal has this component of. */
SHARED scalar disc_extent(scalar n) { return scalar_sqrt(scalar_max(1 - n * n, 0)); }

SHARED scalar cylinder_extent_along(vec3s size, scalar n) {
    return scalar_abs(n) * size.y + size.x * disc_extent(n);
}

SHARED vec3s cylinder_extent(vec3s size, versors rotation) {
    const vec3s n = rotate(rotation, vec3_of(0, 0, 1));
    return vec3_of(cylinder_extent_along(size, n.x), cylinder_extent_along(size, n.y),
                   cylinder_extent_along(size, n.z));
}

SHARED scalar cone_extent_along(vec3s size, scalar n) {
    const scalar up = scalar_abs(n) * size.y;
    return scalar_max(up * 0.75f, up / 4 + size.x * disc_extent(n));
}

/* The farthest point is the tip or on the base's rim. */
SHARED vec3s cone_extent(vec3s size, versors rotation) {
    const vec3s n = rotate(rotation, vec3_of(0, 0, 1));
    return vec3_of(cone_extent_along(size, n.x), cone_extent_along(size, n.y), cone_extent_along(size, n.z));
}

/* Returns half the smallest width: the distance from the centre to the base, or to the side, (3/4 h) r/√(r² +
 * h²). */
SHARED scalar cone_half_width(vec3s size) {
    const scalar slant = scalar_sqrt(size.x * size.x + size.y * size.y);
    return scalar_min(size.y / 4, 0.75f * size.y * size.x / slant);
}

SHARED vec3s ellipsoid_extent(vec3s size, versors rotation) {
    const vec3s x = rotate(rotation, vec3_of(size.x, 0, 0)), y = rotate(rotation, vec3_of(0, size.y, 0)),
                z = rotate(rotation, vec3_of(0, 0, size.z));
    return vec3_of(glms_vec3_norm(vec3_of(x.x, y.x, z.x)), glms_vec3_norm(vec3_of(x.y, y.y, z.y)),
                   glms_vec3_norm(vec3_of(x.z, y.z, z.z)));
}

#endif

#endif
