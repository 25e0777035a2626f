/* Step statistics from the world's state: counts, penetration, energies, momenta. */
#pragma once

#include "world.h"

#include "step_sums.h"

/* Fills all of `s` except pairs, the solve report, the verification, the stages, the traffic and the timing.
 * `contacts`: their sums, if a device has made them; else null. The sums do not depend on the number of
 * threads, and are those of opencl_sums (step_sums.h). */
void statistics_fill(const scree_world *world, const statistic_sums *contacts, scree_statistics *s);
/* Ends the log of a step, and fills the stages, the device's traffic and the timing but `first_solve`. */
void statistics_end(scree_world *world, scree_statistics *s);

/* Store the sums over bodies and over contacts. */
void statistics_of_bodies(statistic_sums sums, scree_statistics *s);
void statistics_of_contacts(statistic_sums sums, scree_statistics *s);
