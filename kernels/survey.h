/* Numbers of the bodies that the unit of mass follows from (host/rows/problem.c). */
#ifndef SCREE_KERNELS_SURVEY_H
#define SCREE_KERNELS_SURVEY_H

#include "dialect.h"

/* Histogram of accelerations by exponent. */
enum { SURVEY_LEAST = -64, SURVEY_KINDS = 128 };

SHARED scalar largest_component(vec3s v) {
    return scalar_max(scalar_abs(v.x), scalar_max(scalar_abs(v.y), scalar_abs(v.z)));
}

/* Returns where the histogram counts an acceleration, m/s², or −1. */
SHARED int acceleration_kind(scalar acceleration) {
    if (!(acceleration > 0)) return -1;
    const int kind = scalar_exponent(acceleration) - SURVEY_LEAST;
    return kind < 0 ? -1 : kind < SURVEY_KINDS ? kind : SURVEY_KINDS - 1;
}

#endif
