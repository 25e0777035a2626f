/* Rotations as unit quaternions, and frames from a normal. */
#ifndef SCREE_KERNELS_ROTATION_H
#define SCREE_KERNELS_ROTATION_H

#include "symmetric.h"

/* Rotates v by q. With q = (u, w): v + 2w (u × v) + 2 u × (u × v), which is exact for unit q. */
SHARED vec3s rotate(versors q, vec3s v) {
    const vec3s u = vec3_of(q.x, q.y, q.z);
    const vec3s t = glms_vec3_scale(glms_vec3_cross(u, v), scalar_of(2));
    return glms_vec3_add(glms_vec3_add(v, glms_vec3_scale(t, q.w)), glms_vec3_cross(u, t));
}

/* Rotates v by the inverse of q: world to body coordinates. */
SHARED vec3s rotate_inverse(versors q, vec3s v) { return rotate(versor_of(-q.x, -q.y, -q.z, q.w), v); }

/* Returns the Hamilton product: first b, then a. */
SHARED versors rotation_product(versors a, versors b) {
    return versor_of(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

SHARED versors rotation_normalised(versors q) {
    const scalar norm = scalar_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    const scalar_mask known = norm > 0;
    return versor_of(choose(known, q.x / norm, scalar_of(0)), choose(known, q.y / norm, scalar_of(0)),
                     choose(known, q.z / norm, scalar_of(0)), choose(known, q.w / norm, scalar_of(1)));
}

/* sin(x)/x and cos x at x = ‖a‖/2, up to a common sign, for the rotation by the vector a. */
typedef struct turn_parts {
    scalar sine, cosine;
} turn_parts;

/* Computes the parts from `square` = ‖a‖². x is reduced to r = x − k π, |r| ≤ π/2. π is split into three
 * parts; the first two have few digits, so that k times each is exact for k < 256. The common factor (−1)^k
 * is omitted. Taylor sums of seven terms have errors below 1e-8; the measured error of a rotation is 2e-7 of
 * ‖a‖ for ‖a‖ from 1e-6 to 1000. Adding and subtracting 3/(2 ε) rounds to an integer. For larger x, where no
 * digits of the angle remain, r is clamped. */
SHARED turn_parts turn_parts_of(scalar square) {
    const scalar whole = scalar_of((float)1.5 / SCALAR_EPSILON), x = scalar_sqrt(square) / 2,
                 k = (x * scalar_of(0.318309886) + whole) - whole;
    const scalar r = scalar_clamp(((x - k * scalar_of(3.140625)) - k * scalar_of(9.67502593994140625e-4)) -
                                      k * scalar_of(1.50995799e-7),
                                  scalar_of(-1.6), scalar_of(1.6));
    const scalar y = r * r;
    const scalar sine =
        1 - y / 6 * (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110 * (1 - y / 156)))));
    turn_parts out;
    out.cosine = 1 - y / 2 * (1 - y / 12 * (1 - y / 30 * (1 - y / 56 * (1 - y / 90 * (1 - y / 132)))));
    out.sine = choose(k > 0, sine * r / x, sine);
    return out;
}

/* Rotates q by the rotation vector a = h ω (world axes), i.e. by ‖a‖ about a: (a sin(x)/(2 x), cos x) q. The
 * result is normalised, so its norm does not depend on the accuracy of sine and cosine. */
SHARED versors rotation_turned(vec3s a, versors q) {
    const turn_parts parts = turn_parts_of(glms_vec3_norm2(a));
    const vec3s u = glms_vec3_scale(a, parts.sine / 2);
    return rotation_normalised(rotation_product(versor_of(u.x, u.y, u.z, parts.cosine), q));
}

#if SCREE_WIDTH == 1

/* Returns the rotation vector of q, of length up to π: the inverse of rotation_turned. With u = sin(θ/2) the
 * vector part and w = cos(θ/2) ≥ 0, the tangent t = tan(θ/4) has t² = (1 − w)/(1 + w), tan(θ/8) = t/(1 + √(1
 * + t²)) is at most 0.415, and θ is 8 arctangents of that: θ/‖u‖ = 8 A/((1 + w) (1 + √(1 + t²))), A =
 * atan(z)/z. */
SHARED vec3s rotation_vector(versors q) {
    const scalar w = scalar_abs(q.w), square = glms_vec3_norm2(vec3_of(q.x, q.y, q.z)) / ((1 + w) * (1 + w)),
                 root = 1 + scalar_sqrt(1 + square), z = square / (root * root);
    const scalar a =
        1 - z * ((scalar)1 / 3 -
                 z * ((scalar)1 / 5 -
                      z * ((scalar)1 / 7 -
                           z * ((scalar)1 / 9 - z * ((scalar)1 / 11 - z * ((scalar)1 / 13 - z / 15))))));
    const scalar factor = 8 * a / ((1 + w) * root);
    return glms_vec3_scale(vec3_of(q.x, q.y, q.z), choose(q.w < 0, -factor, factor));
}

/* Returns a unit vector normal to the unit vector n. The only branch is on the sign of n.z (Duff et al.,
 * Building an Orthonormal Basis, Revisited, JCGT 6(1), 2017). The other tangent is n × t. */
SHARED vec3s tangent_of(vec3s n) {
    const scalar sign = n.z < 0 ? -1 : 1;
    const scalar a = -1 / (sign + n.z);
    return vec3_of(1 + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x);
}

/* Returns R diag(d) Rᵀ for the rotation R of q: the tensor with principal values d along the body's axes, in
 * world axes. */
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

#endif
