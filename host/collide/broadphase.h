/* From bounding boxes to the sorted list of pairs that may touch. */
#ifndef SCREE_COLLIDE_BROADPHASE_H
#define SCREE_COLLIDE_BROADPHASE_H

#include "bounds.h"
#include "pair_rows.h"

typedef struct broadphase broadphase;

/* Of the list of fat pairs (fat_pairs.h) behind it: what serves most scenes. */
static const scalar BROADPHASE_SKIN = 0.06f;

scree_result broadphase_create(broadphase **out, scalar skin);
void broadphase_destroy(broadphase *self);

/* All pairs of living bodies, at least one of them dynamic, whose boxes meet, that of b at one of its images
 * in a world that is periodic; sorted by (a, b, image), the same for every number of threads, every skin, and
 * whatever was asked before. `pairs` stays valid until the next call. Half-spaces are tested against each
 * dynamic body's box by their plane. `time_step` is what bodies move on for before the next call, s: only the
 * time that it takes depends on it. `regrown` counts buffers that had to grow. Errors: MEMORY, CAPACITY. */
scree_result broadphase_pairs(broadphase *self, const body_array *bodies, const bounds *boxes,
                              scalar time_step, int threads, const body_pair **pairs, int *count,
                              int *regrown);

#endif
