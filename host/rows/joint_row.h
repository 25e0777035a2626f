/* One row of a joint: the numbers of u + bias + compliance r between its bounds. */
#ifndef SCREE_ROWS_JOINT_ROW_H
#define SCREE_ROWS_JOINT_ROW_H

#include "joint_plan.h"

#include <scree/solver.h>

/* In the units of the block's rows: velocities m/s, impulses N s. */
typedef struct joint_row {
    scalar low, high, bias, compliance, closing, push_low, push_high;
    scalar relaxed_compliance; /* of the relax sweep of `substep`, whose bias is `closing` */
} joint_row;

/* What a row is made from. */
typedef struct joint_row_source {
    const scree_solver_def *options;
    const scree_joint_axis *axis;
    scalar time_step;
    scalar scale;     /* row velocity over the coordinate's rate: 1 of ways, s cβ or s of angles */
    scalar position;  /* the coordinate, m or rad */
    scalar rate;      /* its velocity before the step (body_velocity_before), m/s or rad/s */
    scalar free_rate; /* its velocity after the step if no row acted, m/s or rad/s */
    scalar
        bend; /* by what its mean rate over the step, at the velocities before it, is above its rate then */
    scalar mobility; /* A of the row, 1/kg */
    scalar
        least_mobility; /* of a row of ways what A has at least in any direction, whatever the arms; else A */
} joint_row_source;

joint_row joint_row_of(joint_row_kind kind, const joint_row_source *from);

#endif
