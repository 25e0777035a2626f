/* The world behind scree_world: arrays, stages and what a step leaves. */
#ifndef SCREE_WORLD_WORLD_H
#define SCREE_WORLD_WORLD_H

#include "../backend/backend.h"

struct scree_world {
    scree_world_def def; /* strings not kept; `backend` becomes the one in use */
    char device[128];    /* def.device, or empty */
    int threads;         /* > 0 */
    body_array bodies;
    material_table materials;
    uint64_t steps;
    double time;
    contact_set contacts; /* of the last step: the cache, impulses included */
    scree_statistics statistics;

    backend *engine; /* null until the first step for `auto`, which wants to know the size */
    broadphase *pairs;
    int bounds_capacity;
    bounds *boxes;
    problem step_problem;

    /* A step writes here, and swaps only when it has succeeded. */
    contact_set contacts_next;
    int next_pose_capacity, next_velocity_capacity, load_capacity;
    body_pose *next_poses;
    body_velocity *next_velocities;
    body_load *pulled_loads; /* the bodies' loads and the pull of cohesion */

    int verify_every;                         /* 0: never */
    backend *verify_reference, *verify_other; /* null until needed */
    bool verify_other_missing;                /* no OpenCL device to compare with */
    problem verify_problem,
        verify_solution; /* the step's problem before the solve, and the copy being solved */
};

/* Makes the backend if there is none yet. */
scree_result world_settle_backend(scree_world *world);

#endif
