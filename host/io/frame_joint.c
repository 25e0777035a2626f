#include "frame_joint.h"

#include <stddef.h>

#define JOINT(field) offsetof(frame_joint_row, field)

static const scree_column position[] = {{"Points", SCREE_VALUE_FLOAT, 3, JOINT(joint.state.point_b)}};
static const frame_column columns[] = {
    {FRAME_ALWAYS, {"id", SCREE_VALUE_UINT32, 1, JOINT(joint.id.index)}},
    {FRAME_ALWAYS, {"generation", SCREE_VALUE_UINT32, 1, JOINT(joint.id.generation)}},
    {FRAME_ALWAYS, {"kind", SCREE_VALUE_INT32, 1, JOINT(kind)}},
    {FRAME_ALWAYS, {"body_a", SCREE_VALUE_UINT32, 1, JOINT(joint.a.index)}},
    {FRAME_ALWAYS, {"generation_a", SCREE_VALUE_UINT32, 1, JOINT(joint.a.generation)}},
    {FRAME_ALWAYS, {"body_b", SCREE_VALUE_UINT32, 1, JOINT(joint.b.index)}},
    {FRAME_ALWAYS, {"generation_b", SCREE_VALUE_UINT32, 1, JOINT(joint.b.generation)}},
    {FRAME_ALWAYS, {"anchor_a", SCREE_VALUE_FLOAT, 3, JOINT(joint.state.point_a)}},
    {FRAME_ALWAYS, {"orientation", SCREE_VALUE_FLOAT, 4, JOINT(orientation)}},
    {FRAME_ALWAYS, {"coordinates", SCREE_VALUE_FLOAT, SCREE_AXIS_COUNT, JOINT(joint.state.position)}},
    {FRAME_ALWAYS, {"rates", SCREE_VALUE_FLOAT, SCREE_AXIS_COUNT, JOINT(joint.state.velocity)}},
    {FRAME_ALWAYS, {"force", SCREE_VALUE_FLOAT, 3, JOINT(joint.state.force)}},
    {FRAME_ALWAYS, {"torque", SCREE_VALUE_FLOAT, 3, JOINT(joint.state.torque)}},
    {FRAME_ALWAYS, {"error", SCREE_VALUE_FLOAT, 1, JOINT(joint.state.error)}},
    {FRAME_ALWAYS, {"angle_error", SCREE_VALUE_FLOAT, 1, JOINT(joint.state.angle_error)}},
    {FRAME_ALWAYS, {"broken", SCREE_VALUE_INT32, 1, JOINT(broken)}},
};
_Static_assert(sizeof columns / sizeof *columns <= FRAME_COLUMNS_MOST,
               "FRAME_COLUMNS_MOST fits a joint's columns");

static const scree_table position_table = {"joints", position, 1, sizeof(frame_joint_row)};

const frame_group frame_joints = {"joints",
                                  "joints.xdmf",
                                  "joints",
                                  "joints/PointData",
                                  &position_table,
                                  columns,
                                  sizeof columns / sizeof *columns,
                                  sizeof(frame_joint_row),
                                  offsetof(frame_summary, joints)};

frame_joint_row frame_joint_to_row(const scree_frame_joint *joint) {
    const scree_quat q = joint->frame;
    return (frame_joint_row){.joint = *joint,
                             .kind = (int32_t)joint->kind,
                             .broken = joint->state.broken,
                             .orientation = {q.w, q.x, q.y, q.z}};
}

scree_result frame_joint_from_row(const frame_joint_row *row, scree_frame_joint *out) {
    const float *q = row->orientation;
    if (row->kind < 0 || row->kind >= SCREE_JOINT_KIND_COUNT)
        return fail(SCREE_ERROR_FORMAT, "kind: %d; unknown", (int)row->kind);
    *out = row->joint;
    out->kind = (scree_joint_kind)row->kind;
    out->state.broken = row->broken != 0;
    out->frame = (scree_quat){q[1], q[2], q[3], q[0]};
    return SCREE_OK;
}
