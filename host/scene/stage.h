/* A change of stage while it is made: what differs between two scenes, and what follows from that. */
#ifndef SCREE_SCENE_STAGE_H
#define SCREE_SCENE_STAGE_H

#include "scene.h"

enum { STAGE_MESSAGE = 1024 };

typedef struct stage {
    const scree_scene *scene;        /* that of the file */
    const scree_scene *now, *before; /* as the stages have it */
    scene_source source;             /* of `now`, as refusals tell places of it */
    scree_world *world;              /* null where the scenes are only compared */
    const scree_resume_def *def;
    record kept;  /* of the stages before */
    bool telling; /* the second time through, when nothing is refused */
    int refusals;
    int additions;               /* those of them that --add would lift */
    char first[STAGE_MESSAGE];   /* the first refusal, of another kind if there is one */
    bool *moved;                 /* by listed body: its motion differs */
    bool *turned, *walls_turned; /* by listed body, by container: it comes or goes */
    int enters;                  /* the stage that begins now, −1: it goes on */
    bool *steered;               /* by assembly: its motions differ */
    bool *let_in, *let_out;      /* by inlet, by outlet: it differs */
    bool *regauged;              /* by measurement of the scene now: likewise */
    bool rescheduled;            /* gravity's keys differ */
} stage;

/* Room for what is found out about the lists of both scenes, and without it. Errors: MEMORY. */
scree_result stage_reserve(stage *self);
void stage_release(stage *self);
/* Looks at all that differs between `before` and `now`; what may not differ is refused by one sentence with
 * the first place in the file. Errors: FORMAT. */
scree_result stage_compare(stage *self);

#endif
