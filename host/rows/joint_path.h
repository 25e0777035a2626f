/* Way of a joint's coordinates through a step at constant velocities: which limits it reaches, and when. */
#pragma once

#include "joint_geometry.h"

/* A joint's bodies, in the order of its definition, at constant velocities. */
typedef struct joint_motion {
    body_pose a, b; /* at the beginning of the step; b's: the image that the joint holds */
    body_velocity velocity_a, velocity_b;
    scalar time_step;
} joint_motion;

typedef struct joint_path {
    /* Fraction of the step at which a coordinate leaves its limits; INFINITY: it does not. A coordinate that
     * is outside at the beginning and moves further out leaves at 0. */
    scalar leaves[SCREE_AXIS_COUNT];
    bool upper[SCREE_AXIS_COUNT];    /* whether it leaves at its upper limit */
    scalar beyond[SCREE_AXIS_COUNT]; /* largest violation less that of the beginning, m or rad */
    joint_geometry end;
} joint_path;

/* Returns the bodies after a fraction of the step. */
joint_motion joint_motion_after(const joint_motion *motion, scalar fraction);
/* Returns the axes, as bits, whose limits a motion of up to `factor` times this one may reach. */
unsigned joint_path_reach(const scree_joint_def *def, const joint_geometry *at, const joint_motion *motion,
                          scalar factor);
/* Returns whether the directions of limited rows turn so little that those at the beginning serve. */
bool joint_path_is_straight(const scree_joint_def *def, const joint_geometry *at, const joint_motion *motion);
/* Follows the coordinates of `axes` (bits) through the step. */
joint_path joint_path_of(const scree_joint_def *def, const joint_geometry *at, const joint_motion *motion,
                         unsigned axes);
