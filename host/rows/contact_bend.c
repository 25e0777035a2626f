#include "contact_bend.h"

#include "body_turn.h"
#include "motion.h"
#include "rotation.h"
#include "stabilisation.h"

#include <math.h>

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
static const scalar BEND_MOST = 0.5f;

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
static const scalar TILT_LEAST = 1e-5f;

static vec3s in_plane(vec3s normal, vec3s v) {
    return glms_vec3_sub(v, glms_vec3_scale(normal, glms_vec3_dot(normal, v)));
}

/* Returns (x + iy) v. */
static vec3s times(scalar x, scalar y, vec3s normal, vec3s v) {
    return glms_vec3_add(glms_vec3_scale(v, x), glms_vec3_scale(glms_vec3_cross(normal, v), y));
}

static void fill_surface(const problem_input *from, int slot, surface_turn *out) {
    const scalar h = from->motion.time_step, angle = h * out->rate;
    const turn_parts half = turn_parts_of(angle * angle);
    out->angle = angle;
    out->sine = half.sine * half.cosine;
    out->cosine = half.sine * half.sine * angle / 2;
    out->share = scalar_clamp(2 - scalar_abs(angle) / BEND_MOST, 0, 1);
    out->back =
        rotation_turned(glms_vec3_scale(from->bodies->velocities[slot].angular, -h), versor_of(0, 0, 0, 1));
    out->carries = contact_place_is_carried(from, slot);
}

static surface_tilt surface_tilt_of(const problem_input *from, int slot, vec3s normal) {
    const body_array *bodies = from->bodies;
    const scalar h = from->motion.time_step;
    const vec3s spin = bodies->velocities[slot].angular;
    if (!contact_body_rolls(from, slot) || !body_is_dynamic(bodies, slot) ||
        !(h * glms_vec3_norm(in_plane(normal, spin)) > TILT_LEAST))
        return (surface_tilt){.tilts = false};
    /* Joints turn the spin of a body, such as a wheel on an arm; other bodies tumble. */
    const body_turn turn = joints_hold(from->joints, slot)
                               ? body_turn_continued(bodies, slot, h)
                               : body_turn_free(bodies->poses[slot], bodies->masses[slot], spin, h);
    const vec3s across = in_plane(normal, turn.start);
    return (surface_tilt){.tilts = true,
                          .spin = across,
                          .mean = glms_vec3_sub(turn.mean, glms_vec3_sub(turn.start, across)),
                          .ahead = rotation_turned(glms_vec3_scale(turn.mean, h), versor_of(0, 0, 0, 1))};
}

/* Rows of a detection pass stand for the end of the step, others for its start. */
void contact_turn_tilt(const problem_input *from, const contact_pair *contact, contact_turn *out) {
    const contact_manifold *pair = &contact->manifold;
    if (out->bound || contact->predicted || !stabilisation_has_position_pass(from->options->stabilisation))
        return;
    out->tilt_a = surface_tilt_of(from, pair->a, pair->normal);
    out->tilt_b = surface_tilt_of(from, pair->b, pair->normal);
    out->tilts = out->tilt_a.tilts || out->tilt_b.tilts;
}

static void fill_turn(const problem_input *from, const contact_pair *contact, contact_turn *out) {
    fill_surface(from, contact->manifold.a, &out->a);
    fill_surface(from, contact->manifold.b, &out->b);
    out->share = contact_place_share(from, contact);
    out->filled = true;
}

/* Returns the velocity in the plane of a contact's place on a body over the last step. */
static vec3s place_velocity(const problem_input *from, const contact_pair *contact, bool second,
                            const surface_turn *turn, vec3s arm) {
    const scalar h = from->motion.time_step;
    const contact_manifold *pair = &contact->manifold;
    const body_velocity v = body_velocity_before(from->bodies, second ? pair->b : pair->a);
    const vec3s before = turn->carries ? rotate(turn->back, arm)
                                       : contact_arm_turned(from, contact, second, arm, turn->back),
                way = glms_vec3_sub(arm, before);
    return in_plane(pair->normal, glms_vec3_add(v.linear, glms_vec3_scale(way, 1 / h)));
}

/* Returns the velocity in the plane at which a contact moves. */
static vec3s contact_velocity(const problem_input *from, const contact_pair *contact,
                              const contact_turn *turn, contact_arms arms) {
    vec3s out = glms_vec3_zero();
    if (turn->share < 1)
        out = glms_vec3_scale(place_velocity(from, contact, false, &turn->a, arms.a), 1 - turn->share);
    if (!(turn->share > 0)) return out;
    const vec3s of_b = place_velocity(from, contact, true, &turn->b, arms.b);
    return glms_vec3_add(out, glms_vec3_scale(of_b, turn->share));
}

