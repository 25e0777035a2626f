/* Where a contact acts on its bodies, also while a step's parts move them on. */
#ifndef SCREE_ROWS_CONTACT_POINT_H
#define SCREE_ROWS_CONTACT_POINT_H

#include "lever_arm.h"
#include "problem_input.h"

/* The same where the assembly is of bodies that have moved on. */
manifold_point contact_point_moved(const problem_input *from, const contact_pair *contact, int i);
/* Of what turns about the normal by a rate, the arm whose velocity is a point's mean over the step. */
vec3s contact_arm_halfway(const problem_input *from, scalar rate, vec3s arm, vec3s normal);
/* Point i of a contact with its gap along the normal, which stays, as the bodies of the assembly stand. */
static inline manifold_point contact_point_now(const problem_input *from, const contact_pair *contact,
                                               int i) {
    return from->collided ? contact_point_moved(from, contact, i)
                          : contact_places(from->contacts, contact)[i];
}

/* From the centres of both bodies, m. */
typedef struct contact_arms {
    vec3s a, b;
} contact_arms;

/* What a turning table carries would spiral out by (h ω)²/2 of the radius in each step if both followed the
 * velocities of their points at its start. Both arms turn as the table does, which is how what it carries
 * turns, so that a table that comes to rest is a floor by degrees. Pairs that move freely keep arms to a
 * common point, and with them their angular momentum; spheres across a gap, each with its own radius, change
 * it by the gap's share. */
static inline scalar table_rate(const problem_input *from, int slot, vec3s normal) {
    if (body_is_dynamic(from->bodies, slot)) return 0;
    return glms_vec3_dot(from->bodies->velocities[slot].angular, normal);
}

/* To a contact's point as the bodies stand. */
static inline contact_arms contact_arms_before(const problem_input *from, const contact_pair *contact,
                                               vec3s point) {
    return (contact_arms){arm_of(from->bodies, contact, false, point),
                          arm_of(from->bodies, contact, true, point)};
}

/* The same as its rows have them: halfway through what a table turns. */
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

#endif
