/* From bounding boxes to the sorted list of pairs that may touch. */
#pragma once

#include "body_bounds.h"
#include "pair_rows.h"
#include "plane.h"

#include "base/memory.h"

typedef struct broadphase broadphase;

/* Skin of the list of fat pairs (fat_pairs.h) that suits most scenes. */
static const scalar BROADPHASE_SKIN = 0.06f;

/* Input of a search for pairs of bodies. */
typedef struct pair_search {
    const body_array *bodies;
    const bounds *boxes;
    const plane_list *planes; /* the half-spaces among the bodies */
    const uint8_t *marked;    /* null: all pairs; else those with a body marked here */
} pair_search;

/* A search outside the host. It fills rows without images with the pairs of broadphase_pairs; a world that it
 * serves is not periodic. `regrown` counts buffers that had to grow. */
typedef struct pair_source {
    scree_result (*find)(void *context, const pair_search *search, pair_rows *out, int *regrown);
    void *context;
} pair_source;

scree_result broadphase_create(broadphase **out, scalar skin);
/* From now on, `source` searches all worlds that are not periodic; without a function, the host does. */
void broadphase_set_source(broadphase *self, pair_source source);
/* Returns whether the host searches for pairs of these bodies. */
bool broadphase_is_local(const broadphase *self, const body_array *bodies);

/* Fills `out` with a search for pairs by other means than broadphase_pairs, of which pieces and straying
 * bodies know nothing. It is valid until the next search. Errors: MEMORY. */
scree_result broadphase_describe(broadphase *self, const body_array *bodies, const bounds *boxes,
                                 pair_search *out, int *regrown);

/* Gives the broadphase scratch that others use between searches. */
void broadphase_share(broadphase *self, scratch_arena *scratch);
void broadphase_destroy(broadphase *self);

/* Finds all pairs of living bodies, at least one of them dynamic, whose boxes meet; in a periodic world, b
 * may be at one of its images. Sets `count` to their number; broadphase_piece returns the pairs, sorted by
 * (a, b, image). The result is the same for every number of threads, every skin and every earlier call.
 * Half-spaces are tested by their plane against each dynamic body's box. `time_step` is the time for which
 * bodies move before the next call, s; only the running time depends on it. `marked`: if it is not null,
 * pairs without a body marked there may be left out. `regrown` counts buffers that had to grow. Errors:
 * MEMORY, CAPACITY, those of the source. */
scree_result broadphase_pairs(broadphase *self, const body_array *bodies, const bounds *boxes,
                              const uint8_t *marked, scalar time_step, int threads, int *count, int *regrown);

/* Most bodies that may stray. For so few a local search takes 0.7 of the time of a full one (B1000 at rest,
 * where bodies stray in every other step). */
enum { BROADPHASE_STRAYS = 64 };

/* Call after a search by `boxes` on the host. Finds the pairs, sorted, with a body marked in `strays` that a
 * search by the boxes of body_swept_boxes would find. The world must not be periodic, the marked bodies must
 * be dynamic, and the swept boxes of all others must lie within their boxes of that search. The time depends
 * on the number of bodies near the marked ones; the boxes of these, of the marked bodies and of half-spaces
 * are replaced by those of body_swept_boxes. *found belongs to the broadphase until its next search. Errors:
 * MEMORY. */
scree_result broadphase_pairs_of_strays(broadphase *self, const body_array *bodies, const uint8_t *strays,
                                        bounds *boxes, scalar time_step, const body_pair **found, int *count,
                                        int *regrown);

enum { BROADPHASE_PIECE = 256 }; /* most pairs of a piece */

int broadphase_piece_count(const broadphase *self);
/* Fills `out` with the pairs of a piece and returns their number; valid until the next search. */
int broadphase_piece(const broadphase *self, int piece, body_pair out[BROADPHASE_PIECE]);
