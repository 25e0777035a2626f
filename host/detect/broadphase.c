#include "broadphase.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "fat_pairs.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_PAIRS = 64, PIECE_WORDS = BROADPHASE_PIECE / WORD_PAIRS };

/* The pairs found are those of list.rows with a bit in `meeting`, since a copy of them would be the largest
 * array of a step. A source writes these rows, and all of its pairs meet. */
struct broadphase {
    pair_source source;
    plane_list planes; /* of the last search */
    fat_pairs list;
    bool all_meet;
    int meeting_capacity;
    uint64_t *meeting; /* one bit for each pair of the list, piece after piece */
    int near_count, near_capacity;
    body_pair *near; /* pairs of straying bodies */
};

scree_result broadphase_create(broadphase **out, scalar skin) {
    broadphase *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: the broadphase");
    self->list.skin = skin;
    *out = self;
    return SCREE_OK;
}

void broadphase_set_source(broadphase *self, pair_source source) { self->source = source; }

bool broadphase_is_local(const broadphase *self, const body_array *bodies) {
    return !self->source.find || bodies->period.any;
}

void broadphase_share(broadphase *self, scratch_arena *scratch) { self->list.scratch = scratch; }

void broadphase_destroy(broadphase *self) {
    if (!self) return;
    fat_pairs_release(&self->list);
    memory_release(self->planes.items);
    memory_release(self->meeting);
    memory_release(self->near);
    memory_release(self);
}

static const body_plane *plane_at(const plane_list *planes, int slot) {
    for (int i = 0; i < planes->count; i++)
        if (planes->items[i].slot == slot) return &planes->items[i];
    return NULL;
}

/* Returns whether boxes that share a point meet if one of them is a half-space's, which is infinite. */
static bool endless_meet(const plane_list *planes, const bounds *boxes, body_pair pair) {
    const body_plane *a = plane_at(planes, pair.a), *b = plane_at(planes, pair.b);
    return a ? !b && plane_meets(a, &boxes[pair.b]) : b && plane_meets(b, &boxes[pair.a]);
}

static bool image_meets(const period *cell, const bounds *a, const bounds *b, int image) {
    bounds moved = *b;
    moved.lower = period_moved(cell, b->lower, image);
    moved.upper = period_moved(cell, b->upper, image);
    return bounds_meet(a, &moved);
}

static inline bool meets(const plane_list *planes, const period *cell, const bounds *boxes, body_pair pair) {
    const bounds *a = &boxes[pair.a], *b = &boxes[pair.b];
    const bool meet = pair.image ? image_meets(cell, a, b, pair.image) : bounds_meet(a, b);
    return meet && (isinf(a->lower.x) || isinf(b->lower.x)) ? endless_meet(planes, boxes, pair) : meet;
}

int broadphase_piece_count(const broadphase *self) {
    return (self->list.rows.count + BROADPHASE_PIECE - 1) / BROADPHASE_PIECE;
}

/* Marks the pairs of a piece that meet; returns their number. */
static int mark_piece(const broadphase *self, const period *cell, const bounds *boxes, int piece) {
    const pair_rows *rows = &self->list.rows;
    const int first = piece * BROADPHASE_PIECE;
    uint64_t marks[PIECE_WORDS] = {0};
    int count = 0, a = pair_rows_slot(rows, first);
    for (int i = 0; i < BROADPHASE_PIECE && first + i < rows->count; i++) {
        while (first + i >= rows->first[a + 1]) a++;
        const bool meet = meets(&self->planes, cell, boxes, pair_rows_at(rows, a, first + i));
        marks[i / WORD_PAIRS] |= (uint64_t)meet << i % WORD_PAIRS;
        count += meet;
    }
    memcpy(self->meeting + piece * PIECE_WORDS, marks, sizeof marks);
    return count;
}

/* Returns the bits of the pairs of a word that meet. */
static uint64_t marks_of(const broadphase *self, int word) {
    const int left = self->list.rows.count - word * WORD_PAIRS;
    if (!self->all_meet) return self->meeting[word];
    return left >= WORD_PAIRS ? UINT64_MAX : left > 0 ? (UINT64_C(1) << left) - 1 : 0;
}

int broadphase_piece(const broadphase *self, int piece, body_pair out[BROADPHASE_PIECE]) {
    const pair_rows *rows = &self->list.rows;
    int count = 0, a = pair_rows_slot(rows, piece * BROADPHASE_PIECE);
    for (int word = piece * PIECE_WORDS; word < (piece + 1) * PIECE_WORDS; word++)
        for (uint64_t marks = marks_of(self, word); marks; marks &= marks - 1) {
            const int i = word * WORD_PAIRS + __builtin_ctzll(marks);
            while (i >= rows->first[a + 1]) a++;
            out[count++] = pair_rows_at(rows, a, i);
        }
    return count;
}

