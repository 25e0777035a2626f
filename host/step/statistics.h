/* Step statistics from the world's state: counts, penetration, energies, momenta. */
#pragma once

#include "world.h"

#include "step_sums.h"

/* Sums over bodies and contacts that a device has made; those that it has not are made on the host. */
typedef struct step_sums {
    bool has_bodies, has_contacts;
    statistic_sums bodies, contacts;
} step_sums;

/* Fills all of `s` except pairs, the solve report, the verification, the stages, the traffic and the timing.
 * `sums` may be null. The sums do not depend on the number of threads, and are those of opencl_sums
 * (kernels/step_sums.h). */
void statistics_fill(const scree_world *world, const step_sums *sums, scree_statistics *s);
/* Ends the log of a step, and fills the stages, the device's traffic and the timing but `first_solve`. */
void statistics_end(scree_world *world, scree_statistics *s);

/* Store the sums over bodies and over contacts. */
void statistics_of_bodies(statistic_sums sums, scree_statistics *s);
void statistics_of_contacts(statistic_sums sums, scree_statistics *s);
