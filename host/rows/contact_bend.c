#include "contact_bend.h"

#include "body_turn.h"
#include "stabilisation.h"

#include "bound_bend.h"

#include <math.h>

static void fill_surface(const problem_input *from, int slot, surface_turn *out) {
    *out = surface_turn_filled(*out, from->bodies->velocities[slot].angular, from->motion.time_step,
                               contact_place_is_carried(from, slot));
}

static surface_tilt tilt_of(const problem_input *from, int slot, vec3s normal) {
    const body_array *bodies = from->bodies;
    const scalar h = from->motion.time_step;
    const vec3s spin = bodies->velocities[slot].angular;
    if (!contact_body_rolls(from, slot) || !body_is_dynamic(bodies, slot) || !surface_tilts(normal, spin, h))
        return (surface_tilt){.tilts = false};
    /* Joints turn the spin of a body, such as a wheel on an arm; other bodies tumble. */
    const body_turn turn = joints_hold(from->joints, slot)
                               ? body_turn_continued(bodies, slot, h)
                               : body_turn_free(bodies->poses[slot], bodies->masses[slot], spin, h);
    return surface_tilt_of(normal, turn, h);
}

/* Rows of a detection pass stand for the end of the step, others for its start. */
void contact_turn_tilt(const problem_input *from, const contact_pair *contact, contact_turn *out) {
    const contact_manifold *pair = &contact->manifold;
    if (out->bound || contact->predicted || !stabilisation_has_position_pass(from->options->stabilisation))
        return;
    out->tilt_a = tilt_of(from, pair->a, pair->normal);
    out->tilt_b = tilt_of(from, pair->b, pair->normal);
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
    const contact_manifold *pair = &contact->manifold;
    const body_velocity v = body_velocity_before(from->bodies, second ? pair->b : pair->a);
    const vec3s before =
        turn->carries ? rotate(turn->back, arm) : contact_arm_turned(from, contact, second, arm, turn->back);
    return place_velocity_of(pair->normal, v.linear, arm, before, from->motion.time_step);
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
    const vec3s spin = from->bodies->velocities[slot].angular,
                free = glms_vec3_cross(free_gain(from, slot), arm);
    if (isinf(second ? of->radius_b : of->radius_a))
        return glms_vec3_add(carried_bend(spin, arm, of->time_step), free);
    const versors turn = rotation_turned(glms_vec3_scale(glms_vec3_sub(spin, of->common), of->time_step),
                                         versor_of(0, 0, 0, 1));
    const vec3s rolled = glms_vec3_sub(contact_arm_turned(from, contact, second, arm, turn), arm);
    return glms_vec3_add(rolled_bend(*of, spin, arm, rolled), free);
}

static vec3s bound_bend(const problem_input *from, const contact_pair *contact, const contact_turn *turn,
                        contact_arms arms) {
    const contact_manifold *pair = &contact->manifold;
    const body_velocity *v = from->bodies->velocities;
    const bound_turn of =
        bound_turn_of(from->motion.time_step, pair->normal, v[pair->a], v[pair->b], arms.a, arms.b,
                      contact_place_radius(from, contact, false), contact_place_radius(from, contact, true));
    const vec3s slip = glms_vec3_sub(place_velocity(from, contact, true, &turn->b, arms.b),
                                     place_velocity(from, contact, false, &turn->a, arms.a)),
                on_b = slip_bend(turn->b, of.normal, glms_vec3_scale(slip, turn->share - 1)),
                on_a = slip_bend(turn->a, of.normal, glms_vec3_scale(slip, turn->share));
    return bound_bend_of(of, bound_place(from, contact, false, &of, arms.a),
                         bound_place(from, contact, true, &of, arms.b), on_a, on_b);
}

vec3s contact_bend_of(const problem_input *from, const contact_pair *contact, contact_turn *turn,
                      contact_arms arms) {
    if (!turn->filled) fill_turn(from, contact, turn);
    if (turn->bound) return bound_bend(from, contact, turn, arms);
    const contact_manifold *pair = &contact->manifold;
    const vec3s n = pair->normal, arm_a = vec3_in_plane(n, arms.a), arm_b = vec3_in_plane(n, arms.b);
    if (!surface_sweeps(turn->a.turns, arms.a, arm_a) && !surface_sweeps(turn->b.turns, arms.b, arm_b))
        return glms_vec3_zero();
    return contact_bend(turn->a, turn->b, n, arm_a, arm_b, contact_velocity(from, contact, turn, arms),
                        body_velocity_before(from->bodies, pair->a).linear,
                        body_velocity_before(from->bodies, pair->b).linear);
}

static vec3s tilt_bend_of(const problem_input *from, const contact_pair *contact, bool second,
                          const surface_tilt *tilt, vec3s arm) {
    return tilt->tilts ? tilt_bend(*tilt, arm, contact_arm_turned(from, contact, second, arm, tilt->ahead))
                       : glms_vec3_zero();
}

vec3s contact_tilt_of(const problem_input *from, const contact_pair *contact, const contact_turn *turn,
                      contact_arms arms, vec3s slip) {
    const vec3s bend = glms_vec3_sub(tilt_bend_of(from, contact, true, &turn->tilt_b, arms.b),
                                     tilt_bend_of(from, contact, false, &turn->tilt_a, arms.a));
    return contact_tilt(contact->manifold.normal, bend, slip);
}
