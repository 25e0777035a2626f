/* Pairs that turn so much within a step that what touches at its end is not what was near at its beginning.
 */
#ifndef SCREE_DETECT_PREDICTION_H
#define SCREE_DETECT_PREDICTION_H

#include "contacts.h"
#include "motion_ahead.h"

typedef struct prediction {
    int mark_capacity;
    uint8_t *marks; /* of the pairs in contact */
} prediction;

/* Where pairs of `contacts` would end deeper in each other than by a twentieth of the smaller one's half
 * size, and deeper than the rows of their contacts say, fills `foreseen` with all that would by more than
 * three hundredths, with the contacts that they would have at the end (contact_pair). `moving` is bodies as
 * they stand, with what they move and turn by over h for velocities; `turning`: by how much a surface turns
 * at most, m. Where that is not much it costs nothing. Errors: MEMORY. */
scree_result prediction_find(prediction *self, const motion_ahead *ahead, const body_array *moving,
                             scalar turning, const contact_set *contacts, int threads, contact_set *predicted,
                             int *regrown);
/* The manifold that a pair's parts have at the end, with the gaps that its rows then begin with; of `now`
 * only the bodies and the parts count. */
manifold prediction_manifold(const body_array *moving, const motion_ahead *ahead, const contact_pair *now);
void prediction_release(prediction *self);

#endif
