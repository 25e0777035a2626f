/* Contact points and arms on bodies, including bodies that substeps have moved on. */
#pragma once

#include "lever_arm.h"
#include "problem_input.h"

/* From the centres of both bodies, m. */
typedef struct contact_arms {
    vec3s a, b;
} contact_arms;

/* Implements contact_point_now for bodies that have moved since detection. */
manifold_point contact_point_moved(const problem_input *from, const contact_pair *contact, int i);
/* Returns the arms that the rows of a contact use if one body, the second or the first, is a table: it is not
 * dynamic and turns about the normal. */
contact_arms contact_arms_on_table(const problem_input *from, const contact_pair *contact, bool second,
                                   contact_arms arms);
/* Returns point i of a contact at the bodies' current poses. Its gap is along the normal of detection. */
static inline manifold_point contact_point_now(const problem_input *from, const contact_pair *contact,
                                               int i) {
    return from->collided ? contact_point_moved(from, contact, i)
                          : contact_places(from->contacts, contact)[i];
}

/* Returns the rate at which a body that is not dynamic turns about the normal, rad/s; 0 for a dynamic body.
 */
static inline scalar table_rate(const problem_input *from, int slot, vec3s normal) {
    if (body_is_dynamic(from->bodies, slot)) return 0;
    return glms_vec3_dot(from->bodies->velocities[slot].angular, normal);
}

/* Returns the arms to a contact's point at the bodies' current poses. */
static inline contact_arms contact_arms_before(const problem_input *from, const contact_pair *contact,
                                               vec3s point) {
    return (contact_arms){arm_of(from->bodies, contact, false, point),
                          arm_of(from->bodies, contact, true, point)};
}

/* Returns the arms that the rows of a contact use. Pairs of dynamic bodies keep arms to a common point, which
 * conserves angular momentum; spheres across a gap, each with its own radius as arm, change it in proportion
 * to the gap. */
static inline contact_arms contact_arms_of(const problem_input *from, const contact_pair *contact,
                                           vec3s point) {
    const contact_manifold *pair = &contact->manifold;
    const contact_arms arms = contact_arms_before(from, contact, point);
    const scalar of_a = table_rate(from, pair->a, pair->normal),
                 of_b = table_rate(from, pair->b, pair->normal);
    if (of_a == 0 && of_b == 0) return arms;
    return contact_arms_on_table(from, contact, of_b != 0, arms);
}
