/* Contact points and arms on bodies, including bodies that substeps have moved on. */
#pragma once

#include "held_pair.h"
#include "lever_arm.h"
#include "problem_input.h"

#include "contact_surface.h"

/* From the centres of both bodies, m. */
typedef struct contact_arms {
    vec3s a, b;
} contact_arms;

/* Returns arms that end midway between the ends of those given. */
contact_arms contact_arms_joined(const body_array *bodies, const contact_pair *contact, contact_arms arms);
/* Implements contact_point_now for bodies that have moved since detection. */
manifold_point contact_point_moved(const problem_input *from, const contact_pair *contact, int i);
/* Returns the arm to a contact on its first or second body, from that before a rotation of the body. */
vec3s contact_arm_turned(const problem_input *from, const contact_pair *contact, bool second, vec3s arm,
                         versors turn);
static inline bool contact_body_rolls(const problem_input *from, int slot) {
    return surface_rolls((int)from->bodies->shapes[slot].kind);
}
/* Returns whether a body carries the places of all its contacts along as it turns. */
bool contact_place_is_carried(const problem_input *from, int slot);
/* Returns the radius of the round surface of the first or second body at a contact, m; INFINITY where the
 * body carries the contact along. */
scalar contact_place_radius(const problem_input *from, const contact_pair *contact, bool second);
/* Returns the share to which a contact moves with its place on its second body rather than its first. */
scalar contact_place_share(const problem_input *from, const contact_pair *contact);
/* Returns point i of a contact at the bodies' current poses. Its gap is along the normal of detection. */
static inline manifold_point contact_point_now(const problem_input *from, const contact_pair *contact,
                                               int i) {
    return from->collided ? contact_point_moved(from, contact, i)
                          : contact_places(from->contacts, contact)[i];
}

/* Returns the arms to a contact's point at the bodies' current poses. Pairs of dynamic bodies have arms to a
 * common point, which conserves angular momentum; spheres across a gap, each with its own radius as arm,
 * change it in proportion to the gap, unless cohesion holds them. */
static inline contact_arms contact_arms_of(const problem_input *from, const contact_pair *contact,
                                           vec3s point) {
    const contact_arms arms = {arm_of(from->bodies, contact, false, point),
                               arm_of(from->bodies, contact, true, point)};
    return from->contacts->cohesive && held_pair_holds(from->contacts, contact)
               ? contact_arms_joined(from->bodies, contact, arms)
               : arms;
}
