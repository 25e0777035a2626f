/* What a step does with joints beside solving them. */
#ifndef SCREE_SIMULATION_JOINT_H
#define SCREE_SIMULATION_JOINT_H

#include "world.h"

/* Puts the joints in order and copies their states to where the step writes. Errors: MEMORY. */
scree_result joint_step_begin(scree_world *world);
/* The step's states become the joints'; those that are loaded beyond their strength break. */
void joint_step_commit(scree_world *world);
/* Joints, those that broke in the step, and the largest errors. */
void joint_figures(const scree_world *world, scree_statistics *s);
/* Checks a definition; the bodies are those of `bodies`. Errors: ARGUMENT, HANDLE. */
scree_result joint_validate(const body_array *bodies, const scree_joint_def *def);

#endif
