#include "fat_pairs.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "geometry/shape.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    AHEAD = 4, /* steps of its motion that a fat box covers, at most by its half size; 8 gain nothing */
    MENDED_FRACTION = 8, /* the list is rebuilt if more than one body in MENDED_FRACTION left */
    PIECE_SLOTS = 512,   /* slots that are checked together */
    CHUNK_ITEMS = 256,   /* items of the tree that are queried together in a rebuild */
    CHUNK_LEAVERS = 16,
    UNQUERIED = -1 /* the count of a chunk that is not yet queried */
};

static const scalar ROUNDING = 1e-6f; /* rounding of a period's images, relative to the period */

/* Result of checking a piece of slots. */
typedef struct fat_piece {
    int leavers;
    bool strangers; /* some leavers are not in the tree */
} fat_piece;

static bool box_is_finite(const bounds *box) {
    return isfinite(box->lower.x + box->lower.y + box->lower.z) &&
           isfinite(box->upper.x + box->upper.y + box->upper.z);
}

static bool holds(const bounds *outer, const bounds *inner) {
    return (outer->lower.x <= inner->lower.x) & (inner->upper.x <= outer->upper.x) &
           (outer->lower.y <= inner->lower.y) & (inner->upper.y <= outer->upper.y) &
           (outer->lower.z <= inner->lower.z) & (inner->upper.z <= outer->upper.z);
}

/* Returns the box extended by the skin and along the motion of AHEAD steps. */
static bounds fattened(const fat_pairs *self, const body_array *bodies, const bounds *box, int slot,
                       scalar time_step) {
    if (!box_is_finite(box)) return BOUNDS_NOWHERE;
    if (bodies->types[slot] == SLOT_STATIC) return *box;
    const vec3s side = glms_vec3_sub(box->upper, box->lower);
    const scalar half = scalar_min(side.x, scalar_min(side.y, side.z)) / 2, skin = self->skin * half;
    const vec3s way = glms_vec3_scale(bodies->velocities[slot].linear, AHEAD * time_step);
    const vec3s ahead = vec3_of(scalar_clamp(way.x, -half, half), scalar_clamp(way.y, -half, half),
                                scalar_clamp(way.z, -half, half));
    const vec3s none = glms_vec3_zero(), aside = vec3_of(skin, skin, skin);
    const vec3s back = glms_vec3_sub(vec3_lesser(ahead, none), aside),
                on = glms_vec3_add(vec3_greater(ahead, none), aside);
    const bounds fat = {glms_vec3_add(box->lower, back), 0, glms_vec3_add(box->upper, on), 0};
    return holds(&fat, box) && box_is_finite(&fat) ? fat : *box;
}

/* Returns the properties of a slot that must not change while it is listed. */
static uint8_t stamp_of(const body_array *bodies, int slot) {
    const int endless = bodies->endless ? bodies->endless[slot] & ENDLESS_WORLD : 0;
    return (uint8_t)(bodies->types[slot] | endless << 4);
}

/* Returns whether the list no longer covers a slot. Boxes that are not finite meet nothing; planes are
 * checked separately. */
static bool leaves(const fat_pairs *self, const body_array *bodies, const bounds *box, int slot) {
    if (bodies->types[slot] == SLOT_FREE || !box_is_finite(box)) return false;
    const int place = self->place[slot];
    return stamp_of(bodies, slot) != self->types[slot] || place < 0 || !holds(&self->tree.boxes[place], box);
}

typedef struct check_loop {
    const body_array *bodies;
    const bounds *boxes;
    fat_pairs *self;
} check_loop;

static void check_slice(const void *context, slice part) {
    const check_loop loop = *(const check_loop *)context;
    for (int p = part.first; p < part.end; p++) {
        fat_piece found = {0};
        for (int slot = p * PIECE_SLOTS; slot < loop.bodies->count && slot < (p + 1) * PIECE_SLOTS; slot++) {
            /* Queries while a slot is free find none of its pairs: a body that takes it is queried again. */
            if (loop.bodies->types[slot] == SLOT_FREE) loop.self->types[slot] = SLOT_FREE;
            loop.self->left[slot] = leaves(loop.self, loop.bodies, &loop.boxes[slot], slot);
            found.leavers += loop.self->left[slot];
            found.strangers |= loop.self->left[slot] && loop.self->place[slot] < 0;
        }
        loop.self->pieces[p] = found;
    }
}

