#include "tree.h"

#include "base/memory.h"
#include "base/morton.h"
#include "base/parallel.h"

#include <float.h>
#include <string.h>

enum {
    CLASS_LIMIT = 16,     /* most size classes */
    CLASS_OCTAVES = 6,    /* a class holds sizes within a factor of 2⁶ */
    EXPONENT_COUNT = 512, /* more than the binary exponents of a float */
    DIGIT_BITS = 8,
    DIGIT_COUNT = 1 << DIGIT_BITS,
    SORT_CHUNKS = 32,
    SLICES = 32 /* slices of items and nodes that threads share, whatever their number */
};

static bool box_is_finite(const bounds *box) {
    return isfinite(box->lower.x) && isfinite(box->lower.y) && isfinite(box->lower.z) &&
           isfinite(box->upper.x) && isfinite(box->upper.y) && isfinite(box->upper.z) &&
           box->lower.x <= box->upper.x && box->lower.y <= box->upper.y && box->lower.z <= box->upper.z;
}

/* Halves first: the sum of two large coordinates may overflow. */
static vec3s box_centre(const bounds *box) {
    return glms_vec3_add(glms_vec3_scale(box->lower, 0.5f), glms_vec3_scale(box->upper, 0.5f));
}

/* Returns the binary exponent of half the longest side as an index into a table of EXPONENT_COUNT; 0 for a
 * point. */
static int size_octave(const bounds *box) {
    const vec3s half = glms_vec3_sub(glms_vec3_scale(box->upper, 0.5f), glms_vec3_scale(box->lower, 0.5f));
    const scalar size = scalar_max(half.x, scalar_max(half.y, half.z));
    if (!(size > 0)) return 0;
    int exponent;
    frexpf(size, &exponent);
    return exponent + EXPONENT_COUNT / 2;
}

/* Assigns sizes to classes. A hierarchy by position alone suffers from bodies of very different size: each
 * large box inflates all nodes above it and lies among small ones. So each class of sizes is a subtree of its
 * own. Classes are cut greedily from the largest size down, so that no fixed boundary cuts a narrow range of
 * sizes in two. A query of an item against those after it then tests small against large, which costs one
 * descent and the hits. */
static void size_classes(const int *octaves, uint8_t *classes) {
    int first_octave[CLASS_LIMIT], count = 0;
    for (int octave = EXPONENT_COUNT - 1; octave >= 0; octave--) {
        if (!octaves[octave]) continue;
        if (count == 0 || (octave <= first_octave[count - 1] - CLASS_OCTAVES && count < CLASS_LIMIT))
            first_octave[count++] = octave;
        classes[octave] = (uint8_t)(count - 1);
    }
    for (int octave = 0; octave < EXPONENT_COUNT; octave++)
        classes[octave] = (uint8_t)(count - 1 - classes[octave]);
}

/* Grid of the centres: each axis from `origin`, `scale` cells per metre. */
typedef struct grid {
    double origin[3], scale[3];
} grid;

/* Statistics of the centres of some items, along each axis. */
typedef struct spread {
    double low[3], high[3], mean[3], deviation[3];
} spread;

static spread spread_of(const tree *self, const bounds *boxes, slice items) {
    spread out = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, {0}, {0}};
    for (int i = items.first; i < items.end; i++) {
        const vec3s centre = box_centre(&boxes[self->keys[i].member]);
        for (int axis = 0; axis < 3; axis++) {
            const double x = (double)vec3_along(centre, axis);
            if (x < out.low[axis]) out.low[axis] = x;
            if (x > out.high[axis]) out.high[axis] = x;
            out.mean[axis] += x / self->count;
        }
    }
    return out;
}

static void add_deviations(const tree *self, const bounds *boxes, slice items, const double mean[3],
                           spread *out) {
    for (int i = items.first; i < items.end; i++) {
        const vec3s centre = box_centre(&boxes[self->keys[i].member]);
        for (int axis = 0; axis < 3; axis++)
            out->deviation[axis] += fabs((double)vec3_along(centre, axis) - mean[axis]) / self->count;
    }
}

/* Returns the range of the centres, limited to 16 mean absolute deviations around their mean: a few bodies
 * that fell out of the scene must not coarsen the cells of all others. Those outside go to the outermost
 * cells. */
static grid grid_around(const tree *self, const bounds *boxes, int threads) {
    spread slices[SLICES], all = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, {0}, {0}};
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int p = 0; p < SLICES; p++) slices[p] = spread_of(self, boxes, slice_of(self->count, p, SLICES));
    for (int axis = 0; axis < 3; axis++)
        for (int p = 0; p < SLICES; p++) {
            all.low[axis] = fmin(all.low[axis], slices[p].low[axis]);
            all.high[axis] = fmax(all.high[axis], slices[p].high[axis]);
            all.mean[axis] += slices[p].mean[axis];
        }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int p = 0; p < SLICES; p++)
        add_deviations(self, boxes, slice_of(self->count, p, SLICES), all.mean, &slices[p]);
    grid cells;
    for (int axis = 0; axis < 3; axis++) {
        for (int p = 0; p < SLICES; p++) all.deviation[axis] += slices[p].deviation[axis];
        const double around = 16 * all.deviation[axis];
        cells.origin[axis] = fmax(all.low[axis], all.mean[axis] - around);
        const double length = fmin(all.high[axis], all.mean[axis] + around) - cells.origin[axis];
        cells.scale[axis] = length > 0 ? ((1 << MORTON_BITS) - 1) / length : 0;
    }
    return cells;
}

