/* The world behind scree_world: arrays, stages, and the results of a step. */
#pragma once

#include "device/backend.h"
#include "detect/query.h"
#include "detect/detection_pass.h"
#include "rows/mass_unit.h"
#include "feasible.h"
#include "flow.h"
#include "observers.h"
#include "rows/contact_work.h"
#include "gravity.h"
#include "warm_start.h"
#include "substep.h"
#include "model/kinematic_groups.h"

enum { WORLD_NOTE_MOST = 1 << 30 }; /* bytes */

struct scree_world {
    scree_world_def def; /* without strings; `backend` becomes the one in use */
    char device[128];    /* def.device, or empty */
    int threads;         /* > 0 */
    body_array bodies;
    material_table materials;
    joint_array joints;
    kinematic_group_array kinematic_groups;
    gravity_schedule gravity;
    vec3s step_gravity; /* in the middle of the step that runs, m/s²; commit copies it to def.gravity */
    flow_array flows;
    observer_list observers;
    contact_work work;            /* of the last step, if an observer needs it */
    uint64_t steps, steps_before; /* steps made; steps made when the time step last changed */
    double time_before;           /* world time of that change, s */
    char *note;                   /* null: empty */
    contact_set contacts;         /* of the last step: the cache, with impulses */
    scree_statistics statistics;

    backend *backend; /* null until the first step for `auto`, which chooses by size */
    broadphase *pairs;
    int bounds_capacity;
    bounds *boxes;
    problem step_problem;
    scratch_arena
        scratch; /* scratch shared in turn by the search for pairs, the narrow phase and the solve */

    /* Results of a step, which are swapped in only if it succeeds. */
    contact_set contacts_next;
    contact_search search;
    detection_pass look;
    int next_pose_capacity, load_capacity;
    body_pose *next_poses; /* velocities are those of the problem */
    substep_scratch substeps;
    warm_start_scratch start;
    body_load *cohesive_loads; /* the bodies' loads plus cohesive forces */
    mass_unit unit;            /* of the last solve */

    int crossed_capacity;
    int *crossed; /* of each slot, by periodic_wrap */

    feasible_watch feasible;

    query queries; /* of query.h, updated on demand */

    int verify_every;                         /* steps between verifications; 0: never */
    backend *verify_reference, *verify_other; /* null until needed */
    bool verify_other_missing;                /* no OpenCL device to compare with */
    /* The step's problem before the solve, and the copy being solved. */
    problem verify_problem, verify_solution;
};

/* Returns the simulated time after `steps` more steps, s. It is not a sum of steps, whose round-off would
 * grow. */
static inline double world_time_after(const scree_world *world, int steps) {
    return world->time_before +
           (double)(world->steps + (uint64_t)steps - world->steps_before) * world->def.time_step;
}
static inline double world_time(const scree_world *world) { return world_time_after(world, 0); }

/* Checks a body definition. Errors: as scree_body_create. */
scree_result body_check(const scree_world *world, const scree_body_def *def);

/* Creates the backend if there is none yet. */
scree_result world_settle_backend(scree_world *world);

/* Sets the masses of all bodies of a material from a density. Errors: ARGUMENT (a mass would be outside
 * single precision; all masses then stay). */
scree_result world_take_density(scree_world *world, int material, float density);
