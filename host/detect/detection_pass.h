/* Pairs that meet within a step although no contact was made for them, because others changed their way, and
 * pairs whose contacts turned out to lie elsewhere. */
#ifndef SCREE_DETECT_DETECTION_PASS_H
#define SCREE_DETECT_DETECTION_PASS_H

#include "prediction.h"

enum { LOOK_PARTS = 64 };

typedef struct detection_pass {
    int restless_capacity, mark_capacity;
    body_velocity *motion; /* of each body in the step: what it moves and turns by, over h; the caller's */
    uint8_t *restless;     /* whether it strays so far from its velocity that it may have been missed */
    uint8_t *marks;        /* of grazes */
    prediction prediction;
    contact_set missed, predicted, entered; /* the last look's */
    manifold_list found[LOOK_PARTS];        /* of pairs, in so many parts one after the other */
} detection_pass;

/* Finds in `foreseen` what foresight.h says of pairs in contact, and in `missed` the pairs without contact in
 * `contacts` that would overlap by more than a four-hundredth of the smaller body, with the normal at the
 * time of impact on the way that they would go; their impulses are zero. In `entered` are those of `grazes`
 * that would overlap as much, because they do not go where they were to pass by each other, with the contact
 * at the end, as what is foreseen has. It costs a glance at every body where no velocity changes by much,
 * what is near them where few stray that far, and else `pairs` is built over all ways; boxes of ways take the
 * place of those among `boxes`, one for each body, by which contacts were searched. `motion` is
 * room for a velocity of each body. Errors: MEMORY, CAPACITY. */
scree_result detection_pass_find(detection_pass *self, const motion_ahead *ahead, const contact_set *contacts,
                                 const skim_list *skims, broadphase *pairs, bounds *boxes,
                                 body_velocity *motion, int threads, int *regrown);
void detection_pass_release(detection_pass *self);

#endif
