/* Whether a step that leaves bodies pressed into each other has a solution at all. */
#ifndef SCREE_STEP_FEASIBLE_H
#define SCREE_STEP_FEASIBLE_H

#include "rows/infeasible_region.h"

#include <scree/statistics.h>

/* What is remembered from step to step, in checkpoints as well. */
typedef struct feasible_memory {
    int32_t next, wait; /* steps to the next look, and between two that find nothing; 0 at first */
    int32_t extra; /* looks made because the violation rose, or about to be, since the last one in turn */
    uint32_t turn; /* suspects that had their turn */
    double least;  /* violation since the last look */
    double credit; /* work that looks may take (feasibility_work) */
    bool proven;   /* that there is no solution, between these bodies: */
    scree_body_id bodies[2];
} feasible_memory;

typedef struct feasible_watch {
    feasible_memory memory;

    /* Room for a look. */
    patch around;
    int drive_capacity, suspect_capacity, searched_capacity;
    double *drive;     /* of each body, the fastest that a contact of it would close, m/s */
    int *suspects;     /* blocks */
    uint8_t *searched; /* of each block, whether this look has searched around it; first whether it is
                          suspicious */
} feasible_watch;

/* After a solve: where contacts keep closing, looks now and then for the proof that the step's problem has no
 * solution, and says so in `s`. Errors: as the backend's fetch; MEMORY. */
scree_result feasible_check(scree_world *world, scree_statistics *s);
/* Whether a memory can be one. */
bool feasible_is_possible(const feasible_memory *memory);
void feasible_release(feasible_watch *self);

#endif
