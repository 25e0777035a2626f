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
    FEW = 192,  /* as many items, in the worst order, are sorted by insertion as fast as by digits */
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

typedef struct grid_loop {
    spread *slices, all;
    const tree *self;
    const bounds *boxes;
} grid_loop;

static void spread_slices(const void *context, slice part) {
    const grid_loop loop = *(const grid_loop *)context;
    for (int p = part.first; p < part.end; p++)
        loop.slices[p] = spread_of(loop.self, loop.boxes, slice_of(loop.self->count, p, SLICES));
}

static void add_slices(const void *context, slice part) {
    const grid_loop loop = *(const grid_loop *)context;
    for (int p = part.first; p < part.end; p++)
        add_deviations(loop.self, loop.boxes, slice_of(loop.self->count, p, SLICES), loop.all.mean,
                       &loop.slices[p]);
}

/* Returns the range of the centres, limited to 16 mean absolute deviations around their mean: a few bodies
 * that fell out of the scene must not coarsen the cells of all others. Those outside go to the outermost
 * cells. */
static grid grid_around(const tree *self, const bounds *boxes, int threads) {
    spread slices[SLICES], all = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, {0}, {0}};
    parallel_for(threads, SLICES, spread_slices,
                 &(const grid_loop){.slices = slices, .self = self, .boxes = boxes});
    for (int axis = 0; axis < 3; axis++)
        for (int p = 0; p < SLICES; p++) {
            all.low[axis] = fmin(all.low[axis], slices[p].low[axis]);
            all.high[axis] = fmax(all.high[axis], slices[p].high[axis]);
            all.mean[axis] += slices[p].mean[axis];
        }
    parallel_for(threads, SLICES, add_slices,
                 &(const grid_loop){.self = self, .boxes = boxes, .all = all, .slices = slices});
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

typedef struct key_loop {
    int *octaves;
    const bounds *boxes;
    tree *self;
    uint8_t *classes;
    grid cells;
} key_loop;

static void count_octaves(const void *context, slice part) {
    const key_loop loop = *(const key_loop *)context;
    int octaves[EXPONENT_COUNT] = {0};
    for (int i = part.first; i < part.end; i++)
        octaves[size_octave(&loop.boxes[loop.self->keys[i].member])]++;
    for (int k = 0; k < EXPONENT_COUNT; k++)
        if (octaves[k] > 0) parallel_add(&loop.octaves[k], octaves[k]);
}

static void key_slice(const void *context, slice part) {
    const key_loop loop = *(const key_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        const bounds *box = &loop.boxes[loop.self->keys[i].member];
        loop.self->keys[i].code = (uint64_t)loop.classes[size_octave(box)] << 3 * MORTON_BITS |
                                  morton_code(&loop.cells, box_centre(box));
    }
}

static void fill_keys(tree *self, const bounds *boxes, int threads) {
    int octaves[EXPONENT_COUNT] = {0};
    uint8_t classes[EXPONENT_COUNT] = {0};
    parallel_for(threads, self->count, count_octaves,
                 &(const key_loop){.octaves = octaves, .boxes = boxes, .self = self});
    size_classes(octaves, classes);
    const grid cells = grid_around(self, boxes, threads);
    parallel_for(threads, self->count, key_slice,
                 &(const key_loop){.boxes = boxes, .self = self, .classes = classes, .cells = cells});
}

typedef struct digit_loop {
    tree *self;
    int size, count, shift;
} digit_loop;

static void count_digits(const void *context, slice part) {
    const digit_loop loop = *(const digit_loop *)context;
    for (int chunk = part.first; chunk < part.end; chunk++) {
        int *histogram = loop.self->histogram + chunk * DIGIT_COUNT;
        memset(histogram, 0, DIGIT_COUNT * sizeof *histogram);
        for (int i = chunk * loop.size; i < loop.count && i < (chunk + 1) * loop.size; i++)
            histogram[loop.self->keys[i].code >> loop.shift & (DIGIT_COUNT - 1)]++;
    }
}

static void move_keys(const void *context, slice part) {
    const digit_loop loop = *(const digit_loop *)context;
    for (int chunk = part.first; chunk < part.end; chunk++) {
        int *next = loop.self->histogram + chunk * DIGIT_COUNT;
        for (int i = chunk * loop.size; i < loop.count && i < (chunk + 1) * loop.size; i++)
            loop.self->other[next[loop.self->keys[i].code >> loop.shift & (DIGIT_COUNT - 1)]++] =
                loop.self->keys[i];
    }
}

/* Makes one pass of a stable radix sort by the digit at `shift`. Chunks, not threads, own histograms, so that
 * the result does not depend on the threads. Returns false, and moves nothing, if all digits are equal. */
static bool sort_digit(tree *self, int shift, int threads) {
    const int count = self->count, size = (count + SORT_CHUNKS - 1) / SORT_CHUNKS;
    parallel_for(threads, SORT_CHUNKS, count_digits,
                 &(const digit_loop){.self = self, .size = size, .count = count, .shift = shift});
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
    parallel_for(threads, SORT_CHUNKS, move_keys,
                 &(const digit_loop){.self = self, .size = size, .count = count, .shift = shift});
    return true;
}

/* Sorts by insertion, which is stable too. */
static void sort_few(tree *self) {
    tree_key *keys = self->keys;
    for (int i = 1; i < self->count; i++) {
        const tree_key key = keys[i];
        int place = i;
        for (; place > 0 && keys[place - 1].code > key.code; place--) keys[place] = keys[place - 1];
        keys[place] = key;
    }
}

