/* Contacts and problem of a step that stay on the device (stay_operations of device/backend.h). */
#pragma once

#include "world.h"

/* Returns whether the contacts of this step may stay on the device until a reader asks for them. */
bool contacts_may_stay(const step_context *step);
/* Gives a solved problem on the device the end poses of bodies in kinematic groups. Errors: those of the
 * device.
 */
scree_result away_prescribe(step_context *step);
/* Brings the contacts of the step to the host, if they are on the device, with the dropped ones. Errors:
 * those of the device, MEMORY. */
scree_result away_bring_contacts(step_context *step);
/* Tests for an excess (warm_start_find_excess) on the device. If one is suspected, brings problem and
 * contacts to the host. Errors: as above. */
scree_result away_find_excess(step_context *step, bool *suspected);
/* Adds up contacts that stay on the device for the statistics, or brings them to the host: `summed`. Errors:
 * as above. */
scree_result away_sum_contacts(step_context *step, statistic_sums *sums, bool *summed);
