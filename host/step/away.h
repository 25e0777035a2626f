/* Contacts and problem of a step that stay on the device (stay_operations of device/backend.h). */
#pragma once

#include "statistics.h"
#include "world.h"

/* Returns whether the contacts of this step may stay on the device until a reader asks for them. */
bool contacts_may_stay(const step_context *step);
/* Decides whether the motion of the bodies stays on the device in this step, too (step_context.bodies_away), else
 * brings it. Errors: those of the device, MEMORY. */
scree_result away_begin(step_context *step);
/* Brings what is on the device of the contacts of the step, with the dropped ones, and of the motion of the bodies.
 * Errors: as above. */
scree_result away_bring_contacts(step_context *step);
/* Tests the bodies after a solve on the device (stay_operations.check): step_context.found. Errors: as above. */
scree_result away_check(step_context *step, bool weighs);
/* Tells whether there is an excess (warm_start_find_excess); bodies that are away have been tested by away_check. If one
 * is suspected, brings the problem, contacts and
 * bodies to the host. Errors: as above. */
scree_result away_find_excess(step_context *step, bool *suspected);
/* Call before the spins are updated: brings everything to the host if the statistics need it there. Errors: as above.
 */
scree_result away_prepare_end(step_context *step);
/* Adds up what stays on the device for the statistics, and updates the spins of bodies that stay there. Contacts that
 * it cannot add up are brought to the host. Errors: as above. */
scree_result away_end(step_context *step, step_sums *sums);
/* Makes the results of a step on the device the state of the bodies, whose motion stays there. */
void away_commit(backend *engine, body_array *bodies);
