/* The end of a step on the device (kernels/commit.cl): what gyroscopic_update and
 * kinematic_step_set_end_poses (step/) do with the bodies. No call waits. Errors: KERNEL_BUILD, DEVICE,
 * DEVICE_MEMORY. */
#pragma once

#include "opencl_primitives.h"

#include "layout.h"

/* Places of bodies of kinematic groups at the end of a step, on the host. */
typedef struct prescribed_places {
    cl_uint count;
    const cl_int *slots; /* each at most once */
    const body_pose *poses;
    const body_remainder *remainders;
} prescribed_places;

typedef struct opencl_commit {
    opencl_primitives *primitives;
    opencl_buffer slots, poses, remainders; /* prescribed */
} opencl_commit;

/* `primitives` outlive the commit. */
void opencl_commit_open(opencl_commit *self, opencl_primitives *primitives);
/* A zeroed struct is allowed. */
void opencl_commit_close(opencl_commit *self);

/* Sends the places, which are known before the step, and must not change before the next wait. */
scree_result opencl_commit_send(opencl_commit *self, const prescribed_places *places);
/* Writes the places that were sent. One launch; none if there are no places. */
scree_result opencl_commit_prescribe(opencl_commit *self, cl_uint count, const opencl_buffer *poses_after,
                                     const opencl_buffer *remainders_after);
/* Writes velocities with spins for the motion from `poses` to `poses_after` in `time_step`, s; `after` may be
 * `velocity`. One launch. */
scree_result opencl_commit_spins(opencl_commit *self, cl_uint bodies, const opencl_buffer *poses,
                                 const opencl_buffer *masses, const opencl_buffer *poses_after,
                                 const opencl_buffer *velocity, const opencl_buffer *after, float time_step);
