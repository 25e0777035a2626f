/* Detection pass: finds the contacts of a step's trial motion that its rows do not have. */
#pragma once

#include "state/joints.h"

#include "trial_contact.h"

enum { PASS_SLICES = 64 };

/* A contact found by a pass. */
typedef struct new_contact {
    trial_contact of;
    int order; /* among those of all pairs */
} new_contact;

typedef struct detection_pass {
    int motion_capacity, turned_capacity, straying_capacity, mark_capacity, item_capacity, item_count;
    body_velocity *motion; /* of each body in the step: displacement and rotation, over h */
    scalar *turned;        /* trial_turn of each body */
    uint8_t *straying;     /* whether it strays so far from its velocity that it may need new contacts */
    uint8_t *marks;        /* of contacts, then of dropped contacts */
    new_contact *items;
    contact_set found;                 /* of the last pass */
    bool only_moved;                   /* whether all children in `found` had contacts before */
    manifold_list slices[PASS_SLICES]; /* manifolds of pairs without contact, in consecutive slices */
} detection_pass;

/* Fills `found` with new contacts of a trial motion, without impulses: of pairs without contact that would
 * overlap by more than 1/400 of the smaller half size; of `skims` that would overlap as much, because their
 * bodies were deflected; and of contacts whose rows predict less overlap than there would be, if one of these
 * overlaps exceeds a twentieth of the half size (trial_contact.h). Fills trial->moving. Cost: O(bodies) if no
 * velocity changed much; a local query per strayed body if few did and the host searches; otherwise a search
 * of `pairs` over all swept boxes. Swept boxes replace those in `boxes`, one for each body, by which contacts
 * were searched. Errors: MEMORY, CAPACITY, UNSUPPORTED (two bodies made of triangles). */
scree_result detection_pass_find(detection_pass *self, trial_motion *trial, const contact_set *contacts,
                                 const skim_list *skims, broadphase *pairs, bounds *boxes, int threads,
                                 int *regrown);
/* Fills the motions of the bodies that joints hold, without a search. Errors: MEMORY. */
scree_result detection_pass_move(detection_pass *self, const trial_motion *trial, const joint_array *joints,
                                 int *regrown);
void detection_pass_release(detection_pass *self);
