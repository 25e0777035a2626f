#include "broadphase.h"

#include "base/memory.h"
#include "rotation.h"
#include "shape.h"
#include "tree.h"

#include <limits.h>
#include <string.h>

enum {
    CHUNK_ITEMS = 256, /* items of the tree that are queried together */
    SHORT_ROW = 32,    /* longest row that is sorted by insertion */
    UNQUERIED = -1     /* the count of a chunk that is yet to be queried */
};

/* The pairs found by the queries of one chunk. `count` goes on counting when they no longer fit. */
typedef struct pair_chunk {
    int capacity;
    int64_t count;
    body_pair *pairs;
} pair_chunk;

/* A half-space: the points where normal · (x − origin) ≤ 0. */
typedef struct plane {
    int slot;
    vec3s normal, origin;
    scalar padding, turning;
} plane;

struct broadphase {
    tree tree;
    int chunk_capacity, plane_capacity, plane_count, pair_capacity, row_capacity, next_capacity;
    pair_chunk *chunks;
    plane *planes;
    body_pair *pairs;
    int *row_first; /* pairs of slot a: [row_first[a], row_first[a + 1]) */
    int *row_next;
};

scree_result broadphase_create(broadphase **out) {
    broadphase *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: the broadphase");
    *out = self;
    return SCREE_OK;
}

void broadphase_destroy(broadphase *self) {
    if (!self) return;
    tree_release(&self->tree);
    for (int i = 0; i < self->chunk_capacity; i++) memory_release(self->chunks[i].pairs);
    memory_release(self->chunks);
    memory_release(self->planes);
    memory_release(self->pairs);
    memory_release(self->row_first);
    memory_release(self->row_next);
    memory_release(self);
}

const tree *broadphase_tree(const broadphase *self) { return &self->tree; }

scree_result broadphase_build(broadphase *self, const body_array *bodies, const bounds *boxes, int threads,
                              int *regrown) {
    self->plane_count = 0;
    for (int slot = 0; slot < bodies->count; slot++) {
        if (bodies->types[slot] == SLOT_FREE || !shape_is_plane(bodies->shapes[slot])) continue;
        TRY(MEMORY_RESERVE(self->planes, self->plane_capacity, self->plane_count + 1, regrown));
        self->planes[self->plane_count++] = (plane){
            .slot = slot,
            .normal = rotate(bodies->poses[slot].rotation, vec3_of(0, 0, 1)),
            .origin = bodies->poses[slot].position,
            .padding = boxes[slot].padding,
            .turning = boxes[slot].turning,
        };
    }
    return tree_build(&self->tree, boxes, bodies->count, threads, regrown);
}

static void emit(pair_chunk *chunk, int first, int second) {
    if (chunk->count < chunk->capacity)
        chunk->pairs[chunk->count] = first < second ? (body_pair){first, second} : (body_pair){second, first};
    chunk->count++;
}

static bool meets_node(const bounds *box, const tree_node *node) {
    return (box->lower.x <= node->upper.x) & (node->lower.x <= box->upper.x) &
           (box->lower.y <= node->upper.y) & (node->lower.y <= box->upper.y) &
           (box->lower.z <= node->upper.z) & (node->lower.z <= box->upper.z);
}

/* Items after `item` in the tree's order whose boxes meet its box; those before it find it themselves. */
static void query_tree(const tree *within, int item, const body_array *bodies, pair_chunk *chunk) {
    const bounds box = within->boxes[item];
    const int slot = within->members[item];
    const bool dynamic = body_is_dynamic(bodies, slot);
    int stack[TREE_STACK], depth = 0;
    for (int index = 0;;) {
        const tree_node *node = &within->nodes[index];
        if (node->child > 0) {
            const tree_node *left = &within->nodes[node->child], *right = left + 1;
            const bool in_left = left->end > item + 1 && meets_node(&box, left);
            const bool in_right = right->end > item + 1 && meets_node(&box, right);
            if (in_left && in_right) stack[depth++] = node->child + 1;
            if (in_left || in_right) {
                index = in_left ? node->child : node->child + 1;
                continue;
            }
        } else {
            const int first = node->end + node->child;
            for (int other = first > item ? first : item + 1; other < node->end; other++)
                if (bounds_meet(&box, &within->boxes[other]) &&
                    (dynamic || body_is_dynamic(bodies, within->members[other])))
                    emit(chunk, slot, within->members[other]);
        }
        if (depth == 0) return;
        index = stack[--depth];
    }
}

/* The box's support point against the normal is centre · n − |n| · extent above the plane. The slack covers
 * the rounding of that sum, so that no box that truly meets the plane is missed. */
static bool box_meets_plane(const bounds *box, const plane *wall) {
    const vec3s n = wall->normal;
    const vec3s extent = glms_vec3_scale(glms_vec3_sub(box->upper, box->lower), 0.5f);
    const vec3s centre = glms_vec3_sub(glms_vec3_add(box->lower, extent), wall->origin);
    const scalar size = scalar_abs(n.x) * extent.x + scalar_abs(n.y) * extent.y + scalar_abs(n.z) * extent.z;
    const scalar distance = glms_vec3_norm(centre);
    const scalar reach = wall->padding + wall->turning * distance + 1e-6f * (distance + size);
    return glms_vec3_dot(n, centre) - size <= reach;
}

