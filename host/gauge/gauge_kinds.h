/* The kinds of gauges: a row each, in a file of its own. */
#ifndef SCREE_GAUGE_GAUGE_KINDS_H
#define SCREE_GAUGE_GAUGE_KINDS_H

#include "gauge.h"

#define GAUGE_COUNT_OF(figures) ((int)(sizeof(figures) / sizeof *(figures)))

extern const gauge_kind gauge_force, gauge_flow, gauge_solid_fraction, gauge_coordination, gauge_stress,
    gauge_fabric, gauge_contact_force, gauge_profile, gauge_surface, gauge_mixing, gauge_energy,
    gauge_position;

#endif
