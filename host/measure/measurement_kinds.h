/* The kinds of gauges, each defined in its own file. */
#pragma once

#include "measurement.h"

#define MEASUREMENT_COUNT_OF(quantities) ((int)(sizeof(quantities) / sizeof *(quantities)))

extern const measurement_kind measurement_force, measurement_flow, measurement_solid_fraction,
    measurement_coordination, measurement_stress, measurement_fabric, measurement_contact_force,
    measurement_profile, measurement_surface, measurement_mixing, measurement_energy, measurement_position;