static void sort_keys(tree *self, int threads) {
    if (self->count <= FEW) {
        sort_few(self);
        return;
    }
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

typedef struct split_loop {
    int end, first, *children;
    tree *self;
} split_loop;

static void count_children(const void *context, slice part) {
    const split_loop loop = *(const split_loop *)context;
    for (int p = part.first; p < part.end; p++) {
        const slice here = slice_of(loop.end - loop.first, p, SLICES);
        loop.children[p] = 0;
        for (int i = loop.first + here.first; i < loop.first + here.end; i++)
            loop.children[p] += 2 * is_split(&loop.self->nodes[i]);
    }
}

static void split_slices(const void *context, slice part) {
    const split_loop loop = *(const split_loop *)context;
    for (int p = part.first; p < part.end; p++) {
        const slice here = slice_of(loop.end - loop.first, p, SLICES);
        split_slice(loop.self, loop.first + here.first, loop.first + here.end, loop.children[p]);
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
        parallel_for(parallel_threads(threads, end - first), SLICES, count_children,
                     &(const split_loop){.end = end, .first = first, .children = children, .self = self});
        next = end;
        for (int p = 0; p < SLICES; p++) {
            const int own = children[p];
            children[p] = next;
            next += own;
        }
        parallel_for(parallel_threads(threads, end - first), SLICES, split_slices,
                     &(const split_loop){.end = end, .first = first, .self = self, .children = children});
        self->node_count = end;
    }
    self->level_first[self->level_count] = self->node_count;
}

typedef struct refit_loop {
    int first;
    tree *self;
} refit_loop;

static void refit_slice(const void *context, slice part) {
    const refit_loop loop = *(const refit_loop *)context;
    for (int i = loop.first + part.first; i < loop.first + part.end; i++) {
        tree_node *node = &loop.self->nodes[i];
        if (node->child > 0) {
            const tree_node *left = &loop.self->nodes[node->child], *right = left + 1;
            node->lower = vec3_lesser(left->lower, right->lower);
            node->upper = vec3_greater(left->upper, right->upper);
            continue;
        }
        const bounds *box = &loop.self->boxes[node->end + node->child];
        node->lower = box->lower;
        node->upper = box->upper;
        for (box++; box < &loop.self->boxes[node->end]; box++) {
            node->lower = vec3_lesser(node->lower, box->lower);
            node->upper = vec3_greater(node->upper, box->upper);
        }
    }
}

/* Works from the deepest level up, each level in parallel. */
void tree_refit(tree *self, int threads) {
    for (int level = self->level_count - 1; level >= 0; level--) {
        const int first = self->level_first[level], end = self->level_first[level + 1];
        parallel_for(parallel_threads(threads, end - first), end - first, refit_slice,
                     &(const refit_loop){.self = self, .first = first});
    }
}

static scree_result reserve(tree *self, int count, int *regrown) {
    TRY(MEMORY_RESERVE(self->members, self->member_capacity, count, regrown));
    TRY(MEMORY_RESERVE(self->boxes, self->box_capacity, count, regrown));
    /* Each split adds two nodes, and there are fewer splits than items. */
    TRY(MEMORY_RESERVE(self->nodes, self->node_capacity, 2 * (size_t)count + 1, regrown));
    return MEMORY_RESERVE(self->histogram, self->histogram_capacity, SORT_CHUNKS * DIGIT_COUNT, regrown);
}

typedef struct member_loop {
    int count, *firsts;
    const bounds *boxes;
    tree *self;
} member_loop;

static void count_members(const void *context, slice part) {
    const member_loop loop = *(const member_loop *)context;
    for (int p = part.first; p < part.end; p++)
        for (int i = slice_of(loop.count, p, SLICES).first; i < slice_of(loop.count, p, SLICES).end; i++)
            loop.firsts[p + 1] += box_is_finite(&loop.boxes[i]);
}

static void list_slice(const void *context, slice part) {
    const member_loop loop = *(const member_loop *)context;
    for (int p = part.first; p < part.end; p++)
        for (int i = slice_of(loop.count, p, SLICES).first, to = loop.firsts[p];
             i < slice_of(loop.count, p, SLICES).end; i++)
            if (box_is_finite(&loop.boxes[i])) loop.self->keys[to++].member = i;
}

/* Lists the items with a finite box in the keys' members, ascending; returns their number. */
static int list_members(tree *self, const bounds *boxes, int count, int threads) {
    int firsts[SLICES + 1] = {0};
    parallel_for(threads, SLICES, count_members,
                 &(const member_loop){.count = count, .firsts = firsts, .boxes = boxes});
    for (int p = 0; p < SLICES; p++) firsts[p + 1] += firsts[p];
    parallel_for(threads, SLICES, list_slice,
                 &(const member_loop){.count = count, .firsts = firsts, .boxes = boxes, .self = self});
    return firsts[SLICES];
}

typedef struct order_loop {
    tree *self;
    const bounds *boxes;
} order_loop;

static void order_slice(const void *context, slice part) {
    const order_loop loop = *(const order_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        loop.self->members[i] = loop.self->keys[i].member;
        loop.self->boxes[i] = loop.boxes[loop.self->keys[i].member];
    }
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
    parallel_for(threads, self->count, order_slice, &(const order_loop){.self = self, .boxes = boxes});
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
