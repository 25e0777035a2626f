/* The world behind scree_world: arrays, stages and what a step leaves. */
#ifndef SCREE_STEP_WORLD_H
#define SCREE_STEP_WORLD_H

#include "device/backend.h"
#include "detect/query.h"
#include "detect/detection_pass.h"
#include "rows/mass_unit.h"
#include "feasible.h"
#include "flow.h"
#include "measurements.h"
#include "gravity.h"
#include "warm_start.h"
#include "substep.h"
#include "model/kinematic_groups.h"

enum { WORLD_NOTE_MOST = 1 << 30 }; /* bytes */

struct scree_world {
    scree_world_def def; /* strings not kept; `backend` becomes the one in use */
    char device[128];    /* def.device, or empty */
    int threads;         /* > 0 */
    body_array bodies;
    material_table materials;
    joint_array joints;
    kinematic_group_array kinematic_groups;
    gravity_schedule gravity;
    flow_array flows;
    measurement_array measurements;
    uint64_t steps, steps_before; /* made; made when the time step changed last */
    double time_before;           /* then, s */
    char *note;                   /* null: empty */
    contact_set contacts;         /* of the last step: the cache, impulses included */
    scree_statistics statistics;

    backend *backend; /* null until the first step for `auto`, which wants to know the size */
    broadphase *pairs;
    int bounds_capacity;
    bounds *boxes;
    problem step_problem;
    scratch_arena scratch; /* of the search for pairs, the narrow phase and the solve, one after the other */

    /* A step writes here, and swaps only when it has succeeded. */
    contact_set contacts_next;
    contact_search search;
    detection_pass look;
    int next_pose_capacity, load_capacity;
    body_pose *next_poses; /* velocities are the problem's */
    substep_scratch substeps;
    warm_start_scratch start;
    body_load *cohesive_loads; /* the bodies' loads and the pull of cohesion */
    mass_unit unit;            /* of the last solve */

    int crossed_capacity;
    int *crossed; /* of each slot, by periodic_wrap */

    feasible_watch feasible;

    query queries; /* of query.h; up to date when asked */

    int verify_every;                         /* 0: never */
    backend *verify_reference, *verify_other; /* null until needed */
    bool verify_other_missing;                /* no OpenCL device to compare with */
    problem verify_problem,
        verify_solution; /* the step's problem before the solve, and the copy being solved */
};

/* Simulated time so many steps from now, s: not a sum of steps, whose rounding would grow with them. */
static inline double world_time_after(const scree_world *world, int steps) {
    return world->time_before +
           (double)(world->steps + (uint64_t)steps - world->steps_before) * world->def.time_step;
}
static inline double world_time(const scree_world *world) { return world_time_after(world, 0); }

/* The contacts of the last step. Those of bodies that were destroyed or replaced since are taken out here,
 * all at once when somebody looks, so that destroying a thousand bodies does not walk over all contacts a
 * thousand times. */
contact_set *world_contacts(const scree_world *world);
/* Likewise the assemblies, without bodies that were destroyed. */
kinematic_group_array *world_kinematic_groups(const scree_world *world);

/* Whether a body could be made of a definition. Errors: as scree_body_create. */
scree_result body_check(const scree_world *world, const scree_body_def *def);

/* Makes the backend if there is none yet. */
scree_result world_settle_backend(scree_world *world);

/* Gives all bodies of a material the masses that follow from a density. Errors: ARGUMENT (one of them would
 * be outside single precision; all keep theirs). */
scree_result world_take_density(scree_world *world, int material, float density);

#endif
