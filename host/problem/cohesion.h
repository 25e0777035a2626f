/* The pull of cohesive contacts on their bodies. */
#ifndef SCREE_PROBLEM_COHESION_H
#define SCREE_PROBLEM_COHESION_H

#include "../collide/contacts.h"
#include "../world/materials.h"

/* Adds the pull of every touching pair to `loads` (one for each body) and writes each point's part of it, h F
 * in N s, to the pairs' `pulls`. Summed in the order of the pairs. */
void cohesion_apply(contact_set *contacts, const body_array *bodies, const material_table *materials,
                    scalar time_step, body_load *loads);

#endif
