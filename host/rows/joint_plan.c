#include "joint_plan.h"

/* Returns the function number `layer` of an axis, in the order of joint_row_kind. The drive of a free axis is
 * in the same layer as the lock of a locked one, so one block solves both. */
static joint_row_kind row_of(const scree_joint_axis *axis, int layer) {
    if (axis->mode != SCREE_AXIS_FREE && layer-- == 0) return JOINT_ROW_HOLD;
    if (axis->drive != SCREE_DRIVE_NONE && layer-- == 0) return JOINT_ROW_DRIVE;
    if (axis->friction > 0 && layer == 0) return JOINT_ROW_FRICTION;
    return JOINT_ROW_NONE;
}

static void add(joint_plan *plan, bool angular, joint_frame frame, joint_row_kind x, joint_row_kind y,
                joint_row_kind z) {
    if (x == JOINT_ROW_NONE && y == JOINT_ROW_NONE && z == JOINT_ROW_NONE) return;
    plan->blocks[plan->count++] = (joint_block_plan){angular, frame, {x, y, z}};
}

static bool acts(const scree_joint_axis *axis) { return row_of(axis, 0) != JOINT_ROW_NONE; }

/* Returns the frame that serves all angles (joint_geometry.h), or JOINT_FRAME_COUNT if there is none. */
static joint_frame frame_of(const scree_joint_axis *angles) {
    if (joint_axis_is_zero(&angles[1]))
        return joint_axis_is_zero(&angles[2]) ? JOINT_FRAME_BODY : JOINT_FRAME_OUTER;
    if (!acts(&angles[0])) return JOINT_FRAME_OUTER;
    return acts(&angles[2]) ? JOINT_FRAME_COUNT : JOINT_FRAME_INNER;
}

joint_plan joint_plan_of(const scree_joint_def *def) {
    enum { LAYERS = 3 };
    joint_plan plan = {0};
    const scree_joint_axis *ways = def->axes, *angles = def->axes + SCREE_AXIS_ROTATION_X;
    const joint_frame frame = frame_of(angles);
    for (int layer = 0; layer < LAYERS; layer++) {
        const joint_row_kind of[3] = {row_of(&angles[0], layer), row_of(&angles[1], layer),
                                      row_of(&angles[2], layer)};
        add(&plan, false, JOINT_FRAME_BODY, row_of(&ways[0], layer), row_of(&ways[1], layer),
            row_of(&ways[2], layer));
        if (frame != JOINT_FRAME_COUNT) {
            add(&plan, true, frame, of[0], of[1], of[2]);
            continue;
        }
        add(&plan, true, JOINT_FRAME_INNER, of[0], of[1], JOINT_ROW_NONE);
        add(&plan, true, JOINT_FRAME_OUTER, JOINT_ROW_NONE, JOINT_ROW_NONE, of[2]);
    }
    return plan;
}

void joints_number_rows(joint_array *joints) {
    joints->row_count = 0;
    for (int i = 0; i < joints->link_count; i++) {
        joints->links[i].first_row = joints->row_count;
        joints->row_count += joint_plan_of(&joints->defs[joints->links[i].joint]).count;
    }
}