/* Returns the bend G s where a contact moves at s, in the plane, beyond what the body carries. */
static vec3s slip_bend(const surface_turn *of, vec3s normal, vec3s slip) {
    const scalar angle = of->angle, half = angle / 2;
    return glms_vec3_scale(times(-half * angle * 5 / 6, half * (1 - angle * angle / 3), normal, slip),
                           of->share);
}

/* Returns the bend at the arm r, in the plane, where the contact moves at `velocity` beyond the body's
 * centre. */
static vec3s surface_bend(const surface_turn *of, vec3s normal, vec3s arm, vec3s velocity) {
    const scalar rate = of->rate;
    const vec3s carried = times(rate * of->cosine, rate * of->sine, normal, arm),
                along = times(-rate * of->cosine, rate * (of->sine - 1), normal, arm);
    return glms_vec3_add(glms_vec3_scale(along, of->share),
                         slip_bend(of, normal, glms_vec3_sub(velocity, carried)));
}

/* Returns whether a body turns under a contact at this arm, which is not along the normal: ‖r − (n·r) n‖ > 4ε
 * ‖r‖. */
static bool sweeps(const surface_turn *turn, vec3s arm, vec3s across) {
    const scalar limit = 4 * SCALAR_EPSILON;
    return turn->turns && glms_vec3_norm2(across) > limit * limit * glms_vec3_norm2(arm);
}

/* Returns the bend of a place that the body carries along, in closed form: the difference of its path and
 * h ω × r would have the rounding of r/h. */
static vec3s carried_bend(vec3s spin, vec3s arm, scalar time_step) {
    const scalar square = time_step * time_step * glms_vec3_norm2(spin);
    const turn_parts half = turn_parts_of(square);
    const vec3s across = glms_vec3_cross(spin, arm),
                along = glms_vec3_scale(across, half.sine * half.cosine - 1),
                inward =
                    glms_vec3_scale(glms_vec3_cross(spin, across), time_step * half.sine * half.sine / 2);
    const scalar share = scalar_clamp(4 * (1 - scalar_sqrt(square)), 0, 1);
    return glms_vec3_scale(glms_vec3_add(along, inward), share);
}

/* Two bodies that cohesion holds, at a contact. */
typedef struct bound_turn {
    scalar time_step;
    vec3s normal, common; /* common: the spin at which the normal turns, rad/s */
    vec3s slip;           /* in the plane, beyond the common spin, m/s */
    scalar radius_a, radius_b;
} bound_turn;

/* Sets the common spin of two bodies: that of the one that carries the contact along. The normal of two round
 * surfaces of the radii r turns at (r_a ω_a + r_b ω_b)/(r_a + r_b) where they roll on each other, and with
 * their slip. */
static bound_turn bound_turn_of(const problem_input *from, const contact_pair *contact, contact_arms arms) {
    const contact_manifold *pair = &contact->manifold;
    const body_velocity a = from->bodies->velocities[pair->a], b = from->bodies->velocities[pair->b];
    bound_turn out = {.time_step = from->motion.time_step,
                      .normal = pair->normal,
                      .radius_a = contact_place_radius(from, contact, false),
                      .radius_b = contact_place_radius(from, contact, true)};
    const scalar radii = out.radius_a + out.radius_b;
    const scalar share = isinf(out.radius_a)   ? (isinf(out.radius_b) ? (scalar)0.5 : 0)
                         : isinf(out.radius_b) ? 1
                                               : out.radius_b / radii;
    out.common = glms_vec3_add(glms_vec3_scale(a.angular, 1 - share), glms_vec3_scale(b.angular, share));
    const vec3s between = glms_vec3_sub(arms.b, arms.a),
                slip = glms_vec3_add(glms_vec3_sub(velocity_at(b, arms.b), velocity_at(a, arms.a)),
                                     carried_bend(out.common, between, out.time_step));
    out.slip = in_plane(out.normal, slip);
    if (!isinf(radii))
        out.common =
            glms_vec3_add(out.common, glms_vec3_scale(glms_vec3_cross(out.normal, out.slip), 1 / radii));
    return out;
}

static vec3s free_gain(const problem_input *from, int slot) {
    const body_array *bodies = from->bodies;
    const vec3s spin = bodies->velocities[slot].angular;
    if (joints_hold(from->joints, slot)) return glms_vec3_zero();
    return glms_vec3_sub(
        gyration_of(bodies->poses[slot], spin, bodies->masses[slot], from->motion.time_step).mean, spin);
}

