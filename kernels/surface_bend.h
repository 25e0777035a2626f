/* Arcs of turning surfaces at contacts. */
#ifndef SCREE_KERNELS_SURFACE_BEND_H
#define SCREE_KERNELS_SURFACE_BEND_H

#include "contact_block.h"
#include "mean_spin.h"

#if SCREE_WIDTH == 1

/* Bodies move by h V, but a place that a body carries along follows an arc. Rows that ask for equal
 * velocities at the start of the step leave the arcs along their tangents: with θ = h ω, the load of a
 * turning table would spiral outwards by θ²/2 of the radius in each step, and friction on what does not turn
 * along would be turned by θ/2. A body's bend is what the mean velocity of its surface over the step, where
 * the contact is, has beyond that at its start. Rows add the bends to the slip, and impulses act on both
 * bodies at one point, so that they conserve momentum. Vectors below are in the plane of the contact, as
 * complex numbers: i is a quarter turn. ω is the spin about the normal.
 *
 * If the body carries the contact along, which has the arm r, it moves by (e^iθ − 1) r. The bend is
 *
 *     B r,   B = (e^iθ − 1 − iθ)/h.
 *
 * Over the last step, such a place of a body whose centre has the velocity v moved at v + (1 − e^−iθ) r/h. A
 * contact that moves at another velocity, by s, as on a table under a ball, has the bend B r + G s. That of a
 * contact that does not move, with v = 0 and s = −(1 − e^−iθ) r/h, is 0:
 *
 *     G = (e^iθ − 1 − iθ)/(1 − e^−iθ) = (iθ/2) (1 + (5/6) iθ − θ²/3 + …).
 *
 * The bend ends between 0.5 and 1 rad a step. Without that end, a ball that rolls on a table keeps its speed
 * to 2 % at 0.5 rad and doubles it at 1 rad, and a cube is thrown off from 1.2 rad on. Friction on a box that
 * spins is turned by θ/2 and loses θ²/8 of its torque, 12 % at 1 rad. */
#define BEND_MOST ((scalar)0.5)

/* Turns per step without a bend, rad. Per radian of turning, a load spirals outwards by half of that. */
#define BEND_LEAST ((scalar)1e-4)
/* The bend of a place is at most h/2 of its acceleration ω (ω r + s). It is neglected where that is below
 * this fraction of gravity's, at slips of 1e-4 g h: 0.04 mm in 5 s of steps of 1/120 s; not on driven bodies,
 * which turn for long. At step 240 of B8000, 7.5 % of the rows have bends with this, at 86 instructions per
 * row on average, and at 482 without. */
#define BEND_GRAVITY ((scalar)2e-4)

/* The part of a body's spin across the normal of a contact. */
typedef struct surface_tilt {
    vec3s spin,
        mean;      /* at the start; over the step, as the body turns freely unless a joint holds it; rad/s */
    versors ahead; /* rotation of the whole body over the step */
    int tilts;     /* enough for a bend */
} surface_tilt;

/* A turn about the normal of a contact by θ in the step, at the rate ω. */
typedef struct surface_turn {
    scalar rate, angle;  /* ω, rad/s; θ, rad */
    scalar sine, cosine; /* sin θ/θ, (1 − cos θ)/θ */
    scalar share;        /* of the bend that is applied */
    versors back;        /* rotation of the whole body over the step, reversed */
    int carries;         /* the places of contacts */
    int turns;           /* enough for a bend */
} surface_turn;

/* Returns whether a body turns under a contact. A ball, whose arm is the normal, hardly does; but where
 * cohesion binds many, rows that differ by θ² would strain them in every step. */
SHARED int surface_turns(scalar rate, scalar time_step) { return time_step * scalar_abs(rate) > BEND_LEAST; }

/* Returns whether the bend at a point is not neglected, from the rates ω of both bodies. `slip`: velocity of
 * b's surface relative to a's; `least`: accelerations without a bend, m/s². */