static void query_chunk(const broadphase *self, int number, const body_array *bodies, pair_chunk *chunk) {
    const tree *within = &self->tree;
    const int first = number * CHUNK_ITEMS;
    chunk->count = 0;
    for (int item = first; item < within->count && item < first + CHUNK_ITEMS; item++) {
        query_tree(within, item, bodies, chunk);
        if (!body_is_dynamic(bodies, within->members[item])) continue;
        for (int i = 0; i < self->plane_count; i++)
            if (box_meets_plane(&within->boxes[item], &self->planes[i]))
                emit(chunk, within->members[item], self->planes[i].slot);
    }
}

/* Queries all chunks. A chunk that finds more than it has room for is queried again with room enough: buffers
 * grow here, outside the parallel loop, so that one thread allocates, and in the same order whatever their
 * number. */
static scree_result query_all(broadphase *self, const body_array *bodies, int chunk_count, int threads,
                              int *found, int *regrown) {
    for (int i = 0; i < chunk_count; i++) self->chunks[i].count = UNQUERIED;
    int64_t sum = 0;
    for (bool again = true; again;) {
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int i = 0; i < chunk_count; i++)
            if (self->chunks[i].count == UNQUERIED) query_chunk(self, i, bodies, &self->chunks[i]);
        again = false;
        sum = 0;
        for (int i = 0; i < chunk_count; i++) {
            pair_chunk *chunk = &self->chunks[i];
            sum += chunk->count;
            if (chunk->count <= chunk->capacity) continue;
            TRY(MEMORY_RESERVE(chunk->pairs, chunk->capacity, chunk->count + chunk->count / 4, regrown));
            chunk->count = UNQUERIED;
            again = true;
        }
    }
    if (sum > INT_MAX)
        return fail(SCREE_ERROR_CAPACITY, "%lld pairs of bodies are more than an index can count (%d)",
                    (long long)sum, INT_MAX);
    *found = (int)sum;
    return SCREE_OK;
}

/* Counts one up and returns the number before. */
static int take(int *counter, bool contended) {
    int before;
    if (contended) {
#pragma omp atomic capture
        before = (*counter)++;
    } else {
        before = (*counter)++;
    }
    return before;
}

static void sift_down(body_pair *row, int from, int count) {
    const body_pair item = row[from];
    for (int child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && row[child + 1].b > row[child].b) child++;
        if (row[child].b <= item.b) break;
        row[from] = row[child];
    }
    row[from] = item;
}

/* Sorts the pairs of one a by b: insertion for the usual handful, heap sort for the rows of large bodies. */
static void sort_row(body_pair *row, int count) {
    if (count <= SHORT_ROW) {
        for (int i = 1; i < count; i++) {
            const body_pair item = row[i];
            int j = i;
            for (; j > 0 && row[j - 1].b > item.b; j--) row[j] = row[j - 1];
            row[j] = item;
        }
        return;
    }
    for (int from = count / 2 - 1; from >= 0; from--) sift_down(row, from, count);
    for (int end = count - 1; end > 0; end--) {
        const body_pair largest = row[0];
        row[0] = row[end], row[end] = largest;
        sift_down(row, 0, end);
    }
}

/* Sorts by counting: pairs go to the row of their a in whatever order threads come, and each row, whose b are
 * all different, is then sorted; so the result does not depend on that order. */
static void collect_rows(broadphase *self, int chunk_count, int body_count, int threads) {
    const bool contended = threads > 1;
    int *count = self->row_next;
    memset(count, 0, (size_t)body_count * sizeof *count);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < chunk_count; i++)
        for (int64_t k = 0; k < self->chunks[i].count; k++)
            take(&count[self->chunks[i].pairs[k].a], contended);
    int sum = 0;
    for (int a = 0; a < body_count; a++) {
        self->row_first[a] = sum;
        sum += count[a];
        self->row_next[a] = self->row_first[a];
    }
    self->row_first[body_count] = sum;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < chunk_count; i++)
        for (int64_t k = 0; k < self->chunks[i].count; k++) {
            const body_pair pair = self->chunks[i].pairs[k];
            self->pairs[take(&self->row_next[pair.a], contended)] = pair;
        }
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (int a = 0; a < body_count; a++)
        sort_row(self->pairs + self->row_first[a], self->row_first[a + 1] - self->row_first[a]);
}

scree_result broadphase_pairs(broadphase *self, const body_array *bodies, const bounds *boxes, int threads,
                              const body_pair **pairs, int *count, int *regrown) {
    (void)boxes; /* the tree has them in its own order */
    const int chunk_count = (self->tree.count + CHUNK_ITEMS - 1) / CHUNK_ITEMS;
    int found = 0;
    TRY(MEMORY_RESERVE(self->chunks, self->chunk_capacity, chunk_count, regrown));
    TRY(MEMORY_RESERVE(self->row_first, self->row_capacity, (size_t)bodies->count + 1, regrown));
    TRY(MEMORY_RESERVE(self->row_next, self->next_capacity, bodies->count, regrown));
    TRY(query_all(self, bodies, chunk_count, threads, &found, regrown));
    TRY(MEMORY_RESERVE(self->pairs, self->pair_capacity, found, regrown));
    collect_rows(self, chunk_count, bodies->count, threads);
    *pairs = self->pairs;
    *count = found;
    return SCREE_OK;
}
