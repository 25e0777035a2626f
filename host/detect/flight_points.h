/* The functions of kernels/straight_flight.h for any convex shapes. */
#pragma once

#include "flight.h"

static inline manifold_points flight_at(const flight *of, vec3s motion) {
    const manifold found = flight_after(of, motion);
    return manifold_points_in(&found);
}

#define FLIGHT const flight *
#include "straight_flight.h"