SHARED int surface_bends(scalar rate_a, scalar rate_b, vec3s arm_a, vec3s arm_b, vec3s slip, scalar least) {
    const scalar rate = scalar_max(scalar_abs(rate_a), scalar_abs(rate_b)),
                 square = scalar_max(glms_vec3_norm2(arm_a), glms_vec3_norm2(arm_b));
    return rate * (rate * scalar_sqrt(square) + glms_vec3_norm(slip)) > least;
}

/* Returns a turn with all fields from one with `rate` and `turns`, and the body's angular velocity. */
SHARED surface_turn surface_turn_filled(surface_turn turn, vec3s spin, scalar time_step, int carries) {
    const scalar angle = time_step * turn.rate;
    const turn_parts parts = turn_parts_of(angle * angle);
    turn.angle = angle;
    turn.sine = parts.sine * parts.cosine;
    turn.cosine = parts.sine * parts.sine * angle / 2;
    turn.share = scalar_clamp(2 - scalar_abs(angle) / BEND_MOST, 0, 1);
    turn.back = rotation_turned(glms_vec3_scale(spin, -time_step), versor_of(0, 0, 0, 1));
    turn.carries = carries;
    return turn;
}

/* Returns the velocity in the plane of a contact's place on a body over the last step, in which its arm was
 * `before` and becomes `arm`. */
SHARED vec3s place_velocity_of(vec3s normal, vec3s linear, vec3s arm, vec3s before, scalar time_step) {
    const vec3s way = glms_vec3_sub(arm, before);
    return vec3_in_plane(normal, glms_vec3_add(linear, glms_vec3_scale(way, 1 / time_step)));
}

/* Returns (x + iy) v. */
SHARED vec3s plane_times(scalar x, scalar y, vec3s normal, vec3s v) {
    return glms_vec3_add(glms_vec3_scale(v, x), glms_vec3_scale(glms_vec3_cross(normal, v), y));
}

/* Returns the bend G s where a contact moves at s, in the plane, beyond what the body carries. */
SHARED vec3s slip_bend(surface_turn of, vec3s normal, vec3s slip) {
    const scalar angle = of.angle, half_angle = angle / 2;
    return glms_vec3_scale(
        plane_times(-half_angle * angle * 5 / 6, half_angle * (1 - angle * angle / 3), normal, slip),
        of.share);
}

/* Returns the bend at the arm r, in the plane, where the contact moves at `velocity` beyond the body's
 * centre. */
SHARED vec3s surface_bend(surface_turn of, vec3s normal, vec3s arm, vec3s velocity) {
    const scalar rate = of.rate;
    const vec3s carried = plane_times(rate * of.cosine, rate * of.sine, normal, arm),
                along = plane_times(-rate * of.cosine, rate * (of.sine - 1), normal, arm);
    return glms_vec3_add(glms_vec3_scale(along, of.share),
                         slip_bend(of, normal, glms_vec3_sub(velocity, carried)));
}

/* Returns whether a body turns under a contact at this arm, which is not along the normal: ‖r − (n·r) n‖ > 4ε
 * ‖r‖. */
SHARED int surface_sweeps(int turns, vec3s arm, vec3s across) {
    const scalar limit = 4 * SCALAR_EPSILON;
    return turns && glms_vec3_norm2(across) > limit * limit * glms_vec3_norm2(arm);
}

/* Returns the velocity of b's surface relative to a's averaged over the step, less that at its start, in the
 * plane, m/s. The arms and `velocity`, at which the contact moves, are in the plane; `linear_a` and
 * `linear_b` are velocities of the centres before the step. */
SHARED vec3s contact_bend(surface_turn turn_a, surface_turn turn_b, vec3s normal, vec3s arm_a, vec3s arm_b,
                          vec3s velocity, vec3s linear_a, vec3s linear_b) {
    const vec3s of_a = glms_vec3_sub(velocity, vec3_in_plane(normal, linear_a)),
                of_b = glms_vec3_sub(velocity, vec3_in_plane(normal, linear_b));
    return glms_vec3_sub(surface_bend(turn_b, normal, arm_b, of_b),
                         surface_bend(turn_a, normal, arm_a, of_a));
}

