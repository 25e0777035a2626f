/* Rotations as unit quaternions, and frames from a normal. */
#ifndef SCREE_KERNELS_ROTATION_H
#define SCREE_KERNELS_ROTATION_H

#include "symmetric.h"

/* v turned by q. With q = (u, w): v + 2w (u × v) + 2 u × (u × v), which is exact for unit q. */
SHARED vec3s rotate(versors q, vec3s v) {
    const vec3s u = vec3_of(q.x, q.y, q.z);
    const vec3s t = glms_vec3_scale(glms_vec3_cross(u, v), 2);
    return glms_vec3_add(glms_vec3_add(v, glms_vec3_scale(t, q.w)), glms_vec3_cross(u, t));
}

/* v turned back by q: world to body coordinates. */
SHARED vec3s rotate_inverse(versors q, vec3s v) { return rotate(versor_of(-q.x, -q.y, -q.z, q.w), v); }

/* The Hamilton product: first b, then a. */
SHARED versors rotation_product(versors a, versors b) {
    return versor_of(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

SHARED versors rotation_normalised(versors q) {
    const scalar norm = scalar_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(norm > 0)) return versor_of(0, 0, 0, 1);
    return versor_of(q.x / norm, q.y / norm, q.z / norm, q.w / norm);
}

/* The Cayley map: turned by the rotation vector a = h ω (world axes), q' = (1, a/2) q / ‖…‖. It turns about a
 * by 2 atan(‖a‖/2) = ‖a‖ − ‖a‖³/12 + …, second order, algebraic, and preserves the norm exactly up to
 * rounding. */
SHARED versors rotation_cayley(vec3s a, versors q) {
    return rotation_normalised(rotation_product(versor_of(a.x / 2, a.y / 2, a.z / 2, 1), q));
}

/* A unit vector normal to the unit vector n, without branches on n's direction except its sign of z
 * (Duff et al., Building an Orthonormal Basis, Revisited, JCGT 6(1), 2017). The other tangent is n × t. */
SHARED vec3s tangent_of(vec3s n) {
    const scalar sign = n.z < 0 ? -1 : 1;
    const scalar a = -1 / (sign + n.z);
    return vec3_of(1 + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x);
}

/* R diag(d) Rᵀ for the rotation R of q: a tensor with principal values d along the body's axes, in world
 * axes. */
SHARED symmetric3 rotation_tensor(versors q, vec3s d) {
    const vec3s x = rotate(q, vec3_of(1, 0, 0)), y = rotate(q, vec3_of(0, 1, 0)),
                z = rotate(q, vec3_of(0, 0, 1));
    return symmetric_of(vec3_of(d.x * x.x * x.x + d.y * y.x * y.x + d.z * z.x * z.x,
                                d.x * x.y * x.y + d.y * y.y * y.y + d.z * z.y * z.y,
                                d.x * x.z * x.z + d.y * y.z * y.z + d.z * z.z * z.z),
                        vec3_of(d.x * x.y * x.z + d.y * y.y * y.z + d.z * z.y * z.z,
                                d.x * x.x * x.z + d.y * y.x * y.z + d.z * z.x * z.z,
                                d.x * x.x * x.y + d.y * y.x * y.y + d.z * z.x * z.y));
}

#endif
