/* The block of a contact from the values that it depends on: frame, gap, rows, warm start. host/rows and
 * rows.cl put them together. */
#ifndef SCREE_KERNELS_CONTACT_BLOCK_H
#define SCREE_KERNELS_CONTACT_BLOCK_H

#include "block.h"
#include "motion.h"
#include "normal_row.h"
#include "periodic_image.h"
#include "resistance.h"

/* Fraction of the last position-pass impulses in its warm start. Let x be the overlap of a slow mode, c the
 * part of it removed in a step, and g the fraction of the error that the sweeps of one step remove:
 *
 *     c⁺ = w c + g (β x − w c),   x⁺ = x − c⁺:   the product of the two eigenvalues is w (1 − g).
 *
 * With w = 1 and small g the mode oscillates almost undamped, and the velocity pass feeds it: twenty rows of
 * cubes rock until they collapse, within three seconds at 10 iterations. A lower w damps the mode but leaves
 * more overlap in a pile: with 0.8 a column under a brick of ten times its mass rocks. */
#define PUSH_WARM_START 0.95f

#if SCREE_WIDTH == 1

/* Returns the velocity of a body's point at an arm from its centre, m/s. */
SHARED vec3s velocity_at(body_velocity body, vec3s arm) {
    return glms_vec3_add(body.linear, glms_vec3_cross(body.angular, arm));
}

/* Returns the acceleration of a movable body's point from gravity and the loads of the step, m/s². */
SHARED vec3s acceleration_at(body_pose pose, body_mass mass, body_load load, vec3s gravity, vec3s arm) {
    const body_mobility m = mobility_of(pose, mass);
    const vec3s weight = glms_vec3_scale(gravity, mass.mass * mass.gravity_scale);
    const vec3s linear = glms_vec3_mul(glms_vec3_add(weight, load.force), m.inverse_mass);
    const vec3s angular = symmetric_times(symmetric_of(m.diagonal, m.off_diagonal), load.torque);
    return glms_vec3_add(linear, glms_vec3_cross(angular, arm));
}

/* -- Frame ------------------------------------------------------------------------------ */

/* The first tangent of a contact, and the surface velocity along it, m/s. */
typedef struct contact_frame {
    vec3s tangent;
    scalar speed;
} contact_frame;

SHARED contact_frame contact_frame_still(vec3s normal) {
    contact_frame out;
    out.tangent = tangent_of(normal), out.speed = 0;
    return out;
}

/* Returns v without its part along the unit vector n. */
SHARED vec3s vec3_in_plane(vec3s n, vec3s v) {
    return glms_vec3_sub(v, glms_vec3_scale(n, glms_vec3_dot(n, v)));
}

/* Returns the frame whose first tangent lies along the surface velocity of b relative to a, if there is one.
 * The surface velocities are given in world axes. */
SHARED contact_frame contact_frame_of(vec3s normal, vec3s of_a, vec3s of_b) {
    const vec3s flow = vec3_in_plane(normal, glms_vec3_sub(of_b, of_a));
    const scalar speed = glms_vec3_norm(flow);
    if (!(speed > 0)) {
        contact_frame still = contact_frame_still(normal);
        still.speed = speed;
        return still;
    }
    /* Project again: a surface velocity nearly along the normal leaves little in the plane. */
    const vec3s flat = vec3_in_plane(normal, glms_vec3_scale(flow, 1 / speed));
    contact_frame out;
    out.tangent = glms_vec3_scale(flat, 1 / glms_vec3_norm(flat)), out.speed = speed;
    return out;
}

/* -- Arms ------------------------------------------------------------------------------- */

/* The arms of a body to its contacts: of a ball one arm, of others from the centre. */
typedef struct arm_base {
    int ball;
    vec3s at; /* the arm of the ball, or the centre, m */
} arm_base;

/* `outward`: unit normal away from the body. */
SHARED arm_base arm_base_of_ball(vec3s outward, scalar radius) {
    arm_base out;
    out.ball = 1, out.at = glms_vec3_scale(outward, radius);
    return out;
}

SHARED arm_base arm_base_of_centre(vec3s centre) {
    arm_base out;
    out.ball = 0, out.at = centre;
    return out;
}

SHARED vec3s arm_from(arm_base base, vec3s point) {
    return base.ball ? base.at : glms_vec3_sub(point, base.at);
}

/* -- Gap -------------------------------------------------------------------------------- */

/* The remainders of the bodies add to a gap n·(e_b + θ_b × r_b − e_a − θ_a × r_a). Detection reads
 * rounded poses. With their gaps alone, corrections smaller than the rounding would add up before they show:
 * a stack 10 km from the origin would shake with 0.24 J, not 7e-11 J. */
typedef struct gap_remainders {
    scalar between; /* of the gap between the centres, m */
    vec3s a, b;     /* of the gap per arm */
} gap_remainders;

SHARED gap_remainders gap_remainders_of(vec3s normal, body_remainder a, body_remainder b) {
    gap_remainders out;
    out.between = glms_vec3_dot(normal, glms_vec3_sub(b.position, a.position));
    out.a = glms_vec3_cross(normal, a.rotation);
    out.b = glms_vec3_cross(normal, b.rotation);
    return out;
}

