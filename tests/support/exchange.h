/* Contact points do not depend on the order or the location of the two bodies. */
#pragma once

#include "body_fixture.h"
#include "geometry/bounds.h"
#include "detect/manifold.h"
#include "convex_geometry.h"
#include "expect.h"
#include "random_vectors.h"

/* Asserts that the contact of two randomly rotated bodies, 0.8 to 1.6 m apart, keeps its gap and normal when
 * a and b are exchanged or moved. Gaps agree within `near`, m, and within the fraction `deep` of overlaps
 * deeper than a third of a half width. */
static inline void assert_exchange_and_motion(uint64_t *seed, scree_shape a, scree_shape b, double near,
                                              double deep) {
    const vec3s out = glms_vec3_scale(random_direction(seed), (scalar)random_between(seed, 0.8, 1.6));
    const body_pose pose_a = pose_of(vec3_of(0, 0, 0), random_rotation(seed)),
                    pose_b = pose_of(out, random_rotation(seed));
    const manifold m = manifold_of(a, pose_a, b, pose_b, 2), back = manifold_of(b, pose_b, a, pose_a, 2);
    const versors turn = random_rotation(seed);
    const vec3s shift = random_vector(seed, -3, 3);
    const manifold moved = manifold_of(
        a, pose_of(shift, rotation_product(turn, pose_a.rotation)), b,
        pose_of(glms_vec3_add(rotate(turn, out), shift), rotation_product(turn, pose_b.rotation)), 2);
    const double width = fmin(bounds_half_width(a), bounds_half_width(b)), gap = least_gap(&m);
    const double tolerance = gap > -width / 3 ? near : -deep * gap;
    ASSERT_WITHIN(least_gap(&back), gap, tolerance);
    ASSERT_WITHIN(least_gap(&moved), gap, tolerance);
    if (gap < 0.01) return; /* two escape directions of equal length: round-off chooses */
    ASSERT_WITHIN(glms_vec3_norm(glms_vec3_add(back.normal, m.normal)), 0, 2e-3);
    ASSERT_WITHIN(glms_vec3_norm(glms_vec3_sub(moved.normal, rotate(turn, m.normal))), 0, 2e-3);
}