/* Returns the bend of a body's surface at the arm r of a contact that turns at the common spin. */
static vec3s bound_place(const problem_input *from, const contact_pair *contact, bool second,
                         const bound_turn *of, vec3s arm) {
    const int slot = second ? contact->manifold.b : contact->manifold.a;
    const scalar h = of->time_step;
    const vec3s spin = from->bodies->velocities[slot].angular,
                free = glms_vec3_cross(free_gain(from, slot), arm);
    if (isinf(second ? of->radius_b : of->radius_a)) return glms_vec3_add(carried_bend(spin, arm, h), free);
    const vec3s own = glms_vec3_sub(spin, of->common);
    const versors turn = rotation_turned(glms_vec3_scale(own, h), versor_of(0, 0, 0, 1));
    const vec3s rolled = glms_vec3_sub(contact_arm_turned(from, contact, second, arm, turn), arm),
                rolling = glms_vec3_add(
                    glms_vec3_scale(glms_vec3_cross(own, glms_vec3_cross(of->common, arm)), h / 2),
                    glms_vec3_scale(glms_vec3_cross(spin, rolled), (scalar)0.5));
    return glms_vec3_add(glms_vec3_add(carried_bend(of->common, arm, h), rolling), free);
}

/* Bodies that cohesion holds turn as one about any axis. On tangents they would part. Where they slide on
 * each other by s, the contact moves on b at −(1 − share) s beyond what b carries, and on a at share s. */
static vec3s bound_bend(const problem_input *from, const contact_pair *contact, const contact_turn *turn,
                        contact_arms arms) {
    const bound_turn of = bound_turn_of(from, contact, arms);
    const vec3s slip = glms_vec3_sub(place_velocity(from, contact, true, &turn->b, arms.b),
                                     place_velocity(from, contact, false, &turn->a, arms.a)),
                on_b = slip_bend(&turn->b, of.normal, glms_vec3_scale(slip, turn->share - 1)),
                on_a = slip_bend(&turn->a, of.normal, glms_vec3_scale(slip, turn->share)),
                of_b = bound_place(from, contact, true, &of, arms.b),
                of_a = bound_place(from, contact, false, &of, arms.a);
    if (isinf(of.radius_a) && isinf(of.radius_b))
        return glms_vec3_sub(glms_vec3_add(of_b, on_b), glms_vec3_add(of_a, on_a));
    const scalar along = glms_vec3_dot(glms_vec3_cross(of.common, of.normal), of.slip) * of.time_step / 2;
    return glms_vec3_add(glms_vec3_sub(of_b, of_a), glms_vec3_scale(of.normal, along));
}

vec3s contact_bend_of(const problem_input *from, const contact_pair *contact, contact_turn *turn,
                      contact_arms arms) {
    if (!turn->filled) fill_turn(from, contact, turn);
    if (turn->bound) return bound_bend(from, contact, turn, arms);
    const contact_manifold *pair = &contact->manifold;
    const vec3s n = pair->normal, arm_a = in_plane(n, arms.a), arm_b = in_plane(n, arms.b);
    if (!sweeps(&turn->a, arms.a, arm_a) && !sweeps(&turn->b, arms.b, arm_b)) return glms_vec3_zero();
    const vec3s velocity = contact_velocity(from, contact, turn, arms),
                a = body_velocity_before(from->bodies, pair->a).linear,
                b = body_velocity_before(from->bodies, pair->b).linear,
                of_a = glms_vec3_sub(velocity, in_plane(n, a)),
                of_b = glms_vec3_sub(velocity, in_plane(n, b));
    return glms_vec3_sub(surface_bend(&turn->b, n, arm_b, of_b), surface_bend(&turn->a, n, arm_a, of_a));
}

/* Returns the bend of a surface that tilts, at the arm r. */
static vec3s tilt_bend(const problem_input *from, const contact_pair *contact, bool second,
                       const surface_tilt *tilt, vec3s arm) {
    if (!tilt->tilts) return glms_vec3_zero();
    const vec3s after = contact_arm_turned(from, contact, second, arm, tilt->ahead),
                halfway = glms_vec3_scale(glms_vec3_add(arm, after), (scalar)0.5);
    return glms_vec3_sub(glms_vec3_cross(tilt->mean, halfway), glms_vec3_cross(tilt->spin, arm));
}

/* Returns c·u/c², between 0 and 1. */
static scalar share_of(vec3s bend, vec3s velocity) {
    const scalar square = glms_vec3_norm2(bend);
    return square > 0 ? scalar_clamp(glms_vec3_dot(bend, velocity) / square, 0, 1) : 0;
}

vec3s contact_tilt_of(const problem_input *from, const contact_pair *contact, const contact_turn *turn,
                      contact_arms arms, vec3s slip) {
    const vec3s bend = glms_vec3_sub(tilt_bend(from, contact, true, &turn->tilt_b, arms.b),
                                     tilt_bend(from, contact, false, &turn->tilt_a, arms.a));
    const vec3s along = in_plane(contact->manifold.normal, bend), normal = glms_vec3_sub(bend, along);
    return glms_vec3_add(glms_vec3_scale(normal, share_of(normal, slip)),
                         glms_vec3_scale(along, share_of(bend, slip)));
}
