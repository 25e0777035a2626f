/* The groups of each colour in batches of as many lanes as the processor has floats in a register, for
 * sweeps that update a batch at once (wide_sweep.h). The groups of a batch are of one kind, and those of up
 * to four contacts, as most are, have equal numbers of points; what fits in no batch (bounded rows, contacts
 * with a drift: block.h) stays a loose group. Each lane does what the scalar functions do to its group, so
 * that batches change no bit of a result.
 */
#ifndef SCREE_DEVICE_NATIVE_BATCHES_H
#define SCREE_DEVICE_NATIVE_BATCHES_H

#include "batch.h"
#include "wide_sweep.h"
#include "base/team.h"
#include "rows/problem.h"

typedef struct batches {
    int width; /* lanes */
    int count, field_count, capacity, field_capacity, loose_capacity, group_capacity;
    batch *items;
    float *fields;
    int *loose; /* groups in no batch */
    int *sorted;
    int bin_capacity;
    unsigned char *bins; /* of each group: by what it is sorted */
    int piece_capacity;
    int *pieces; /* first batch of each piece, which a thread takes as one, and at the end the number of
                    batches */
    int batch_first[PROBLEM_COLOURS + 1], loose_first[PROBLEM_COLOURS + 1], piece_first[PROBLEM_COLOURS + 1];
    int middle[PROBLEM_COLOURS]; /* batch with which the second half of a colour begins */
    bool small;                  /* no colour is worth more than a piece or two of each of two threads */
} batches;

/* Sorts the coloured groups of a problem whose blocks are marked; `balls`: those of balls may be swept as
 * such. Of the source the fields are filled in here. Errors: MEMORY. */
scree_result batches_build(batches *self, const problem *p, const wide_code *wide, const wide_source *from,
                           bool balls, team *threads);
/* What a sweep of the velocity pass reads and writes, as sweep_bytes.h counts it: of each batch
 *
 *     head + indices + fields without the correction, for all lanes,
 *     2 velocities, 2 mobilities unless round, of each point the impulse twice, for the lanes in use,
 *     and a velocity for each body that moves. */
uint64_t batches_sweep_bytes(const batches *self);
void batches_release(batches *self);

#endif
