#include "joint_plan.h"

/* Returns the function number `layer` of an axis, in the order of joint_row_kind. The drive of a free axis is
 * in the same layer as the lock of a locked one, so one block solves both. */
static joint_row_kind row_of(const scree_joint_axis *axis, int layer) {
    if (axis->mode != SCREE_AXIS_FREE && layer-- == 0) return JOINT_ROW_HOLD;
    if (axis->drive != SCREE_DRIVE_NONE && layer-- == 0) return JOINT_ROW_DRIVE;
    if (axis->friction > 0 && layer == 0) return JOINT_ROW_FRICTION;
    return JOINT_ROW_NONE;
}

/* A plan in progress. */
typedef struct plan_draft {
    joint_plan plan;
    const scree_joint_axis *axes;
    unsigned limits;
    int places;
} plan_draft;

static bool is_left_out(const plan_draft *self, const joint_block_plan *block, int k) {
    const int axis = joint_plan_axis(block, k);
    return block->rows[k] == JOINT_ROW_HOLD && !(self->limits >> axis & 1) &&
           !joint_axis_is_locked(&self->axes[axis]);
}

static bool is_empty(const joint_block_plan *block) {
    return block->rows[0] == JOINT_ROW_NONE && block->rows[1] == JOINT_ROW_NONE &&
           block->rows[2] == JOINT_ROW_NONE;
}

/* Adds a block unless all its rows are left out. */
static void add(plan_draft *self, joint_block_plan block) {
    if (is_empty(&block)) return;
    block.place = self->places++;
    for (int k = 0; k < 3; k++)
        if (is_left_out(self, &block, k)) block.rows[k] = JOINT_ROW_NONE;
    if (!is_empty(&block)) self->plan.blocks[self->plan.count++] = block;
}

static bool acts(const scree_joint_axis *axis) { return row_of(axis, 0) != JOINT_ROW_NONE; }

/* Returns the frame that serves all angles (joint_geometry.h), or JOINT_FRAME_COUNT if there is none. */
static joint_frame frame_of(const scree_joint_axis *angles) {
    if (joint_axis_is_zero(&angles[1]))
        return joint_axis_is_zero(&angles[2]) ? JOINT_FRAME_BODY : JOINT_FRAME_OUTER;
    if (!acts(&angles[0])) return JOINT_FRAME_OUTER;
    return acts(&angles[2]) ? JOINT_FRAME_COUNT : JOINT_FRAME_INNER;
}

/* Returns the largest number of functions that an axis has. */
static int layers_of(const scree_joint_axis *axes) {
    int most = 0;
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) {
        const int own =
            (axes[i].mode != SCREE_AXIS_FREE) + (axes[i].drive != SCREE_DRIVE_NONE) + (axes[i].friction > 0);
        most = own > most ? own : most;
    }
    return most;
}

joint_plan joint_plan_of(const scree_joint_def *def, unsigned limits) {
    plan_draft draft = {.axes = def->axes, .limits = limits};
    const scree_joint_axis *ways = def->axes, *angles = def->axes + SCREE_AXIS_ROTATION_X;
    const joint_frame frame = frame_of(angles);
    const joint_row_kind none = JOINT_ROW_NONE;
    const int layers = layers_of(def->axes);
    for (int layer = 0; layer < layers; layer++) {
        const joint_row_kind x = row_of(&angles[0], layer), y = row_of(&angles[1], layer),
                             z = row_of(&angles[2], layer);
        add(&draft, (joint_block_plan){
                        .rows = {row_of(&ways[0], layer), row_of(&ways[1], layer), row_of(&ways[2], layer)}});
        if (frame != JOINT_FRAME_COUNT) {
            add(&draft, (joint_block_plan){.angular = true, .frame = frame, .rows = {x, y, z}});
            continue;
        }
        add(&draft, (joint_block_plan){.angular = true, .frame = JOINT_FRAME_INNER, .rows = {x, y, none}});
        add(&draft, (joint_block_plan){.angular = true, .frame = JOINT_FRAME_OUTER, .rows = {none, none, z}});
    }
    return draft.plan;
}
