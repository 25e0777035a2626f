/* Checks of joints. All bodies are those of `bodies`. */
#pragma once

#include "state/joints.h"

/* Checks a definition. Errors: ARGUMENT, HANDLE. */
scree_result joint_validate(const body_array *bodies, const scree_joint_def *def);
/* Checks that a new joint has a dynamic body; its bodies may become static later (scree_body_set_def).
 * Errors: ARGUMENT. */
scree_result joint_check_moves(const body_array *bodies, const scree_joint_def *def);
/* Checks that an axis has a drive. Errors: ARGUMENT. */
scree_result joint_check_driven(const scree_joint_def *def, int axis);
/* Checks a target of the drive of an axis. Errors: ARGUMENT. */
scree_result joint_check_target(const scree_joint_def *def, int axis, float target);
/* Checks that the body in `field` is alive or null. Errors: HANDLE. */
scree_result joint_check_body(const body_array *bodies, const char *field, scree_body_id body);
