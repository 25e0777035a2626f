/* Contact points and arms on bodies, including bodies that substeps have moved on. */
#pragma once

#include "lever_arm.h"
#include "problem_input.h"

/* Implements contact_point_now for bodies that have moved since detection. */
manifold_point contact_point_moved(const problem_input *from, const contact_pair *contact, int i);
/* Returns the arm whose velocity is the mean over the step of a point that turns about the normal at `rate`,
 * rad/s. */
vec3s contact_arm_halfway(const problem_input *from, scalar rate, vec3s arm, vec3s normal);
/* Returns point i of a contact at the bodies' current poses. Its gap is along the normal of detection. */
static inline manifold_point contact_point_now(const problem_input *from, const contact_pair *contact,
                                               int i) {
    return from->collided ? contact_point_moved(from, contact, i)
                          : contact_places(from->contacts, contact)[i];
}

/* From the centres of both bodies, m. */
typedef struct contact_arms {
    vec3s a, b;
} contact_arms;

/* Returns the rate at which a body that is not dynamic turns about the normal, rad/s; 0 for a dynamic body.
 *
 * If both arms used the point velocities at the start of the step, a load on a turning table would spiral
 * outwards by (h ω)²/2 of the radius in each step. Both arms therefore turn with the table, as its load does;
 * the correction vanishes smoothly as the table comes to rest. Pairs of dynamic bodies keep arms to a common
 * point, which conserves angular momentum; spheres across a gap, each with its own radius as arm, change it
 * in proportion to the gap. */
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

/* Returns the arms that the rows of a contact use: turned with a table to the middle of the step. */
static inline contact_arms contact_arms_of(const problem_input *from, const contact_pair *contact,
                                           vec3s point) {
    const contact_manifold *pair = &contact->manifold;
    const vec3s normal = pair->normal;
    const contact_arms arms = contact_arms_before(from, contact, point);
    const scalar rate = table_rate(from, pair->a, normal) + table_rate(from, pair->b, normal);
    if (rate == 0) return arms;
    return (contact_arms){contact_arm_halfway(from, rate, arms.a, normal),
                          contact_arm_halfway(from, rate, arms.b, normal)};
}
