/* From pairs whose boxes meet to their contact points. */
#ifndef SCREE_DETECT_NARROW_PHASE_H
#define SCREE_DETECT_NARROW_PHASE_H

#include "body_record.h"
#include "bounds.h"
#include "manifold.h"
#include "pair_rows.h"
#include "wide_axes.h"
#include "wide_balls.h"
#include "wide_boxes.h"

#include "base/memory.h"

enum { NARROW_PAIRS = RECORD_PAIRS }; /* that are looked at together */

/* Bodies as pairs read them. */
typedef struct narrow_phase {
    int width;     /* lanes; 0: not chosen yet */
    bool in_lanes; /* lanes count the floats of all records by an int: else pairs are looked at one by one */
    wide_axes_find *axes;
    wide_boxes_find *boxes;
    wide_balls_find *balls;
    scratch_arena own_scratch,
        *scratch;         /* that others use too when all pairs have been found; null: its own */
    body_record *records; /* of each slot, there */
} narrow_phase;

/* Parts of a pair that would meet but for grazing.h, which lets them pass by each other. */
typedef struct skim {
    body_pair pair;
    int part; /* manifold.part */
} skim;

typedef struct skim_list {
    int count, capacity;
    skim *items;
} skim_list;

/* Takes the bodies as they stand. Errors: MEMORY. */
scree_result narrow_phase_begin(narrow_phase *self, const body_array *bodies, int threads, int *regrown);

/* Appends the manifolds of pairs, count ≤ NARROW_PAIRS, those without points left out, in the pairs' order.
 * Points are those whose gap can close within the time step: gap ≤ margin + the pair's lookout (bounds.h) +
 * what the bodies approach by (reach.h). A pair has as many manifolds as parts of it touch. What passes by is
 * appended to `grazes`. Bits do not depend on the width. Errors: MEMORY. */
scree_result narrow_phase_find(const narrow_phase *self, const body_array *bodies, const body_pair *pairs,
                               int count, scalar margin, scalar time_step, manifold_list *out,
                               skim_list *skims);

/* Appends the manifolds of one pair, without lookout. Errors: MEMORY. */
scree_result narrow_phase_pair(const body_array *bodies, body_pair pair, scalar margin, scalar time_step,
                               manifold_list *out);

void narrow_phase_release(narrow_phase *self);

#endif
