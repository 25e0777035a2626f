/* Time per body against the number of bodies: constant if the cost is proportional to that number. */
#pragma once

#include "measurement.h"

enum { GROWTH_SIZES = 7 };
extern const int growth_sizes[GROWTH_SIZES]; /* spheres, 10³ … 10⁶ */

/* Measures a cube of `spheres` spheres on a jittered lattice, 1.5 mm apart, that settle in a box for 40
 * steps, of which the last 10 are timed. Returns as measurement_run. */
int growth_run(int spheres, const measurement_options *options, measurement *out);
