/* Where a contact acts on its bodies, also while a step's parts move them on. */
#ifndef SCREE_CONSTRAINT_CONTACT_POINT_H
#define SCREE_CONSTRAINT_CONTACT_POINT_H

#include "assembly.h"

/* Point i of a contact with its gap along the normal, which stays, as the bodies of the assembly stand. */
manifold_point contact_point_now(const assembly *from, const manifold *pair, int i);

/* From the centres of both bodies, m. */
typedef struct contact_arms {
    vec3s a, b;
} contact_arms;

/* To a contact's point as the bodies stand, and as its rows have them: halfway through what a table turns. */
contact_arms contact_arms_before(const assembly *from, const contact_pair *contact, vec3s point);
contact_arms contact_arms_of(const assembly *from, const contact_pair *contact, vec3s point);

#endif