/* Marks leavers, piece by piece. */
static void check_pieces(fat_pairs *self, const body_array *bodies, const bounds *boxes, int pieces,
                         int threads) {
    parallel_for(threads, pieces, check_slice,
                 &(const check_loop){.bodies = bodies, .boxes = boxes, .self = self});
}

/* Marks planes that the listed ones do not cover; returns whether the half-spaces are those of the list. */
static bool check_planes(fat_pairs *self, bool *any) {
    if (self->planes->count != self->fat_plane_count) return false;
    for (int i = 0; i < self->planes->count; i++) {
        if (self->planes->items[i].slot != self->fat_planes[i].slot) return false;
        const bool left = !plane_covers(&self->fat_planes[i], &self->planes->items[i]);
        self->left[self->planes->items[i].slot] = left;
        *any |= left;
    }
    return true;
}

/* A query of all items, or of those that left. */
typedef struct fat_query {
    fat_pairs *self;
    const body_array *bodies;
    int item_chunks;   /* first chunks: items of the tree, each against those after it and all planes */
    int leaver_chunks; /* next chunks: leavers against everything */
    int leaver_count;
    int plane_chunks; /* last chunks: all items against planes that left */
} fat_query;

/* Returns the box of the image, slightly enlarged, since boxes are compared elsewhere with the other one
 * moved. */
static bounds image_box(const fat_query *query, int item, int image) {
    const bounds *box = &query->self->tree.boxes[item];
    const period *cell = &query->bodies->period;
    if (!image) return *box;
    const vec3s around = glms_vec3_scale(cell->length, ROUNDING);
    return (bounds){glms_vec3_sub(period_moved(cell, box->lower, image), around), box->padding,
                    glms_vec3_add(period_moved(cell, box->upper, image), around), box->rotation_angle};
}

/* Adds the items from `from` on in the tree's order whose boxes meet that of an image of `item`. If both
 * items left, the query of the earlier one finds the pair. */
static void query_tree(const fat_query *query, int item, int image, int from, pair_chunk *chunk) {
    const tree *within = &query->self->tree;
    const uint8_t *left = query->self->left;
    const bounds box = image_box(query, item, image);
    const int slot = within->members[item];
    const bool dynamic = body_is_dynamic(query->bodies, slot);
    int stack[TREE_STACK], depth = 0;
    for (int index = 0;;) {
        const tree_node *node = &within->nodes[index];
        if (node->child > 0) {
            const tree_node *near = &within->nodes[node->child], *far = near + 1;
            const bool in_near = near->end > from && bounds_reach(&box, near->lower, near->upper);
            const bool in_far = far->end > from && bounds_reach(&box, far->lower, far->upper);
            if (in_near && in_far) stack[depth++] = node->child + 1;
            if (in_near || in_far) {
                index = in_near ? node->child : node->child + 1;
                continue;
            }
        } else {
            const int first = node->end + node->child;
            for (int other = first > from ? first : from; other < node->end; other++) {
                if (!bounds_meet(&box, &within->boxes[other])) continue;
                const int member = within->members[other];
                if (other <= item && (other == item || left[member])) continue;
                if (body_idle_image(query->bodies, slot, member, image)) continue;
                if (dynamic || body_is_dynamic(query->bodies, member))
                    pair_chunk_add(chunk, slot, member, -image);
            }
        }
        if (depth == 0) return;
        index = stack[--depth];
    }
}

/* Queries the images of an item that may meet something; `half`: only half of them. A pair of an image with
 * another item is also the pair of that item's opposite image with this one. */
static void query_images(const fat_query *query, int item, bool half, pair_chunk *chunk) {
    const period *cell = &query->bodies->period;
    if (!cell->any) return;
    const bounds *all = &query->self->span;
    const bounds *box = &query->self->tree.boxes[item];
    int low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const scalar length = vec3_along(cell->length, axis);
        const scalar slack = ROUNDING * length;
        low[axis] = high[axis] = 0;
        if (!(length > 0)) continue;
        const scalar first = (vec3_along(all->lower, axis) - vec3_along(box->upper, axis) - slack) / length,
                     last = (vec3_along(all->upper, axis) - vec3_along(box->lower, axis) + slack) / length;
        low[axis] = (int)scalar_clamp(ceilf(first), -PERIOD_CELLS_MOST, PERIOD_CELLS_MOST);
        high[axis] = (int)scalar_clamp(floorf(last), -PERIOD_CELLS_MOST, PERIOD_CELLS_MOST);
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++) {
                const int image = period_image((const int[3]){x, y, z});
                if (half ? image > 0 : image != 0) query_tree(query, item, image, 0, chunk);
            }
}

