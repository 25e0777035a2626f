/* Substeps (`substep`): contacts are detected once per step, and each substep makes two sweeps. */
#pragma once

#include "rows/problem.h"

#include <scree/statistics.h>

typedef struct step_context step_context;

/* Scratch: state of the bodies at the start of a substep, unused poses, and the summed impulses in the frames
 * of the blocks and in world axes. */
typedef struct substep_scratch {
    int pose_capacity, spare_capacity, velocity_capacity, impulse_capacity, sum_capacity;
    body_pose *poses, *spare;
    int remainder_capacity, spare_remainder_capacity;
    body_remainder *remainders, *spare_remainders;
    body_velocity *velocities;
    block_impulse *impulses;
    vec3s *sums;
} substep_scratch;

/* Returns the number of substeps under these options. */
int substep_count(const scree_solver_def *options);

/* Runs all substeps. The problem is assembled for the first of them, and `from` is its assembly, with bodies
 * that have all loads. Writes the final state of the bodies to the step's next poses and velocities, and the
 * summed impulses to the contacts and joints. */
scree_result substep_run(step_context *step, const problem_input *from);

void substep_release(substep_scratch *self);
