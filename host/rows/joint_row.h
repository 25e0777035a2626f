/* One row of a joint: u + bias + compliance r, with r between bounds. */
#pragma once

#include "joint_plan.h"

#include <scree/solver.h>

/* In units of the block's rows: velocities in m/s, impulses in N s. */
typedef struct joint_row {
    scalar low, high, bias, compliance, closing, push_low, push_high;
    scalar relaxed_compliance; /* for the relax sweep of `substep`, whose bias is `closing` */
} joint_row;

/* Inputs of a row. */
typedef struct joint_row_source {
    const scree_solver_def *options;
    const scree_joint_axis *axis;
    scalar target; /* of the drive at the end of the step */
    scalar low;    /* lower limit (joint_axis_low) */
    int side;      /* limit that acts: −1 lower, 1 upper, 0 the one that the free motion ends nearer to */
    scalar time_step;
    scalar scale;     /* row velocity over rate of the coordinate: 1 (translation), s cβ or s (rotation) */
    scalar position;  /* coordinate, m or rad */
    scalar rate;      /* its rate before the step (body_velocity_before), m/s or rad/s */
    scalar free_rate; /* its rate after the step if no row acted, m/s or rad/s */
    /* Mean rate in the motion for which the row is linearised, less the initial rate. */
    scalar bend;
    scalar mobility; /* A of the row, 1/kg */
    /* Translation: lower bound of A over all arms; rotation: A. 1/kg. */
    scalar least_mobility;
} joint_row_source;

joint_row joint_row_of(joint_row_kind kind, const joint_row_source *from);