/* Queries one item against the planes that left, or those that did not. */
static void query_planes(const fat_query *query, int item, bool left, pair_chunk *chunk) {
    const fat_pairs *self = query->self;
    const int slot = self->tree.members[item];
    if (!body_is_dynamic(query->bodies, slot)) return;
    for (int i = 0; i < self->fat_plane_count; i++)
        if (self->left[self->fat_planes[i].slot] == left &&
            plane_may_meet(&self->fat_planes[i], &self->tree.boxes[item]))
            pair_chunk_add(chunk, slot, self->fat_planes[i].slot, 0);
}

static void query_chunk(const fat_query *query, int number, pair_chunk *chunk) {
    const fat_pairs *self = query->self;
    const int leaver_chunk = number - query->item_chunks, plane_chunk = leaver_chunk - query->leaver_chunks;
    pair_chunk_clear(chunk);
    if (number < query->item_chunks)
        for (int item = number * CHUNK_ITEMS; item < self->tree.count && item < (number + 1) * CHUNK_ITEMS;
             item++) {
            query_tree(query, item, 0, item + 1, chunk);
            query_images(query, item, true, chunk);
            query_planes(query, item, false, chunk);
        }
    else if (leaver_chunk < query->leaver_chunks)
        for (int i = leaver_chunk * CHUNK_LEAVERS;
             i < query->leaver_count && i < (leaver_chunk + 1) * CHUNK_LEAVERS; i++) {
            const int item = self->place[self->leavers[i]];
            query_tree(query, item, 0, 0, chunk);
            query_images(query, item, false, chunk);
            query_planes(query, item, false, chunk);
        }
    else
        for (int item = plane_chunk * CHUNK_ITEMS;
             item < self->tree.count && item < (plane_chunk + 1) * CHUNK_ITEMS; item++)
            query_planes(query, item, true, chunk);
}

/* Finds the box that contains all items with images. */
static void find_span(fat_pairs *self, const body_array *bodies) {
    self->span = BOUNDS_NOWHERE;
    for (int item = 0; item < self->tree.count && bodies->period.any; item++) {
        const bounds *box = &self->tree.boxes[item];
        const int endless = bodies->endless[self->tree.members[item]];
        for (int axis = 0; axis < 3; axis++) {
            if (endless >> axis & 1) continue;
            scalar *lower = vec3_component(&self->span.lower, axis),
                   *upper = vec3_component(&self->span.upper, axis);
            *lower = scalar_min(*lower, vec3_along(box->lower, axis));
            *upper = scalar_max(*upper, vec3_along(box->upper, axis));
        }
    }
}

static scratch_arena *scratch_of(fat_pairs *self) {
    return self->scratch ? self->scratch : &self->own_scratch;
}

typedef struct query_loop {
    fat_pairs *self;
    const fat_query *query;
} query_loop;

static void query_chunks(const void *context, slice part) {
    const query_loop loop = *(const query_loop *)context;
    for (int i = part.first; i < part.end; i++)
        if (loop.self->chunks[i].count == UNQUERIED) query_chunk(loop.query, i, &loop.self->chunks[i]);
}

/* Chunks lie in scratch one after the other, each with the capacity that it needed the last time. A chunk
 * that finds more gets a larger place after all others and is queried again. Places are assigned outside the
 * parallel loop, in the same order for every number of threads. */
