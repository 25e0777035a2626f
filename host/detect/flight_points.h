/* The functions of kernels/straight_flight.h for any convex shapes. */
#pragma once

#include "flight.h"

static inline manifold_points flight_points_of(const manifold *found) {
    manifold_points out = {.count = found->count, .mean = found->mean, .normal = found->normal};
    for (int i = 0; i < found->count; i++) out.points[i] = found->points[i];
    return out;
}

static inline manifold_points flight_at(const flight *of, vec3s motion) {
    const manifold found = flight_after(of, motion);
    return flight_points_of(&found);
}

#define FLIGHT const flight *
#include "straight_flight.h"
