/* What a step does with joints beside solving them. */
#ifndef SCREE_STEP_JOINT_H
#define SCREE_STEP_JOINT_H

#include "world.h"

/* Puts the joints in order and copies their states to where the step writes. Errors: MEMORY. */
scree_result joint_step_begin(scree_world *world);
/* The step's states become the joints'; those that are loaded beyond their strength break. */
void joint_step_commit(scree_world *world);
/* Joints, those that broke in the step, the largest errors, and what they give to what does not move. */
void joint_quantities(const scree_world *world, scree_statistics *s);

/* joint_definition.c. All bodies are those of `bodies`. */

/* Checks a definition. Errors: ARGUMENT, HANDLE. */
scree_result joint_validate(const body_array *bodies, const scree_joint_def *def);
/* Whether a body of a joint is dynamic; null, the world, is not. */
bool joint_moves(const body_array *bodies, scree_body_id body);
/* Whether the joint has something to move when it is made; later its bodies can become static
 * (scree_body_set_def). Errors: ARGUMENT. */
scree_result joint_check_moves(const body_array *bodies, const scree_joint_def *def);
/* That an axis has a drive. Errors: ARGUMENT. */
scree_result joint_check_driven(const scree_joint_def *def, int axis);
/* Whether the drive of an axis can have this target. Errors: ARGUMENT. */
scree_result joint_check_target(const scree_joint_def *def, int axis, float target);
/* Whether a body that `field` names is alive, or null. Errors: HANDLE. */
scree_result joint_check_body(const body_array *bodies, const char *field, scree_body_id body);

#endif
