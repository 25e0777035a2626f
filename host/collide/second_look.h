/* Pairs that meet within a step although no contact was made for them, because others changed their way. */
#ifndef SCREE_COLLIDE_SECOND_LOOK_H
#define SCREE_COLLIDE_SECOND_LOOK_H

#include "contacts.h"

/* A step as it would end: bodies as they stand at its beginning, and where they would get to. */
typedef struct motion_ahead {
    const body_array *bodies;
    const body_pose *poses;
    const body_velocity *velocities;
    scalar margin, time_step; /* what contacts were made with */
} motion_ahead;

typedef struct second_look {
    int motion_capacity, restless_capacity, mark_capacity, box_capacity;
    body_velocity *motion; /* of each body in the step: what it moves by over h, and its turning, rad/s */
    uint8_t *restless;     /* whether it strays so far from its velocity that it may have been missed */
    uint8_t *marks;        /* of pairs */
    bounds *boxes;
} second_look;

/* Fills `missed` with the pairs without contact in `contacts` that would overlap by more than a
 * four-hundredth of the smaller body, with the normal at the time of impact on the way that they would go;
 * their impulses are zero. It costs a glance at every body where no velocity changes by much; else
 * `pairs` is built over all ways. Errors: MEMORY, CAPACITY. */
scree_result second_look_find(second_look *self, const motion_ahead *ahead, const contact_set *contacts,
                              broadphase *pairs, int threads, contact_set *missed, int *regrown);
void second_look_release(second_look *self);

#endif
