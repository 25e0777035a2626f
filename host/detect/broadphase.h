/* From bounding boxes to the sorted list of pairs that may touch. */
#ifndef SCREE_DETECT_BROADPHASE_H
#define SCREE_DETECT_BROADPHASE_H

#include "bounds.h"
#include "pair_rows.h"

#include "base/memory.h"

typedef struct broadphase broadphase;

/* Of the list of fat pairs (fat_pairs.h) behind it: what serves most scenes. */
static const scalar BROADPHASE_SKIN = 0.06f;

scree_result broadphase_create(broadphase **out, scalar skin);
/* Gives it a room that others use too while nobody searches. */
void broadphase_share(broadphase *self, scratch_arena *scratch);
void broadphase_destroy(broadphase *self);

/* Finds all pairs of living bodies, at least one of them dynamic, whose boxes meet, that of b at one of its
 * images in a world that is periodic: how many there are, and in pieces the pairs themselves, sorted by (a,
 * b, image), the same for every number of threads, every skin, and whatever was asked before. Half-spaces are
 * tested against each dynamic body's box by their plane. `time_step` is what bodies move on for before the
 * next call, s: only the time that it takes depends on it. `regrown` counts buffers that had to grow. Errors:
 * MEMORY, CAPACITY. */
scree_result broadphase_pairs(broadphase *self, const body_array *bodies, const bounds *boxes,
                              scalar time_step, int threads, int *count, int *regrown);

/* Bodies that may stray, at most. */
enum { BROADPHASE_STRAYS = 64 };

/* After a search by `boxes`: the pairs, sorted, that another one by the boxes of bounds_sweep would find in a
 * world without periods and of which a body strays, that is is marked in `strays`; these are dynamic. The
 * boxes of others have to lie within those of the search. It takes time for what is near the few that stray,
 * and writes bounds_sweep's boxes of these. *found are the broadphase's, until it is asked again. Errors:
 * MEMORY. */
scree_result broadphase_pairs_of_strays(broadphase *self, const body_array *bodies, const uint8_t *strays,
                                        bounds *boxes, scalar time_step, const body_pair **found, int *count,
                                        int *regrown);

enum { BROADPHASE_PIECE = 256 }; /* pairs of a piece, at most */

int broadphase_piece_count(const broadphase *self);
/* The pairs of a piece, until the next search; returns how many. They are told apart from others of a list
 * by a bit each: a copy of those that meet would be the largest array of a step. */
int broadphase_piece(const broadphase *self, int piece, body_pair out[BROADPHASE_PIECE]);

#endif
