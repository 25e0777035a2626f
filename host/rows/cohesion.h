/* The pull of cohesive contacts on their bodies. */
#ifndef SCREE_ROWS_COHESION_H
#define SCREE_ROWS_COHESION_H

#include "problem_input.h"
#include "detect/contacts.h"
#include "model/materials.h"

/* The loads of a step with cohesive contacts: writes the bodies' own loads and the pull of every touching
 * pair on them to `loads` (one for each body), and each point's part of it, h F in N s, to contacts->pulls.
 * Summed in the order of the pairs, by any number of threads. Errors: MEMORY. */
scree_result cohesion_apply(contact_set *contacts, const body_array *bodies, const material_table *materials,
                            scalar time_step, int threads, body_load *loads);

/* The same pulls where the parts of a step have moved its bodies on, as `from` says: `own` are the loads
 * without them. */
void cohesion_follow(const problem_input *from, const body_load *own, scalar time_step, int threads,
                     body_load *loads);

#endif
