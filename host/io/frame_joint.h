/* A joint as stored in a frame's file. */
#pragma once

#include "frame_file.h"

typedef struct frame_joint_row {
    scree_frame_joint joint;
    int32_t kind, broken;
    float orientation[4]; /* joint frame on a; w, x, y, z: the order of VTK's glyphs */
} frame_joint_row;

frame_joint_row frame_joint_to_row(const scree_frame_joint *joint);
/* Converts a row back. Checks the file's values, since pictures are drawn from them. Errors: FORMAT. */
scree_result frame_joint_from_row(const frame_joint_row *row, scree_frame_joint *out);