SHARED scalar gap_remainder(gap_remainders of, vec3s arm_a, vec3s arm_b) {
    return of.between + (glms_vec3_dot(of.b, arm_b) - glms_vec3_dot(of.a, arm_a));
}

/* -- Tangential rows -------------------------------------------------------------------- */

/* Surface velocities of a block along its tangents, m/s. */
typedef struct contact_slip {
    scalar rolling, spinning;
} contact_slip;

/* Returns what the bend `bent` of a contact, and the slip `curved` before the step without it, add to the
 * surface velocities of a block. `factor`: scheme_slip_factor. */
SHARED contact_slip contact_slip_of(vec3s tangent, vec3s second, scalar speed, scalar factor, vec3s curved,
                                    vec3s bent) {
    contact_slip out;
    out.rolling = factor * (glms_vec3_dot(tangent, curved) + speed) + glms_vec3_dot(tangent, bent);
    out.spinning = factor * glms_vec3_dot(second, curved) + glms_vec3_dot(second, bent); /* not −0 */
    return out;
}

/* -- Resistance ------------------------------------------------------------------------- */

/* Returns the length that makes angular rows comparable with linear ones, m: the radius of gyration s of the
 * two bodies, s² = Σ 3/m / Σ trace(I⁻¹). A torque impulse s r then turns them as readily as r moves them:
 * trace(s² Σ I⁻¹) = trace(Σ 1/m). It depends on the bodies alone, so it is constant for a pair. */
SHARED scalar angular_length_of(body_mass a, body_mass b) {
    scalar linear = 0, angular = 0;
    if (a.mass > 0) {
        linear += 3 / a.mass;
        angular += 1 / a.inertia.x + 1 / a.inertia.y + 1 / a.inertia.z;
    }
    if (b.mass > 0) {
        linear += 3 / b.mass;
        angular += 1 / b.inertia.x + 1 / b.inertia.y + 1 / b.inertia.z;
    }
    return angular > 0 ? scalar_sqrt(linear / angular) : 1;
}

/* Returns the block of the rolling and spinning friction of a contact; both are lengths, m. */
SHARED constraint_block resistance_block(int a, int b, vec3s normal, scalar rolling, scalar spinning,
                                         scalar length) {
    constraint_block out;
    out.body_a = a, out.body_b = b;
    out.kind = BLOCK_RESISTANCE, out.angular = 1, out.rows = 0;
    out.arm_a = out.arm_b = glms_vec3_zero();
    out.bias = out.correction = out.friction = out.compliance = out.closing = 0;
    out.rolling = rolling / length, out.spinning = spinning / length;
    out.normal = normal, out.tangent = tangent_of(normal);
    out.length = length;
    return out;
}

/* -- Warm start ------------------------------------------------------------------------- */

/* Returns a power of two near the largest component. Squares in that unit neither overflow nor vanish. */
SHARED scalar impulse_unit(vec3s v) {
    const scalar largest = vec3_largest(v);
    if (!(largest > 0 && largest < INFINITY)) return 1;
    const int exponent = scalar_exponent(largest) + 1;
    return scalar_shifted(1, exponent < -120 ? -120 : exponent > 120 ? 120 : exponent);
}

/* Returns whether ‖r_T‖ ≤ μ r_N, or for the pyramid each component, as for most warm starts. Returns false if
 * squares overflow or lose digits. */
SHARED int impulse_is_admitted(int law, vec3s r, scalar friction) {
    const scalar bound = friction * r.x, square = bound * bound;
    if (!(r.x >= 0 && square > (scalar)1e-24 && square < INFINITY)) return 0;
    if (law == LAW_PYRAMID) return scalar_abs(r.y) <= bound && scalar_abs(r.z) <= bound;
    return r.y * r.y + r.z * r.z <= square;
}

/* Returns the admissible impulse with the same normal part, or zero if that is negative. A warm start may be
 * inadmissible because frames turn, because materials differ from those of its solve, or because a solve with
 * few iterations left it so. */
SHARED vec3s impulse_admitted(int law, vec3s r, scalar friction) {
    if (impulse_is_admitted(law, r, friction)) return r;
    if (r.x == 0 && r.y == 0 && r.z == 0) return vec3_of(0, r.y, r.z); /* not −0 */
    const scalar unit = impulse_unit(r);
    const vec3s in_units = glms_vec3_scale(r, 1 / unit);
    return glms_vec3_scale(
        law == LAW_PYRAMID ? pyramid_clamp(in_units, friction) : radial_clamp(in_units, friction), unit);
}

/* Does the same for the resistance of a contact with the normal impulse `normal`; `rolling` and `spinning`
 * are those of the block. */
SHARED vec3s torque_admitted(vec3s r, scalar normal, scalar rolling, scalar spinning) {
    const scalar unit = impulse_unit(r), in_units = normal / unit;
    resistance_bound bound;
    bound.spinning = spinning * in_units, bound.rolling = rolling * in_units;
    return glms_vec3_scale(resistance_clamp(glms_vec3_scale(r, 1 / unit), bound), unit);
}

#endif

#endif
