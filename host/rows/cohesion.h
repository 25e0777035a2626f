/* Cohesive forces of contacts. */
#pragma once

#include "problem_input.h"
#include "detect/contacts.h"
#include "model/materials.h"

/* Computes the loads of a step with cohesive contacts. Writes the bodies' own loads plus the cohesive forces
 * of all touching pairs to `loads` (one per body), and the contribution of each point, h F in N s, to
 * contacts->cohesive_impulses. Sums in the order of the pairs, whatever the number of threads. Errors:
 * MEMORY. */
scree_result cohesion_apply(contact_set *contacts, const body_array *bodies, const material_table *materials,
                            scalar time_step, int threads, body_load *loads);

/* Computes `loads` again for bodies that substeps have moved on (`from`). `own` are the loads without
 * cohesion. */
void cohesion_follow(const problem_input *from, const body_load *own, scalar time_step, int threads,
                     body_load *loads);
