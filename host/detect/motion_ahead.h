/* A step as it would end: bodies as they stand at its beginning, and where they would get to. */
#ifndef SCREE_DETECT_MOTION_AHEAD_H
#define SCREE_DETECT_MOTION_AHEAD_H

#include "state/bodies.h"

typedef struct motion_ahead {
    const body_array *bodies;
    const body_pose *poses;
    const body_velocity *velocities;
    scalar margin, time_step; /* what contacts were made with */
    scalar smallest;          /* bounds_smallest_half_width */
    bool again;               /* a search has gone by such a motion since contacts were made */
} motion_ahead;

#endif