static uint64_t morton_code(const grid *cells, vec3s centre) {
    uint64_t code = 0;
    for (int axis = 0; axis < 3; axis++)
        code |=
            morton_bits(((double)vec3_along(centre, axis) - cells->origin[axis]) * cells->scale[axis], axis);
    return code;
}

static void fill_keys(tree *self, const bounds *boxes, int threads) {
    int octaves[EXPONENT_COUNT] = {0};
    uint8_t classes[EXPONENT_COUNT] = {0};
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : octaves[:EXPONENT_COUNT])
    for (int i = 0; i < self->count; i++) octaves[size_octave(&boxes[self->keys[i].member])]++;
    size_classes(octaves, classes);
    const grid cells = grid_around(self, boxes, threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < self->count; i++) {
        const bounds *box = &boxes[self->keys[i].member];
        self->keys[i].code =
            (uint64_t)classes[size_octave(box)] << 3 * MORTON_BITS | morton_code(&cells, box_centre(box));
    }
}

/* Makes one pass of a stable radix sort by the digit at `shift`. Chunks, not threads, own histograms, so that
 * the result does not depend on the threads. Returns false, and moves nothing, if all digits are equal. */
static bool sort_digit(tree *self, int shift, int threads) {
    const int count = self->count, size = (count + SORT_CHUNKS - 1) / SORT_CHUNKS;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int chunk = 0; chunk < SORT_CHUNKS; chunk++) {
        int *histogram = self->histogram + chunk * DIGIT_COUNT;
        memset(histogram, 0, DIGIT_COUNT * sizeof *histogram);
        for (int i = chunk * size; i < count && i < (chunk + 1) * size; i++)
            histogram[self->keys[i].code >> shift & (DIGIT_COUNT - 1)]++;
    }
    int sum = 0;
    for (int digit = 0; digit < DIGIT_COUNT; digit++) {
        const int before = sum;
        for (int chunk = 0; chunk < SORT_CHUNKS; chunk++) {
            int *slot = &self->histogram[chunk * DIGIT_COUNT + digit];
            const int here = *slot;
            *slot = sum;
            sum += here;
        }
        if (sum - before == count) return false;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int chunk = 0; chunk < SORT_CHUNKS; chunk++) {
        int *next = self->histogram + chunk * DIGIT_COUNT;
        for (int i = chunk * size; i < count && i < (chunk + 1) * size; i++)
            self->other[next[self->keys[i].code >> shift & (DIGIT_COUNT - 1)]++] = self->keys[i];
    }
    return true;
}

static void sort_keys(tree *self, int threads) {
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (!sort_digit(self, shift, threads)) continue;
        tree_key *sorted = self->other;
        self->other = self->keys;
        self->keys = sorted;
    }
}

/* Returns where to cut the keys [first, end): before the first key that has the highest bit in which they
 * differ; in the middle if all are equal. */
static int split_of(const tree_key *keys, int first, int end) {
    const uint64_t differing = keys[first].code ^ keys[end - 1].code;
    if (!differing) return first + (end - first) / 2;
    const uint64_t bit = UINT64_C(1) << (63 - __builtin_clzll(differing));
    int low = first, high = end - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (keys[middle].code & bit)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* While the topology is built, a node's `child` holds its number of items, negated, as in a leaf. */
static bool is_split(const tree_node *node) { return -node->child > TREE_LEAF; }

/* Gives the nodes [first, end) of a level their children, consecutively from `child` on. */
static void split_slice(tree *self, int first, int end, int child) {
    for (int i = first; i < end; i++) {
        tree_node *node = &self->nodes[i];
        if (!is_split(node)) continue;
        const int begin = node->end + node->child, split = split_of(self->keys, begin, node->end);
        self->nodes[child] = (tree_node){.child = begin - split, .end = split};
        self->nodes[child + 1] = (tree_node){.child = split - node->end, .end = node->end};
        node->child = child;
        child += 2;
    }
}

/* Splits level by level from the root, the slices of a level in parallel. The children of preceding slices
 * are counted first. */
static void split_nodes(tree *self, int threads) {
    self->nodes[0] = (tree_node){.child = -self->count, .end = self->count};
    self->level_count = 0;
    for (int first = 0, end = 1, next; first < end; first = end, end = next) {
        int children[SLICES];
        self->level_first[self->level_count++] = first;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(threads, end - first))
        for (int p = 0; p < SLICES; p++) {
            const slice here = slice_of(end - first, p, SLICES);
            children[p] = 0;
            for (int i = first + here.first; i < first + here.end; i++)
                children[p] += 2 * is_split(&self->nodes[i]);
        }
        next = end;
        for (int p = 0; p < SLICES; p++) {
            const int own = children[p];
            children[p] = next;
            next += own;
        }
#pragma omp parallel for schedule(static) num_threads(parallel_threads(threads, end - first))
        for (int p = 0; p < SLICES; p++) {
            const slice here = slice_of(end - first, p, SLICES);
            split_slice(self, first + here.first, first + here.end, children[p]);
        }
        self->node_count = end;
    }
    self->level_first[self->level_count] = self->node_count;
}

