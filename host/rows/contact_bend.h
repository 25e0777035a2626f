/* Arcs of turning surfaces at contacts. */
#pragma once

#include "contact_point.h"

/* A turn about the normal of a contact by θ in the step, at the rate ω. */
typedef struct surface_turn {
    scalar rate, angle;  /* ω, rad/s; θ, rad */
    scalar sine, cosine; /* sin θ/θ, (1 − cos θ)/θ */
    scalar share;        /* of the bend that is applied */
    versors back;        /* rotation of the whole body over the step, reversed */
    bool carries;        /* the places of contacts */
    bool turns;          /* enough for a bend */
} surface_turn;

/* The turns of the bodies of a contact. */
typedef struct contact_turn {
    bool turns;
    bool held;    /* two balls that cohesion holds */
    bool bound;   /* two bodies that cohesion holds, and that carry their contacts */
    scalar share; /* contact_place_share */
    surface_turn a, b;
} contact_turn;

/* Fills the turns in place, since copies stall on store forwarding. Only `turns` and `bound` are set if both
 * are false. */
void contact_turn_of(const problem_input *from, const contact_pair *contact, contact_turn *out);
/* Returns the velocity of b's surface relative to a's at a point, averaged over the step, less that at its
 * start, m/s; in the plane of the contact, unless the bodies are bound. */
vec3s contact_bend_of(const problem_input *from, const contact_pair *contact, const contact_turn *turn,
                      contact_arms arms);
