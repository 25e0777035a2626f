/* A step as it would end: the bodies at its beginning, and their predicted poses and velocities. */
#pragma once

#include "state/bodies.h"

typedef struct motion_ahead {
    const body_array *bodies;
    const body_pose *poses;
    const body_velocity *velocities;
    scalar margin, time_step; /* with which contacts were detected */
    scalar smallest;          /* bounds_smallest_half_width */
    bool again;               /* a search over swept boxes has run since contacts were detected */
} motion_ahead;
