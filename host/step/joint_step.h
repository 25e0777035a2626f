/* Joints during a step, except for their solution. */
#pragma once

#include "rows/joint_geometry.h"
#include "world.h"

/* Sorts the joints, copies their states to the step's arrays and finds the targets of their drives at `end`,
 * the time at the end of the step, s. Errors: MEMORY. */
scree_result joint_step_begin(world_state *state, double end);
/* Copies the states of the step to the joints. Joints loaded beyond their strength break. */
void joint_step_commit(joint_array *joints);
/* Fills the statistics of joints: count, broken joints, the largest error, and impulses on bodies that are
 * not dynamic. */
void joint_quantities(const scree_world *world, scree_statistics *s);

/* Returns the geometry at the bodies' present poses, with coordinates near the known ones. */
joint_geometry joint_geometry_now(const scree_world *world, int place);
/* Computes the violation of the hard locks and limits: translations (m) and rotations (rad). */
void joint_errors(const scree_joint_def *def, const joint_geometry *at, float *ways, float *angles);
