/* Arcs of turning surfaces at contacts (kernels/surface_bend.h). */
#pragma once

#include "contact_point.h"
#include "surface_bend.h"

/* The turns of the bodies of a contact. */
typedef struct contact_turn {
    bool turns;   /* whether its points may have a bend */
    bool filled;  /* whether `share` is set, and a and b beyond `turns` and `rate` */
    bool bound;   /* two bodies that cohesion holds */
    scalar least; /* accelerations without a bend, m/s² */
    scalar share; /* contact_place_share */
    surface_turn a, b;
    bool tilts; /* whether a bend of all rows is needed; else the next two are not set */
    surface_tilt tilt_a, tilt_b;
} contact_turn;

/* Sets whether a body turns under a contact (surface_turns). */
static inline void surface_turn_begin(const problem_input *from, int slot, vec3s normal, surface_turn *out) {
    out->rate = glms_vec3_dot(from->bodies->velocities[slot].angular, normal);
    out->turns =
        surface_turns(out->rate, from->motion.time_step) && !shape_is_ball(from->bodies->shapes[slot]);
}

/* Sets the tilts of a contact of round bodies. */
void contact_turn_tilt(const problem_input *from, const contact_pair *contact, contact_turn *out);

/* Returns whether a body may turn for long with what it carries, such as a table, so that small bends add up.
 */
static inline bool surface_is_driven(const problem_input *from, int slot) {
    return from->bodies->types[slot] == SLOT_KINEMATIC || joints_hold(from->joints, slot);
}

/* Sets in place what is needed to find whether a contact turns; most do not. */
static inline void contact_turn_begin(const problem_input *from, const contact_pair *contact,
                                      contact_turn *out) {
    const contact_manifold *pair = &contact->manifold;
    out->filled = out->tilts = false;
    surface_turn_begin(from, pair->a, pair->normal, &out->a);
    surface_turn_begin(from, pair->b, pair->normal, &out->b);
    out->bound = from->contacts->cohesive && held_pair_holds(from->contacts, contact);
    out->turns = out->bound || out->a.turns || out->b.turns;
    if (contact_body_rolls(from, pair->a) || contact_body_rolls(from, pair->b))
        contact_turn_tilt(from, contact, out);
    if (!out->turns) return;
    out->least = surface_is_driven(from, pair->a) || surface_is_driven(from, pair->b)
                     ? 0
                     : BEND_GRAVITY * glms_vec3_norm(from->motion.gravity);
}

/* Returns whether the bend at a point may not be neglected. `slip`: velocity of b's surface relative to a's.
 */
static inline bool contact_turn_bends(const contact_turn *turn, contact_arms arms, vec3s slip) {
    if (!turn->turns || turn->bound) return turn->turns;
    return surface_bends(turn->a.rate, turn->b.rate, arms.a, arms.b, slip, turn->least);
}

/* Returns the velocity of b's surface relative to a's at a point, averaged over the step, less that at its
 * start, m/s; in the plane of the contact, unless the bodies are bound. */
vec3s contact_bend_of(const problem_input *from, const contact_pair *contact, contact_turn *turn,
                      contact_arms arms);
/* Returns the bend of surfaces that tilt, for all rows, m/s. `slip`: velocity of b's surface relative to a's
 * before the step, less its other bend. */
vec3s contact_tilt_of(const problem_input *from, const contact_pair *contact, const contact_turn *turn,
                      contact_arms arms, vec3s slip);
