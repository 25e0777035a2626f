/* Joints during a step, except for their solution. */
#pragma once

#include "world.h"

/* Sorts the joints and copies their states to the step's arrays. Errors: MEMORY. */
scree_result joint_step_begin(scree_world *world);
/* Makes the step's states those of the joints. Joints loaded beyond their strength break. */
void joint_step_commit(scree_world *world);
/* Fills the statistics of joints: count, broken joints, the largest error, and impulses on bodies that are
 * not dynamic. */
void joint_quantities(const scree_world *world, scree_statistics *s);

/* The functions of joint_definition.c. All bodies are those of `bodies`. */

/* Checks a definition. Errors: ARGUMENT, HANDLE. */
scree_result joint_validate(const body_array *bodies, const scree_joint_def *def);
/* Returns whether a body of a joint is dynamic. The world, a null id, is not. */
bool joint_moves(const body_array *bodies, scree_body_id body);
/* Checks that a new joint has a dynamic body; its bodies may become static later (scree_body_set_def).
 * Errors: ARGUMENT. */
scree_result joint_check_moves(const body_array *bodies, const scree_joint_def *def);
/* Checks that an axis has a drive. Errors: ARGUMENT. */
scree_result joint_check_driven(const scree_joint_def *def, int axis);
/* Checks a target of the drive of an axis. Errors: ARGUMENT. */
scree_result joint_check_target(const scree_joint_def *def, int axis, float target);
/* Checks that the body in `field` is alive or null. Errors: HANDLE. */
scree_result joint_check_body(const body_array *bodies, const char *field, scree_body_id body);
