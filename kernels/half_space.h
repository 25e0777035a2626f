/* Boxes that meet a half-space. */
#ifndef SCREE_KERNELS_HALF_SPACE_H
#define SCREE_KERNELS_HALF_SPACE_H

#include "layout.h"

/* Relative to the lengths that enter a distance: covers its rounding. */
#define PLANE_ROUNDING 1e-6f

SHARED vec3s box_extent(const vec3s lower, const vec3s upper) {
    return glms_vec3_scale(glms_vec3_sub(upper, lower), 0.5f);
}

/* Returns whether a box with the corner `lower` reaches below the plane. Its support point against the normal
 * is centre · n − |n| · extent above the plane. `away`: length by which the centre may be farther off than
 * the box's; `rounding`: relative. */
SHARED int plane_reached(const body_plane self, const vec3s lower, const vec3s extent, const scalar away,
                         const scalar rounding) {
    const vec3s n = self.normal, centre = glms_vec3_sub(glms_vec3_add(lower, extent), self.origin);
    const scalar size = scalar_abs(n.x) * extent.x + scalar_abs(n.y) * extent.y + scalar_abs(n.z) * extent.z;
    const scalar distance = glms_vec3_norm(centre) + away;
    const scalar reach = self.padding + self.rotation_angle * distance + rounding * (distance + size);
    return glms_vec3_dot(n, centre) - size <= reach;
}

#endif