static scree_result query_all(const fat_query *query, int threads, int *regrown) {
    fat_pairs *self = query->self;
    const int count = query->item_chunks + query->leaver_chunks + query->plane_chunks;
    const bool periodic = query->bodies->period.any;
    find_span(self, query->bodies);
    TRY(MEMORY_RESERVE(self->chunks, self->chunk_capacity, count, regrown));
    self->numbers = 0;
    for (int i = 0; i < count; i++) {
        self->chunks[i].count = UNQUERIED;
        self->chunks[i].first = self->numbers, self->numbers += self->chunks[i].scratch;
    }
    if (self->numbers == 0) regrown = NULL; /* first search: no buffer could grow */
    for (bool again = true; again;) {
        void *scratch;
        TRY(scratch_take(scratch_of(self), (size_t)self->numbers * (1 + (size_t)periodic) * sizeof(int),
                         &scratch, regrown));
        pair_chunks_place(self->chunks, count, scratch, periodic);
        parallel_each(threads, count, query_chunks, &(const query_loop){.self = self, .query = query});
        again = false;
        for (int i = 0; i < count; i++) {
            pair_chunk *chunk = &self->chunks[i];
            const int64_t needed = chunk->count + chunk->count / 4;
            if (chunk->count <= chunk->scratch) continue;
            if (needed > INT_MAX)
                return fail(SCREE_ERROR_CAPACITY, "pairs of bodies: %lld; at most %d", (long long)needed,
                            INT_MAX);
            chunk->scratch = (int)needed, chunk->count = UNQUERIED;
            chunk->first = self->numbers, self->numbers += needed;
            again = true;
        }
    }
    return SCREE_OK;
}

static body_plane fat_plane(const body_array *bodies, body_plane now, scalar time_step) {
    const bool moves = bodies->types[now.slot] != SLOT_STATIC;
    const scalar speed = moves ? glms_vec3_norm(bodies->velocities[now.slot].linear) : 0;
    now.padding += AHEAD * time_step * speed;
    return now;
}

typedef struct list_loop {
    bounds *fat;
    fat_pairs *self;
    const body_array *bodies;
    const bounds *boxes;
    scalar time_step;
} list_loop;

static void fatten_slice(const void *context, slice part) {
    const list_loop loop = *(const list_loop *)context;
    for (int slot = part.first; slot < part.end; slot++) {
        loop.fat[slot] = fattened(loop.self, loop.bodies, &loop.boxes[slot], slot, loop.time_step);
        loop.self->types[slot] = stamp_of(loop.bodies, slot);
        loop.self->place[slot] = -1;
    }
}

static void place_slice(const void *context, slice part) {
    const list_loop loop = *(const list_loop *)context;
    for (int item = part.first; item < part.end; item++)
        loop.self->place[loop.self->tree.members[item]] = item;
}

static scree_result list_anew(fat_pairs *self, const body_array *bodies, const bounds *boxes,
                              scalar time_step, int threads, int *regrown) {
    const int count = bodies->count;
    void *scratch;
    TRY(scratch_take(scratch_of(self), (size_t)count * (sizeof(bounds) + 2 * sizeof(tree_key)), &scratch,
                     regrown));
    bounds *fat = scratch;
    TRY(MEMORY_RESERVE(self->fat_planes, self->fat_plane_capacity, self->planes->count, regrown));
    memset(self->left, 0, (size_t)count);
    parallel_for(threads, count, fatten_slice,
                 &(const list_loop){
                     .fat = fat, .self = self, .bodies = bodies, .boxes = boxes, .time_step = time_step});
    self->fat_plane_count = self->planes->count;
    for (int i = 0; i < self->planes->count; i++)
        self->fat_planes[i] = fat_plane(bodies, self->planes->items[i], time_step);
    TRY(tree_build(&self->tree, fat, count, (tree_key *)(fat + count), threads, regrown));
    parallel_for(threads, self->tree.count, place_slice, &(const list_loop){.self = self});
    const fat_query query = {
        .self = self, .bodies = bodies, .item_chunks = (self->tree.count + CHUNK_ITEMS - 1) / CHUNK_ITEMS};
    TRY(query_all(&query, threads, regrown));
    TRY(pair_rows_collect(&self->rows, self->chunks, query.item_chunks, NULL, NULL, count, bodies->period.any,
                          threads, regrown));
    self->listed_slots = count;
    self->asked = 0;
    return SCREE_OK;
}

static scree_result list_leavers(fat_pairs *self, int slots, int pieces, int *count, int *regrown) {
    *count = 0;
    for (int p = 0; p < pieces; p++) *count += self->pieces[p].leavers;
    TRY(MEMORY_RESERVE(self->leavers, self->leaver_capacity, *count, regrown));
    *count = 0;
    for (int p = 0; p < pieces; p++) {
        if (self->pieces[p].leavers == 0) continue;
        for (int slot = p * PIECE_SLOTS; slot < slots && slot < (p + 1) * PIECE_SLOTS; slot++)
            if (self->left[slot] && self->place[slot] >= 0) self->leavers[(*count)++] = slot;
    }
    return SCREE_OK;
}

