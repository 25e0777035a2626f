#include "broadphase.h"

#include "base/memory.h"
#include "fat_pairs.h"

#include <string.h>

enum { PIECE_PAIRS = 2048 }; /* of the list that are filtered together */

struct broadphase {
    fat_pairs list;
    int pair_capacity, meeting_capacity, piece_capacity;
    body_pair *meeting; /* of each piece of the list, at the piece's own place */
    body_pair *pairs;
    int *pieces; /* how many of each piece meet, then how many are before it */
};

scree_result broadphase_create(broadphase **out, scalar skin) {
    broadphase *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: the broadphase");
    self->list.skin = skin;
    *out = self;
    return SCREE_OK;
}

void broadphase_destroy(broadphase *self) {
    if (!self) return;
    fat_pairs_release(&self->list);
    memory_release(self->meeting);
    memory_release(self->pairs);
    memory_release(self->pieces);
    memory_release(self);
}

static const plane *plane_at(const fat_pairs *list, int slot) {
    for (int i = 0; i < list->plane_count; i++)
        if (list->planes[i].slot == slot) return &list->planes[i];
    return NULL;
}

/* Whether boxes that share a point meet if one of them is a half-space's, which has no end. */
static bool endless_meet(const fat_pairs *list, const bounds *boxes, body_pair pair) {
    const plane *a = plane_at(list, pair.a), *b = plane_at(list, pair.b);
    return a ? !b && plane_meets(a, &boxes[pair.b]) : b && plane_meets(b, &boxes[pair.a]);
}

static bool image_meets(const period *cell, const bounds *a, const bounds *b, int image) {
    bounds moved = *b;
    moved.lower = period_moved(cell, b->lower, image);
    moved.upper = period_moved(cell, b->upper, image);
    return bounds_meet(a, &moved);
}

static int filter(const fat_pairs *list, const period *cell, const bounds *boxes, int first, int end,
                  body_pair *out) {
    int count = 0;
    for (int i = first; i < end; i++) {
        const body_pair pair = list->rows.pairs[i];
        const bounds *a = &boxes[pair.a], *b = &boxes[pair.b];
        out[count] = pair;
        bool meet = pair.image ? image_meets(cell, a, b, pair.image) : bounds_meet(a, b);
        if (meet && (isinf(a->lower.x) || isinf(b->lower.x))) meet = endless_meet(list, boxes, pair);
        count += meet;
    }
    return count;
}

scree_result broadphase_pairs(broadphase *self, const body_array *bodies, const bounds *boxes,
                              scalar time_step, int threads, const body_pair **pairs, int *count,
                              int *regrown) {
    const fat_pairs *list = &self->list;
    TRY(fat_pairs_update(&self->list, bodies, boxes, time_step, threads, regrown));
    const int listed = list->rows.count, pieces = (listed + PIECE_PAIRS - 1) / PIECE_PAIRS;
    TRY(MEMORY_RESERVE(self->meeting, self->meeting_capacity, listed, regrown));
    TRY(MEMORY_RESERVE(self->pieces, self->piece_capacity, pieces + 1, regrown));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int p = 0; p < pieces; p++) {
        const int first = p * PIECE_PAIRS, end = first + PIECE_PAIRS < listed ? first + PIECE_PAIRS : listed;
        self->pieces[p] = filter(list, &bodies->period, boxes, first, end, self->meeting + first);
    }
    int sum = 0;
    for (int p = 0; p <= pieces; p++) {
        const int here = p < pieces ? self->pieces[p] : 0;
        self->pieces[p] = sum, sum += here;
    }
    TRY(MEMORY_RESERVE(self->pairs, self->pair_capacity, sum, regrown));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int p = 0; p < pieces; p++)
        memcpy(self->pairs + self->pieces[p], self->meeting + p * PIECE_PAIRS,
               (size_t)(self->pieces[p + 1] - self->pieces[p]) * sizeof *self->pairs);
    *pairs = self->pairs;
    *count = sum;
    return SCREE_OK;
}
