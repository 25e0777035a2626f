/* Conversion between the public value types and the dialect's. */
#pragma once

#include <scree/core.h>

#include "layout.h"

/* Returns exact − rounded. It is not inlined: gcc 12 (-O2, SLP vectoriser) omits a conversion to float and
 * back, which makes the difference 0. */
__attribute__((noinline, unused)) static vec3s vec3_rounding(const double exact[3], vec3s rounded) {
    return vec3_of((scalar)(exact[0] - (double)rounded.x), (scalar)(exact[1] - (double)rounded.y),
                   (scalar)(exact[2] - (double)rounded.z));
}

static inline vec3s vec3_in(scree_vec3 v) { return vec3_of(v.x, v.y, v.z); }
static inline scree_vec3 vec3_out(vec3s v) { return (scree_vec3){v.x, v.y, v.z}; }
static inline versors quat_in(scree_quat q) { return versor_of(q.x, q.y, q.z, q.w); }
static inline scree_quat quat_out(versors q) { return (scree_quat){q.x, q.y, q.z, q.w}; }
static inline body_pose pose_in(scree_pose pose) {
    return (body_pose){.position = vec3_in(pose.position), .rotation = quat_in(pose.rotation)};
}
static inline scree_pose pose_out(body_pose pose) {
    return (scree_pose){.position = vec3_out(pose.position), .rotation = quat_out(pose.rotation)};
}
static inline void vec3_to_doubles(vec3s v, double out[3]) {
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}
/* Returns the address of the component along an axis (0, 1, 2). */
static inline scalar *vec3_component(vec3s *v, int axis) {
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}
static inline bool vec3_finite(vec3s v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }
