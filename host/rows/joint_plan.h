/* Rows and blocks of a joint. They depend on its definition alone, so impulses keep their places from step to
 * step. */
#pragma once

#include "joint_geometry.h"

/* Purpose of a row. */
typedef enum joint_row_kind {
    JOINT_ROW_NONE,
    JOINT_ROW_HOLD,
    JOINT_ROW_DRIVE,
    JOINT_ROW_FRICTION
} joint_row_kind;

/* Rows 0, 1, 2 are those of x, y, z or α, β, γ. */
typedef struct joint_block_plan {
    bool angular;
    joint_frame frame; /* of angular rows */
    joint_row_kind rows[3];
} joint_block_plan;

typedef struct joint_plan {
    int count;
    joint_block_plan blocks[JOINT_BLOCKS];
} joint_plan;

joint_plan joint_plan_of(const scree_joint_def *def);

/* Numbers the bounded rows of the active joints, in the order of joints_order. */
void joints_number_rows(joint_array *joints);
