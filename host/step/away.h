/* Contacts and problem of a step that stay on the device (stay_operations of device/backend.h). */
#pragma once

#include "statistics.h"
#include "world.h"

/* Why sums over contacts are made on the host. */
#define AWAY_WITHOUT_DOUBLE "the device has no double precision"

/* Returns why contacts that the device finds in this step must not stay there; NULL: they may, until a reader
 * asks for them. The text ends a sentence. */
const char *away_barrier(const step_context *step);
/* Decides whether the contacts of this step may stay on the device (step_context.stay_barrier), and the
 * motion of the bodies, too (step_context.bodies_away), else brings the motion. Errors: those of the device,
 * MEMORY.
 */
scree_result away_begin(step_context *step);
/* Gives a solved problem on the device the end poses of bodies in kinematic groups. Errors: those of the
 * device. */
scree_result away_prescribe(step_context *step);
/* Assembles the problem of the step on the device, or brings its contacts because the device cannot hold it.
 * Errors: as above, CAPACITY. */
scree_result away_assemble(step_context *step, const problem_input *from);
/* Does what held_pairs_settle does, while the contacts stay on the device and the motion does not. Errors: as
 * above.
 */
scree_result away_settle_pairs(step_context *step);
/* Brings what is on the device of the contacts of the step, with the dropped ones, and of the motion of the
 * bodies. `reason`: scree_statistics.stay_barrier, unless there is one already. Errors: as above. */
scree_result away_bring_contacts(step_context *step, const char *reason);
/* Tests the bodies after a solve on the device (stay_operations.check): step_context.found. Errors: as above.
 */
scree_result away_check(step_context *step, bool weighs);
/* Tells whether there is an excess (warm_start_find_excess); bodies that are away have been tested by
 * away_check. If one is suspected, brings the problem, contacts and bodies to the host. Errors: as above. */
scree_result away_find_excess(step_context *step, bool *suspected);
/* Adds up what stays on the device for the statistics, and updates the spins of bodies that stay there.
 * Contacts that it cannot add up are brought to the host. Errors: as above. */
scree_result away_end(step_context *step, step_sums *sums);
/* Makes the results of a step on the device the state of the bodies, whose motion stays there. */
void away_commit(backend *engine, body_array *bodies);
