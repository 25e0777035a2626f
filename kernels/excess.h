/* The test of whether the impulses of an island are larger than needed (host/step/warm_start.c has the
 * derivation): a sum over its bodies that depends neither on their order nor on the device. */
#ifndef SCREE_KERNELS_EXCESS_H
#define SCREE_KERNELS_EXCESS_H

#include "motion.h"

#if SCREE_WIDTH == 1

/* Smallest acceptable s, and the relative round-off of a difference of energies in single precision. */
#define EXCESS_ENOUGH 0.9f
#define EXCESS_ROUNDING 1e-5f

SHARED vec3s angular_momentum_at(body_pose pose, vec3s inertia, vec3s omega) {
    return inertia.x == inertia.y && inertia.y == inertia.z ? glms_vec3_scale(omega, inertia.x)
                                                            : inertia_times(pose.rotation, inertia, omega);
}

/* Returns what a body contributes to twice the excess of its island: an island with a positive sum may have a
 * smaller s than EXCESS_ENOUGH. With D = V − V* and S = V + V*, the excess is E(V) − E(V*) + (2 ENOUGH − 1) ½
 * D·M D = ½ (D·M S + …), which avoids cancellation, less ROUNDING times E(V) + E(V*), which is at least ¼ S·M
 * S. Energies that single precision does not represent count as 0. */
SHARED scalar excess_of(body_pose pose, body_mass mass, body_velocity before, body_velocity after) {
    const vec3s slower = glms_vec3_sub(after.linear, before.linear),
                faster = glms_vec3_add(after.linear, before.linear),
                less = glms_vec3_sub(after.angular, before.angular),
                more = glms_vec3_add(after.angular, before.angular),
                turns = angular_momentum_at(pose, mass.inertia, more);
    const scalar gain = mass.mass * glms_vec3_dot(slower, faster) + glms_vec3_dot(less, turns),
                 both = mass.mass * glms_vec3_norm2(faster) + glms_vec3_dot(more, turns),
                 own = mass.mass * glms_vec3_norm2(slower) +
                       glms_vec3_dot(less, angular_momentum_at(pose, mass.inertia, less));
    const scalar sum = gain + ((2 * EXCESS_ENOUGH - 1) * own - EXCESS_ROUNDING * both);
    return scalar_finite(sum) ? sum : 0;
}

/* Sums are whole numbers of 2^(e − bits), where 2^e is the power of two of an island's largest contribution.
 * The exponent e is stored as a rank, which is 0 if there is no contribution. */
enum { EXCESS_RANK = 150 };

SHARED uint32 excess_rank(scalar x) {
    return x == 0 ? 0 : (uint32)(scalar_exponent(scalar_abs(x)) + EXCESS_RANK);
}

/* Returns the bits that leave a sum of that many contributions below 2^63. */
SHARED int excess_bits(uint32 bodies) {
    int bits = 62;
    for (; bodies > 0; bodies /= 2) bits--;
    return bits;
}

/* Returns a contribution as such a whole number, rounded towards zero. */
SHARED long64 excess_units(scalar x, uint32 rank, int bits) {
    return x == 0 ? 0 : (long64)scalar_shifted(x, bits + EXCESS_RANK - (int)rank);
}

#endif

#endif