typedef struct leaver_loop {
    fat_pairs *self;
    const body_array *bodies;
    const bounds *boxes;
    scalar time_step;
} leaver_loop;

static void fatten_leavers(const void *context, slice part) {
    const leaver_loop loop = *(const leaver_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        const int slot = loop.self->leavers[i];
        loop.self->types[slot] = stamp_of(loop.bodies, slot);
        loop.self->tree.boxes[loop.self->place[slot]] =
            fattened(loop.self, loop.bodies, &loop.boxes[slot], slot, loop.time_step);
    }
}

static scree_result mend(fat_pairs *self, const body_array *bodies, const bounds *boxes, scalar time_step,
                         int pieces, bool planes_left, int threads, int *regrown) {
    int leavers;
    TRY(list_leavers(self, bodies->count, pieces, &leavers, regrown));
    parallel_for(
        parallel_threads(threads, leavers), leavers, fatten_leavers,
        &(const leaver_loop){.self = self, .bodies = bodies, .boxes = boxes, .time_step = time_step});
    for (int i = 0; i < self->planes->count; i++)
        if (self->left[self->planes->items[i].slot])
            self->fat_planes[i] = fat_plane(bodies, self->planes->items[i], time_step);
    tree_refit(&self->tree, threads);
    const fat_query query = {.self = self,
                             .bodies = bodies,
                             .leaver_chunks = (leavers + CHUNK_LEAVERS - 1) / CHUNK_LEAVERS,
                             .leaver_count = leavers,
                             .plane_chunks =
                                 planes_left ? (self->tree.count + CHUNK_ITEMS - 1) / CHUNK_ITEMS : 0};
    TRY(query_all(&query, threads, regrown));
    const int chunks = query.leaver_chunks + query.plane_chunks;
    TRY(pair_rows_lodge(&self->spare, scratch_of(self), self->chunks, chunks, self->numbers, &self->rows,
                        bodies->period.any, regrown));
    TRY(pair_rows_collect(&self->spare, self->chunks, chunks, &self->rows, self->left, bodies->count,
                          bodies->period.any, threads, regrown));
    TRY(pair_rows_take(&self->rows, &self->spare, bodies->period.any, threads, regrown));
    for (int i = 0; i < leavers; i++) self->left[self->leavers[i]] = 0;
    for (int i = 0; i < self->planes->count; i++) self->left[self->planes->items[i].slot] = 0;
    self->asked += leavers;
    return SCREE_OK;
}

scree_result fat_pairs_update(fat_pairs *self, const body_array *bodies, const bounds *boxes,
                              const plane_list *planes, scalar time_step, int threads, int *regrown) {
    const int count = bodies->count, pieces = (count + PIECE_SLOTS - 1) / PIECE_SLOTS;
    TRY(MEMORY_RESERVE(self->place, self->place_capacity, count, regrown));
    TRY(MEMORY_RESERVE(self->types, self->type_capacity, count, regrown));
    TRY(MEMORY_RESERVE(self->left, self->left_capacity, count, regrown));
    TRY(MEMORY_RESERVE(self->pieces, self->piece_capacity, pieces, regrown));
    self->planes = planes;
    bool listed = self->listed && self->listed_slots == count, planes_left = false;
    self->listed = false; /* in case of an error below */
    int64_t leavers = 0;
    if (listed) check_pieces(self, bodies, boxes, pieces, threads);
    for (int p = 0; p < pieces && listed; p++) {
        leavers += self->pieces[p].leavers;
        listed &= !self->pieces[p].strangers;
    }
    listed &= (leavers + self->asked) * MENDED_FRACTION <= count;
    listed = listed && check_planes(self, &planes_left);
    if (!listed)
        TRY(list_anew(self, bodies, boxes, time_step, threads, regrown));
    else if (leavers > 0 || planes_left)
        TRY(mend(self, bodies, boxes, time_step, pieces, planes_left, threads, regrown));
    self->listed = true;
    return SCREE_OK;
}

void fat_pairs_release(fat_pairs *self) {
    tree_release(&self->tree);
    pair_rows_release(&self->rows);
    self->spare.ends = (pair_ends){0};
    pair_rows_release(&self->spare);
    memory_release(self->chunks);
    memory_release(self->fat_planes);
    memory_release(self->pieces);
    memory_release(self->leavers);
    memory_release(self->left);
    memory_release(self->types);
    memory_release(self->place);
    scratch_release(&self->own_scratch);
    *self = (fat_pairs){0};
}
