/* Detection pass: finds pairs that meet within a step although they have no contact, because others deflected
 * them, and pairs whose contacts turned out to lie elsewhere. */
#pragma once

#include "prediction.h"

enum { PASS_SLICES = 64 };

typedef struct detection_pass {
    int motion_capacity, restless_capacity, mark_capacity;
    body_velocity *motion; /* of each body in the step: displacement and rotation, over h */
    uint8_t *restless;     /* whether it strays so far from its velocity that it may need new contacts */
    uint8_t *marks;        /* of skimming contacts */
    prediction prediction;
    contact_set missed, predicted, entered; /* of the last pass */
    manifold_list found[PASS_SLICES];       /* manifolds of pairs, in consecutive slices */
} detection_pass;

/* Finds new contacts for the predicted end of a step. `missed`: pairs without contact in `contacts` that
 * would overlap by more than 1/400 of the smaller half size, with the normal at the time of impact on their
 * predicted way and zero impulses. `entered`: pairs of `skims` that would overlap as much, because they were
 * deflected, with the contact at the end. The third set is that of prediction_find. Cost: O(bodies) if no
 * velocity changed much; a local query per strayed body if few did; otherwise a search of `pairs` over all
 * swept boxes. Swept boxes replace those in `boxes`, one for each body, by which contacts were searched.
 * Errors: MEMORY, CAPACITY, UNSUPPORTED (two bodies made of triangles). */
scree_result detection_pass_find(detection_pass *self, const motion_ahead *ahead, const contact_set *contacts,
                                 const skim_list *skims, broadphase *pairs, bounds *boxes, int threads,
                                 int *regrown);
void detection_pass_release(detection_pass *self);
