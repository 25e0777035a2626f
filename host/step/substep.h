/* A step in parts (`substep`): contacts are found once, and each part is swept twice. */
#ifndef SCREE_STEP_SUBSTEP_H
#define SCREE_STEP_SUBSTEP_H

#include "rows/problem.h"

#include <scree/statistics.h>

/* Where the bodies are at the start of a part; poses that nobody wants; and the impulses of all parts,
 * in the frames of blocks and in world axes. */
typedef struct substep_scratch {
    int pose_capacity, spare_capacity, velocity_capacity, impulse_capacity, sum_capacity;
    body_pose *poses, *spare;
    body_velocity *velocities;
    block_impulse *impulses;
    vec3s *sums;
} substep_scratch;

/* Parts of a step under these options. */
int substep_count(const scree_solver_def *options);

/* Makes all parts of a step whose problem is assembled for the first of them, `from` says from what and for
 * which part of the time; `bodies` with all loads. The bodies' state after the step goes to the world's next
 * poses and velocities, the sum of the impulses back to the contacts and joints. */
scree_result substep_run(scree_world *world, const problem_input *from, const body_array *bodies,
                         scree_statistics *s);

void substep_release(substep_scratch *self);

#endif