/* Works from the deepest level up, each level in parallel. */
void tree_refit(tree *self, int threads) {
    for (int level = self->level_count - 1; level >= 0; level--) {
        const int first = self->level_first[level], end = self->level_first[level + 1];
#pragma omp parallel for schedule(static) num_threads(parallel_threads(threads, end - first))
        for (int i = first; i < end; i++) {
            tree_node *node = &self->nodes[i];
            if (node->child > 0) {
                const tree_node *left = &self->nodes[node->child], *right = left + 1;
                node->lower = vec3_lesser(left->lower, right->lower);
                node->upper = vec3_greater(left->upper, right->upper);
                continue;
            }
            const bounds *box = &self->boxes[node->end + node->child];
            node->lower = box->lower;
            node->upper = box->upper;
            for (box++; box < &self->boxes[node->end]; box++) {
                node->lower = vec3_lesser(node->lower, box->lower);
                node->upper = vec3_greater(node->upper, box->upper);
            }
        }
    }
}

static scree_result reserve(tree *self, int count, int *regrown) {
    TRY(MEMORY_RESERVE(self->members, self->member_capacity, count, regrown));
    TRY(MEMORY_RESERVE(self->boxes, self->box_capacity, count, regrown));
    /* Each split adds two nodes, and there are fewer splits than items. */
    TRY(MEMORY_RESERVE(self->nodes, self->node_capacity, 2 * (size_t)count + 1, regrown));
    return MEMORY_RESERVE(self->histogram, self->histogram_capacity, SORT_CHUNKS * DIGIT_COUNT, regrown);
}

/* Lists the items with a finite box in the keys' members, ascending; returns their number. */
static int list_members(tree *self, const bounds *boxes, int count, int threads) {
    int firsts[SLICES + 1] = {0};
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int p = 0; p < SLICES; p++)
        for (int i = slice_of(count, p, SLICES).first; i < slice_of(count, p, SLICES).end; i++)
            firsts[p + 1] += box_is_finite(&boxes[i]);
    for (int p = 0; p < SLICES; p++) firsts[p + 1] += firsts[p];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int p = 0; p < SLICES; p++)
        for (int i = slice_of(count, p, SLICES).first, to = firsts[p]; i < slice_of(count, p, SLICES).end;
             i++)
            if (box_is_finite(&boxes[i])) self->keys[to++].member = i;
    return firsts[SLICES];
}

scree_result tree_build(tree *self, const bounds *boxes, int count, tree_key *scratch, int threads,
                        int *regrown) {
    self->count = self->node_count = self->level_count = 0;
    TRY(reserve(self, count, regrown));
    self->keys = scratch;
    self->other = scratch + count;
    self->count = list_members(self, boxes, count, threads);
    if (self->count == 0) return SCREE_OK;
    fill_keys(self, boxes, threads);
    sort_keys(self, threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < self->count; i++) {
        self->members[i] = self->keys[i].member;
        self->boxes[i] = boxes[self->keys[i].member];
    }
    split_nodes(self, threads);
    tree_refit(self, threads);
    return SCREE_OK;
}

void tree_walk_begin(tree_walk *self, const tree *within, const bounds *box) {
    self->within = within;
    self->box = *box;
    self->item = self->end = 0;
    self->depth = within->node_count > 0;
    self->stack[0] = 0;
}

int tree_walk_next(tree_walk *self) {
    for (;;) {
        while (self->item < self->end)
            if (bounds_meet(&self->box, &self->within->boxes[self->item++])) return self->item - 1;
        if (self->depth == 0) return -1;
        const tree_node *node = &self->within->nodes[self->stack[--self->depth]];
        if (!bounds_reach(&self->box, node->lower, node->upper)) continue;
        if (node->child > 0) {
            self->stack[self->depth++] = node->child + 1;
            self->stack[self->depth++] = node->child;
        } else {
            self->item = node->end + node->child;
            self->end = node->end;
        }
    }
}

void tree_release(tree *self) {
    memory_release(self->members);
    memory_release(self->boxes);
    memory_release(self->nodes);
    memory_release(self->histogram);
    *self = (tree){0};
}
