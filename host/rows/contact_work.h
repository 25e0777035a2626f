/* Work of contacts on the bodies between which they act. */
#pragma once

#include <scree/contact.h>

#include "problem_input.h"

typedef scree_contact_work contact_work;

/* Adds the work of the contacts of a step or substep to `sum`. The pairs hold its impulses, `after` the
 * velocities after it, `from` the bodies before it; `fraction` is its fraction of the step's time. The result
 * does not depend on the number of threads. */
void contact_work_add(const problem_input *from, const body_velocity *after, double fraction, int threads,
                      contact_work *sum);
/* Adds sums over slices of the contacts, WORK_SLICES of them. */
struct work_terms;
void contact_work_sum(const struct work_terms *works, contact_work *sum);
