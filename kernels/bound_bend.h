/* The bend (surface_bend.h) of two bodies that cohesion holds. */
#ifndef SCREE_KERNELS_BOUND_BEND_H
#define SCREE_KERNELS_BOUND_BEND_H

#include "surface_bend.h"

#if SCREE_WIDTH == 1

/* Returns the bend of a place that the body carries along, in closed form: the difference of its path and
 * h ω × r would have the rounding of r/h. */
SHARED vec3s carried_bend(vec3s spin, vec3s arm, scalar time_step) {
    const scalar square = time_step * time_step * glms_vec3_norm2(spin);
    const turn_parts parts = turn_parts_of(square);
    const vec3s across = glms_vec3_cross(spin, arm),
                along = glms_vec3_scale(across, parts.sine * parts.cosine - 1),
                inward =
                    glms_vec3_scale(glms_vec3_cross(spin, across), time_step * parts.sine * parts.sine / 2);
    const scalar share = scalar_clamp(4 * (1 - scalar_sqrt(square)), 0, 1);
    return glms_vec3_scale(glms_vec3_add(along, inward), share);
}

/* Two bodies that cohesion holds, at a contact. */
typedef struct bound_turn {
    scalar time_step;
    vec3s normal, common; /* common: the spin at which the normal turns, rad/s */
    vec3s slip;           /* in the plane, beyond the common spin, m/s */
    scalar radius_a,
        radius_b; /* of the round surfaces, m; infinite where the body carries the contact along */
} bound_turn;

/* Returns the common spin of two bodies: that of the one that carries the contact along. The normal of two
 * round surfaces of the radii r turns at (r_a ω_a + r_b ω_b)/(r_a + r_b) where they roll on each other, and
 * with their slip. */
SHARED bound_turn bound_turn_of(scalar time_step, vec3s normal, body_velocity a, body_velocity b, vec3s arm_a,
                                vec3s arm_b, scalar radius_a, scalar radius_b) {
    bound_turn out;
    out.time_step = time_step, out.normal = normal, out.radius_a = radius_a, out.radius_b = radius_b;
    const int carried_a = !(radius_a < INFINITY), carried_b = !(radius_b < INFINITY);
    const scalar radii = radius_a + radius_b;
    const scalar share = carried_a ? (carried_b ? (scalar)0.5 : 0) : carried_b ? 1 : radius_b / radii;
    out.common = glms_vec3_add(glms_vec3_scale(a.angular, 1 - share), glms_vec3_scale(b.angular, share));
    const vec3s between = glms_vec3_sub(arm_b, arm_a),
                slip = glms_vec3_add(glms_vec3_sub(velocity_at(b, arm_b), velocity_at(a, arm_a)),
                                     carried_bend(out.common, between, time_step));
    out.slip = vec3_in_plane(normal, slip);
    if (!carried_a && !carried_b)
        out.common = glms_vec3_add(out.common, glms_vec3_scale(glms_vec3_cross(normal, out.slip), 1 / radii));
    return out;
}

/* Returns the bend of a body's surface that is round at the contact and turns on its own, beyond the common
 * spin; `rolled`: how far the arm r to the contact moves on the surface by that rotation. */
SHARED vec3s rolled_bend(bound_turn of, vec3s spin, vec3s arm, vec3s rolled) {
    const vec3s own = glms_vec3_sub(spin, of.common),
                rolling = glms_vec3_add(
                    glms_vec3_scale(glms_vec3_cross(own, glms_vec3_cross(of.common, arm)), of.time_step / 2),
                    glms_vec3_scale(glms_vec3_cross(spin, rolled), (scalar)0.5));
    return glms_vec3_add(carried_bend(of.common, arm, of.time_step), rolling);
}

/* Bodies that cohesion holds turn as one about any axis. On tangents they would part. Where they slide on
 * each other by s, the contact moves on b at −(1 − share) s beyond what b carries, and on a at share s.
 * `on_a`, `on_b`: the bends of that; `of_a`, `of_b`: those of the surfaces. */
SHARED vec3s bound_bend_of(bound_turn of, vec3s of_a, vec3s of_b, vec3s on_a, vec3s on_b) {
    if (!(of.radius_a < INFINITY) && !(of.radius_b < INFINITY))
        return glms_vec3_sub(glms_vec3_add(of_b, on_b), glms_vec3_add(of_a, on_a));
    const scalar along = glms_vec3_dot(glms_vec3_cross(of.common, of.normal), of.slip) * of.time_step / 2;
    return glms_vec3_add(glms_vec3_sub(of_b, of_a), glms_vec3_scale(of.normal, along));
}

#endif

#endif