typedef struct meeting_loop {
    int *sum;
    broadphase *self;
    const body_array *bodies;
    const bounds *boxes;
} meeting_loop;

static void mark_pieces(const void *context, slice part) {
    const meeting_loop loop = *(const meeting_loop *)context;
    int sum = 0;
    for (int piece = part.first; piece < part.end; piece++)
        sum += mark_piece(loop.self, &loop.bodies->period, loop.boxes, piece);
    parallel_add(loop.sum, sum);
}

scree_result broadphase_describe(broadphase *self, const body_array *bodies, const bounds *boxes,
                                 pair_search *out, int *regrown) {
    TRY(planes_find(&self->planes, bodies, boxes, regrown));
    *out = (pair_search){.bodies = bodies, .boxes = boxes, .planes = &self->planes};
    return SCREE_OK;
}

static scree_result find_elsewhere(broadphase *self, const pair_search *search, int *count, int *regrown) {
    self->list.listed = false;
    TRY(self->source.find(self->source.context, search, &self->list.rows, regrown));
    *count = self->list.rows.count;
    return SCREE_OK;
}

scree_result broadphase_pairs(broadphase *self, const body_array *bodies, const bounds *boxes,
                              const uint8_t *marked, scalar time_step, int threads, int *count,
                              int *regrown) {
    TRY(planes_find(&self->planes, bodies, boxes, regrown));
    self->all_meet = !broadphase_is_local(self, bodies);
    if (self->all_meet)
        return find_elsewhere(self, &(pair_search){bodies, boxes, &self->planes, marked}, count, regrown);
    TRY(fat_pairs_update(&self->list, bodies, boxes, &self->planes, time_step, threads, regrown));
    const int pieces = broadphase_piece_count(self);
    TRY(MEMORY_RESERVE(self->meeting, self->meeting_capacity, (size_t)pieces * PIECE_WORDS, regrown));
    int sum = 0;
    parallel_for(threads, pieces, mark_pieces,
                 &(const meeting_loop){.sum = &sum, .self = self, .bodies = bodies, .boxes = boxes});
    *count = sum;
    return SCREE_OK;
}

/* Adds the pair if it meets. `of` strays; its box, that of `other` and those of planes are swept ones. */
static scree_result add_near(broadphase *self, const body_array *bodies, const bounds *boxes, int of,
                             int other, int *regrown) {
    const body_pair pair = {of < other ? of : other, of < other ? other : of, 0};
    if (!meets(&self->planes, &bodies->period, boxes, pair)) return SCREE_OK;
    TRY(MEMORY_RESERVE(self->near, self->near_capacity, self->near_count + 1, regrown));
    self->near[self->near_count++] = pair;
    return SCREE_OK;
}

static int compare_pairs(const void *one, const void *other) {
    return body_pair_order(*(const body_pair *)one, *(const body_pair *)other);
}

scree_result broadphase_pairs_of_strays(broadphase *self, const body_array *bodies, const uint8_t *strays,
                                        bounds *boxes, scalar time_step, const body_pair **found, int *count,
                                        int *regrown) {
    fat_pairs *list = &self->list;
    int slots[BROADPHASE_STRAYS], last = 0;
    tree_walk walk;
    self->near_count = 0;
    for (int slot = 0; slot < bodies->count; slot++)
        if (strays[slot]) slots[last++] = slot, boxes[slot] = body_swept_box(bodies, slot, time_step);
    for (int i = 0; i < self->planes.count; i++) {
        const int slot = self->planes.items[i].slot;
        boxes[slot] = body_swept_box(bodies, slot, time_step);
        self->planes.items[i] = plane_of(bodies, boxes, slot);
    }
    for (int i = 0; i < last; i++) {
        tree_walk_begin(&walk, &list->tree, &boxes[slots[i]]);
        for (int item; (item = tree_walk_next(&walk)) >= 0;) {
            const int other = list->tree.members[item];
            if (strays[other]) continue;
            boxes[other] = body_swept_box(bodies, other, time_step);
            TRY(add_near(self, bodies, boxes, slots[i], other, regrown));
        }
        for (int k = 0; k < self->planes.count; k++)
            TRY(add_near(self, bodies, boxes, slots[i], self->planes.items[k].slot, regrown));
        for (int k = i + 1; k < last; k++) TRY(add_near(self, bodies, boxes, slots[i], slots[k], regrown));
    }
    if (self->near_count > 0) qsort(self->near, (size_t)self->near_count, sizeof *self->near, compare_pairs);
    *found = self->near, *count = self->near_count;
    return SCREE_OK;
}
