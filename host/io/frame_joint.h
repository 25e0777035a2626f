/* A joint as it stands in a frame's file. */
#ifndef SCREE_IO_FRAME_JOINT_H
#define SCREE_IO_FRAME_JOINT_H

#include "frame_file.h"

typedef struct frame_joint_row {
    scree_frame_joint joint;
    int32_t kind, broken;
    float orientation[4]; /* of the frame on a, w, x, y, z: the order of VTK's glyphs */
} frame_joint_row;

frame_joint_row frame_joint_to_row(const scree_frame_joint *joint);
/* The other way; what the file claims is checked, since pictures are drawn from it. Errors: FORMAT. */
scree_result frame_joint_from_row(const frame_joint_row *row, scree_frame_joint *out);

#endif