/* -- Tilt ------------------------------------------------------------------------------- */

/* With `split`, rows of round bodies also have the bend of the spin across the normal. If the mean spin of
 * the free rotation is ω̄, and the place of the contact on the body moves from r to r',
 *
 *     c = ω̄ × (r + r')/2 − ω × r,   both spins without their part about the normal.
 *
 * Without it, rows leave the velocity of that turn at the end of the step, and the next step takes it away
 * again, with the work r·u/2 of its impulse r. In steady motion the velocity before the step is u = c, after
 * it u⁺ = −c, and the work r·(u + u⁺)/2 vanishes to second order. An impact may end the spin, and then the
 * bend would drive the body into its partner: the bend in the plane is scaled by c·u/c², between 0 and 1, and
 * that along the normal by the same of the normal parts alone, which slip does not change. (With a bend of
 * the normal row alone, a coin that rolls in a circle gains 1.3 % of its speed in 10 s, with all rows it
 * loses 0.06 %. Scaled together, a frictionless disk on a floor that moves under it keeps 48 instead of 88 %
 * of its energy in 1 s.) Bodies with corners and edges do not roll on, and have no such bend.
 *
 * Turns across the normal per step without such a bend, rad. A disk of 4 cm that spins on its edge at 20°
 * loses 0.12 % of its energy in 0.5 s of steps of 0.06 ms, and lost 1.7 % where turns below 1e-3 had no bend;
 * piles at rest turn by less than 1e-6. */
#define TILT_LEAST ((scalar)1e-5)

SHARED int surface_tilts(vec3s normal, vec3s spin, scalar time_step) {
    return time_step * glms_vec3_norm(vec3_in_plane(normal, spin)) > TILT_LEAST;
}

SHARED surface_tilt surface_tilt_none(void) {
    surface_tilt out;
    out.tilts = 0;
    out.spin = out.mean = glms_vec3_zero();
    out.ahead = versor_of(0, 0, 0, 1);
    return out;
}

/* Returns the tilt of a round body that turns so in the step. */
SHARED surface_tilt surface_tilt_of(vec3s normal, body_turn turn, scalar time_step) {
    surface_tilt out;
    out.tilts = 1;
    out.spin = vec3_in_plane(normal, turn.start);
    out.mean = glms_vec3_sub(turn.mean, glms_vec3_sub(turn.start, out.spin));
    out.ahead = rotation_turned(glms_vec3_scale(turn.mean, time_step), versor_of(0, 0, 0, 1));
    return out;
}

/* Returns the bend of a surface that tilts, at an arm that becomes `after`. */
SHARED vec3s tilt_bend(surface_tilt of, vec3s arm, vec3s after) {
    const vec3s halfway = glms_vec3_scale(glms_vec3_add(arm, after), (scalar)0.5);
    return glms_vec3_sub(glms_vec3_cross(of.mean, halfway), glms_vec3_cross(of.spin, arm));
}

/* Returns c·u/c², between 0 and 1. */
SHARED scalar bend_share(vec3s bend, vec3s velocity) {
    const scalar square = glms_vec3_norm2(bend);
    return square > 0 ? scalar_clamp(glms_vec3_dot(bend, velocity) / square, 0, 1) : 0;
}

/* Returns the bend for all rows, m/s, from that of b's surface less that of a's. `slip`: velocity of b's
 * surface relative to a's before the step, less its other bend. */
SHARED vec3s contact_tilt(vec3s normal, vec3s bend, vec3s slip) {
    const vec3s along = vec3_in_plane(normal, bend), upright = glms_vec3_sub(bend, along);
    return glms_vec3_add(glms_vec3_scale(upright, bend_share(upright, slip)),
                         glms_vec3_scale(along, bend_share(bend, slip)));
}

#endif

#endif
