/* Detection of steps whose contact problem has no solution, so that bodies are crushed. */
#pragma once

#include "rows/infeasible_region.h"

#include <scree/statistics.h>

typedef struct step_context step_context;

/* State kept between steps and in checkpoints. */
typedef struct feasible_memory {
    int32_t next, wait; /* steps to the next check, and between two checks without a proof; 0 at first */
    /* Checks made because the violation rose, or due to be, since the last regular one. */
    int32_t extra;
    uint32_t turn; /* number of suspects that have had their turn */
    double least;  /* violation since the last check */
    double credit; /* work that checks may use (feasibility_work) */
    bool proven;   /* infeasibility is proven between these bodies: */
    scree_body_id bodies[2];
} feasible_memory;

typedef struct feasible_watch {
    feasible_memory memory;

    /* Scratch of a check. */
    patch around;
    int drive_capacity, suspect_capacity, searched_capacity;
    double *drive; /* of each body, the largest closing speed of its contacts without the solve, m/s */
    int *suspects; /* blocks */
    /* For each block: whether this check has searched around it; before that, whether it is suspicious. */
    uint8_t *searched;
} feasible_watch;

/* Call after a solve. If contacts keep closing, checks from time to time whether the step's problem is
 * provably infeasible, and reports that in `s`. Errors: those of the backend's fetch; MEMORY. */
scree_result feasible_check(step_context *step);
/* Returns whether a memory read from a checkpoint is valid. */
bool feasible_is_possible(const feasible_memory *memory);
void feasible_release(feasible_watch *self);
