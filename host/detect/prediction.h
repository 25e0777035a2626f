/* Finds pairs that rotate so much within a step that their contacts at its end differ from those at its
 * beginning. */
#pragma once

#include "contacts.h"

/* A step as it would end: the bodies at its beginning, and their predicted poses and velocities. */
typedef struct motion_ahead {
    const body_array *bodies;
    const body_pose *poses;
    const body_velocity *velocities;
    scalar margin, time_step; /* with which contacts were detected */
    scalar smallest;          /* bounds_smallest_half_width */
    bool again;               /* a search over swept boxes has run since contacts were detected */
} motion_ahead;

typedef struct prediction {
    int mark_capacity;
    uint8_t *marks; /* of the pairs in contact */
} prediction;

/* Fills the last set with end-of-step contacts (contact_pair) of pairs of `contacts` that would overlap at
 * the end of the step by more than three hundredths of the smaller half size, and by more than the rows of
 * their contacts predict. The set stays empty if none of these overlaps exceeds a twentieth. `moving`: the
 * bodies at the beginning of the step, with displacement and rotation over h as velocities. `turning`:
 * largest displacement of a surface by rotation, m; if it is small, the call costs nothing. Errors:
 * MEMORY. */
scree_result prediction_find(prediction *self, const motion_ahead *ahead, const body_array *moving,
                             scalar turning, const contact_set *contacts, int threads, contact_set *predicted,
                             int *regrown);
/* Returns the manifold of a pair's children at the end of the step, with gaps linearised back to its
 * beginning. Reads only bodies, image and children from `now`. */
manifold prediction_manifold(const body_array *moving, const motion_ahead *ahead, const contact_pair *now);
void prediction_release(prediction *self);
