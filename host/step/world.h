/* The world behind scree_world: arrays, stages, and the results of a step. */
#pragma once

#include "base/stage_log.h"
#include "base/team.h"
#include "device/backend.h"
#include "detect/query.h"
#include "detect/detection_pass.h"
#include "rows/deferred_impact.h"
#include "flow.h"
#include "observers.h"
#include "rows/contact_work.h"
#include "gravity.h"
#include "warm_start.h"
#include "substep.h"
#include "model/kinematic_groups.h"

enum { WORLD_NOTE_MOST = 1 << 30 }; /* bytes */

/* The settings of a world, which a step does not change. */
typedef struct world_model {
    scree_world_def def; /* without strings; `backend` becomes the one in use, gravity is that of the state */
    char device[128];    /* def.device, or empty */
    int threads;         /* > 0 */
    material_table materials;
    kinematic_group_array kinematic_groups;
    gravity_schedule gravity;
} world_model;

/* The results of the last step, from which the next one starts. Calls between steps change them. */
typedef struct world_state {
    body_array bodies;
    joint_array joints;
    flow_array flows;
    contact_set contacts;         /* the cache, with impulses */
    uint64_t steps, steps_before; /* steps made; steps made when the time step last changed */
    double time_before;           /* world time of that change, s */
    contact_work work;            /* of the last step, if an observer needs it */
    scree_statistics statistics;
    scree_vec3 gravity; /* of the last step, m/s² */
} world_state;

/* Why the device could not hold the problem of some bodies (away.h). */
typedef struct stay_refusal {
    uint64_t definitions; /* 1 + body_array.definitions of these bodies; 0: none */
    const char *reason;
} stay_refusal;

/* Memory of a step, and its results until `commit`. */
typedef struct step_scratch {
    /* Shared in turn by the search for pairs, the narrow phase, assembly and the solve. */
    scratch_arena arena;
    broadphase *broadphase;
    int bounds_capacity;
    bounds *boxes;
    body_array bodies; /* those of the state, with prescribed velocities; owns nothing */
    int velocity_capacity, earlier_capacity, prescribed_count, prescribed_capacity;
    body_velocity *velocities, *earlier; /* of `bodies` if there are kinematic groups */
    int *prescribed;                     /* slots of the bodies in these groups */
    vec3s gravity;                       /* in the middle of the step, m/s² */
    problem problem;
    stay_refusal refusal; /* the last one */
    bool has_problem;     /* whether `problem` is that of the last step, which then did not fail */
    contact_set contacts_next;
    contact_search search;
    detection_pass detection;
    deferred_impact deferred;
    int next_pose_capacity, next_remainder_capacity, load_capacity;
    body_pose *next_poses; /* velocities are those of the problem */
    body_remainder *next_remainders;
    substep_scratch substeps;
    warm_start_scratch warm_start;
    body_load *cohesive_loads; /* the bodies' loads plus cohesive forces */
    int settling_capacity;
    vec3s *settling;   /* impulses of held_pairs_settle */
    contact_work work; /* of this step, if an observer needs it */
    int crossed_capacity;
    int *crossed; /* of each slot, by periodic_find_crossings */
    bool crosses; /* whether there is any */
} step_scratch;

/* Comparison of steps with other backends. */
typedef struct verification {
    int every;                  /* steps between verifications; 0: never */
    backend *reference, *other; /* null until needed */
    bool other_missing;         /* no OpenCL device to compare with */
    /* The step's problem before the solve, and the copy being solved. */
    problem problem, solution;
} verification;

struct scree_world {
    world_model model;
    world_state state;
    step_scratch scratch;
    backend *backend; /* null until the first step for `auto`, which chooses by size */
    verification verification;
    observer_list observers;
    query queries; /* of query.h, updated on demand */
    char *note;    /* null: empty */
    team *team;    /* the thread that steps the world leads it */
    stage_log log; /* of the last step */
};

/* One step: it reads model and state, and writes its results to the scratch memory. */
struct step_context {
    const world_model *model;
    const world_state *state;
    step_scratch *scratch;
    backend *backend;
    verification *verification;
    const char *stay_barrier; /* why contacts must not stay on the device (away_barrier); NULL: they may */
    bool bodies_away;         /* the motion of the bodies is and stays on the device */
    solve_check found;        /* by the last check on the device */
    bool need_work;           /* whether an observer needs the work of contacts */
    bool work_due;            /* that of the last solve, which was on the device */
    scree_statistics *statistics;
    const body_velocity *trial_velocities; /* trial motion of the last detection pass; null before it */
    stage_log *log;
};

/* Returns the simulated time after `steps` more steps, s. It is not a sum of steps, whose round-off would
 * grow. */
static inline double world_time_after(const world_model *model, const world_state *state, int steps) {
    return state->time_before +
           (double)(state->steps + (uint64_t)steps - state->steps_before) * model->def.time_step;
}
static inline double world_time(const scree_world *world) {
    return world_time_after(&world->model, &world->state, 0);
}

/* Returns the gap up to which a pair is a contact without any approach, m. */
static inline scalar world_contact_margin(const world_model *model) {
    const scalar wanted = model->def.speculative_distance, reach = material_reach(&model->materials);
    return wanted > reach ? wanted : reach;
}

/* Brings the problem of the last step to the host, with its contacts, if they are on the device. Errors:
 * those of the device, MEMORY. */
scree_result world_bring_problem(scree_world *world);
/* Creates the backend if there is none yet. */
scree_result world_settle_backend(scree_world *world);
