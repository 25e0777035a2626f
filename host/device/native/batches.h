/* Batches of the groups of each colour, with as many lanes as a vector register has floats (wide_sweep.h).
 * The groups of a batch are of one kind; groups of up to four contacts, the common case, share a batch only
 * with groups of equally many. Groups that fit no batch (bounded rows) stay loose. Each lane computes what
 * the scalar functions compute, so batches do not change results. */
#pragma once

#include "batch.h"
#include "wide_sweep.h"
#include "base/team.h"
#include "rows/problem.h"

typedef struct batches {
    int width; /* lanes */
    int count, field_count, capacity, field_capacity, loose_capacity;
    batch *items;
    float *fields;
    int *loose;          /* groups in no batch */
    int *sorted;         /* groups, while batches are built */
    unsigned char *bins; /* of each group, while batches are built: its sorting key */
    int piece_capacity;
    int *pieces; /* first batch of each piece, the unit of work of a thread, then the number of batches */
    int batch_first[PROBLEM_COLOURS + 1], loose_first[PROBLEM_COLOURS + 1], piece_first[PROBLEM_COLOURS + 1];
    int middle[PROBLEM_COLOURS]; /* batch with which the second half of a colour begins */
    bool small;                  /* no colour is worth more than one or two pieces for each of two threads */
} batches;

/* Batches are built colour by colour, in order, between begin and end. The first function sorts the groups of
 * some colours, whose blocks have been marked, and fills their batches; `balls` enables the ball layout.
 * `from->fields` is ignored: the fields go to self->fields. Errors: MEMORY. */
scree_result batches_add(batches *self, const problem *p, const wide_code *wide, const wide_source *from,
                         bool balls, slice colours, team *threads);
/* `scratch`: batches_scratch(p) bytes, used until the end. */
scree_result batches_begin(batches *self, const problem *p, void *scratch);
size_t batches_scratch(const problem *p);
void batches_end(batches *self, const problem *p, team *threads);
/* Returns the bytes that a sweep of the velocity pass reads and writes, as sweep_bytes.h counts them. Per
 * batch:
 *
 *
 *     head + indices + fields without the correction, for all lanes,
 *     2 velocities, 2 mobilities unless round, per point the impulse twice, for the lanes in use,
 *     and a velocity for each body that moves. */
uint64_t batches_sweep_bytes(const batches *self);
void batches_release(batches *self);
