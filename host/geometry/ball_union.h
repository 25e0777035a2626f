/* Volume and moments of a union of balls. */
#pragma once

#include "solid_moments.h"

#include <scree/core.h>

typedef struct solid_ball {
    double x, y, z, radius; /* m */
} solid_ball;

/* Relative error about 1e-7 of the union. Errors: MEMORY. */
scree_result ball_union_moments(const solid_ball *balls, int count, solid_moments *out);
