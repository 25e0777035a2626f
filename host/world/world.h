/* The world behind scree_world: arrays, stages and what a step leaves. */
#ifndef SCREE_WORLD_WORLD_H
#define SCREE_WORLD_WORLD_H

#include "../backend/backend.h"

struct scree_world {
    scree_world_def def; /* strings not kept */
    char device[128];    /* def.device, or empty */
    int threads;         /* > 0 */
    body_array bodies;
    material_table materials;
    uint64_t steps;
    double time;

    backend *engine; /* made at creation; `auto` chooses again at the first step, when the size is known */
    bool engine_settled;
    broadphase *pairs;
    int bounds_capacity;
    bounds *boxes;
    contact_set contacts, contacts_before; /* of the last step; swapped by a step */
    problem step_problem;
    int next_capacity, next_velocity_capacity;
    body_pose *next_poses; /* a step writes here and swaps only when it succeeded */
    body_velocity *next_velocities;
    scree_statistics statistics; /* of the last step */

    int verify_every;
    backend *verify_reference, *verify_other; /* null until needed */
    problem verify_problem;
};

#endif
