#include "broadphase.h"

#include "base/memory.h"
#include "fat_pairs.h"

enum { WORD_PAIRS = 64, PIECE_WORDS = 32 }; /* of the list, that are filtered together */

struct broadphase {
    fat_pairs list;
    int pair_capacity, meeting_capacity, piece_capacity;
    uint64_t
        *meeting; /* a bit for each pair of the list: a copy of those that meet would be as large as it */
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

static bool meets(const fat_pairs *list, const period *cell, const bounds *boxes, body_pair pair) {
    const bounds *a = &boxes[pair.a], *b = &boxes[pair.b];
    const bool meet = pair.image ? image_meets(cell, a, b, pair.image) : bounds_meet(a, b);
    return meet && (isinf(a->lower.x) || isinf(b->lower.x)) ? endless_meet(list, boxes, pair) : meet;
}

/* Marks those of a word's pairs that meet; returns how many. */
static int mark_word(const broadphase *self, const period *cell, const bounds *boxes, int word) {
    const fat_pairs *list = &self->list;
    const int first = word * WORD_PAIRS, left = list->rows.count - first;
    uint64_t marks = 0;
    for (int i = 0; i < WORD_PAIRS && i < left; i++)
        marks |= (uint64_t)meets(list, cell, boxes, list->rows.pairs[first + i]) << i;
    self->meeting[word] = marks;
    return __builtin_popcountll(marks);
}

/* Copies the marked pairs of a word; returns where the next ones go. */
static body_pair *copy_word(const broadphase *self, int word, body_pair *out) {
    const body_pair *from = self->list.rows.pairs + word * WORD_PAIRS;
    for (uint64_t marks = self->meeting[word]; marks; marks &= marks - 1)
        *out++ = from[__builtin_ctzll(marks)];
    return out;
}

scree_result broadphase_pairs(broadphase *self, const body_array *bodies, const bounds *boxes,
                              scalar time_step, int threads, const body_pair **pairs, int *count,
                              int *regrown) {
    const fat_pairs *list = &self->list;
    TRY(fat_pairs_update(&self->list, bodies, boxes, time_step, threads, regrown));
    const int words = (list->rows.count + WORD_PAIRS - 1) / WORD_PAIRS,
              pieces = (words + PIECE_WORDS - 1) / PIECE_WORDS;
    TRY(MEMORY_RESERVE(self->meeting, self->meeting_capacity, words, regrown));
    TRY(MEMORY_RESERVE(self->pieces, self->piece_capacity, pieces + 1, regrown));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int p = 0; p < pieces; p++) {
        self->pieces[p] = 0;
        for (int w = p * PIECE_WORDS; w < words && w < (p + 1) * PIECE_WORDS; w++)
            self->pieces[p] += mark_word(self, &bodies->period, boxes, w);
    }
    int sum = 0;
    for (int p = 0; p <= pieces; p++) {
        const int here = p < pieces ? self->pieces[p] : 0;
        self->pieces[p] = sum, sum += here;
    }
    TRY(MEMORY_RESERVE(self->pairs, self->pair_capacity, sum, regrown));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int p = 0; p < pieces; p++) {
        body_pair *out = self->pairs + self->pieces[p];
        for (int w = p * PIECE_WORDS; w < words && w < (p + 1) * PIECE_WORDS; w++)
            out = copy_word(self, w, out);
    }
    *pairs = self->pairs;
    *count = sum;
    return SCREE_OK;
}
