/* Rows and blocks of a joint. Limits that nothing reaches have no rows. The places of blocks depend on the
 * definition alone, so impulses keep them from step to step. */
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
    int place; /* of its impulses in joint_state */
} joint_block_plan;

typedef struct joint_plan {
    int count;
    joint_block_plan blocks[JOINT_BLOCKS];
} joint_plan;

/* `limits`: axes, as bits, whose limits have rows. */
joint_plan joint_plan_of(const scree_joint_def *def, unsigned limits);
/* Returns the axis that row k of a block is about. */
static inline int joint_plan_axis(const joint_block_plan *block, int k) {
    return block->angular ? SCREE_AXIS_ROTATION_X + k : k;
}
