/* Random sequential addition of grains to a region: each grain is tried at random positions until one is
 * free, largest grains first so that small ones fill the gaps. Neighbours are found in a hashed grid with one
 * level per halving of the radius; its memory depends on the number of grains, not on the region. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/morton.h"
#include "base/noise.h"
#include "scene.h"

typedef struct grain {
    float radius; /* of its bounding sphere */
    int item;
} grain;

enum { LEVELS = 32, NONE = -1 };

typedef struct grid {
    double cells[LEVELS]; /* side of a cell, m */
    int levels;           /* in use */
    uint64_t mask;
    int *heads; /* first grain of each bucket */
    int *next;
} grid;

/* Sorts by descending radius, then by item, so that the order is the same on every platform. */
static int compare(const void *a, const void *b) {
    const grain *p = a, *q = b;
    if (p->radius != q->radius) return p->radius < q->radius ? 1 : -1;
    return p->item < q->item ? -1 : p->item > q->item;
}

static uint64_t bucket(const grid *g, int level, int64_t x, int64_t y, int64_t z) {
    const uint64_t a = noise_mix((uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)level + 1);
    const uint64_t b = noise_mix(a + (uint64_t)y * UINT64_C(0x9e3779b97f4a7c15));
    return noise_mix(b + (uint64_t)z * UINT64_C(0x9e3779b97f4a7c15)) & g->mask;
}

/* Returns the level of a radius: level l has radii in (largest/2ˡ⁺¹, largest/2ˡ]. */
static int level_of(double largest, double radius) {
    int level = 0;
    while (level < LEVELS - 1 && radius <= largest * 0.5) {
        largest *= 0.5;
        level++;
    }
    return level;
}

/* Returns whether the position is free. Grains placed so far are no smaller, so cells as wide as the
 * diameters of their level need only their direct neighbours. */
static bool is_free(const grid *g, const grain *grains, const scree_vec3 *positions, scree_vec3 at,
                    float radius, double gap) {
    for (int level = 0; level < g->levels; level++) {
        const double side = g->cells[level];
        const int64_t x = (int64_t)floor(at.x / side), y = (int64_t)floor(at.y / side),
                      z = (int64_t)floor(at.z / side);
        for (int cell = 0; cell < 27; cell++) {
            const uint64_t slot = bucket(g, level, x + cell % 3 - 1, y + cell / 3 % 3 - 1, z + cell / 9 - 1);
            for (int k = g->heads[slot]; k != NONE; k = g->next[k]) {
                const scree_vec3 other = positions[grains[k].item];
                const double dx = (double)other.x - at.x, dy = (double)other.y - at.y,
                             dz = (double)other.z - at.z;
                const double reach = (double)grains[k].radius + radius + gap;
                if (dx * dx + dy * dy + dz * dz < reach * reach) return false;
            }
        }
    }
    return true;
}

static void add(grid *g, int k, int level, scree_vec3 at) {
    const double side = g->cells[level];
    const uint64_t slot = bucket(g, level, (int64_t)floor(at.x / side), (int64_t)floor(at.y / side),
                                 (int64_t)floor(at.z / side));
    g->next[k] = g->heads[slot];
    g->heads[slot] = k;
    if (level >= g->levels) g->levels = level + 1;
}

/* Draws a position at which the sphere lies inside the region, rounded to the body's precision so that tests
 * on it are exact. */
static scree_vec3 draw(const region *space, double radius, uint32_t key, uint32_t item) {
    double u[3];
    for (int axis = 0; axis < 3; axis++) u[axis] = noise_unit(key, item, NOISE_POSITION + axis);
    double x, y;
    if (space->kind == REGION_BOX) {
        x = (u[0] - 0.5) * (space->size[0] - 2 * radius);
        y = (u[1] - 0.5) * (space->size[1] - 2 * radius);
    } else {
        const double distance = (space->size[0] - radius) * sqrt(u[0]),
                     angle = 6.283185307179586476925 * u[1];
        x = distance * cos(angle);
        y = distance * sin(angle);
    }
    const double z = radius + u[2] * (space->height - 2 * radius);
    return (scree_vec3){(float)(space->position[0] + x), (float)(space->position[1] + y),
                        (float)(space->position[2] + z)};
}

/* Places the grains, largest first; stops at the first that finds no position. */
static void place(const generator *g, uint64_t seed, int index, grain *grains, grid *cells, packing *out) {
    const uint32_t size_key = noise_key(seed, (uint32_t)index, 0);
    for (int item = 0; item < g->count; item++)
        grains[item] =
            (grain){(float)generator_item_radius(g, generator_item_size(g, size_key, out, item)), item};
    if (g->sized) qsort(grains, (size_t)g->count, sizeof *grains, compare);
    for (uint64_t slot = 0; slot <= cells->mask; slot++) cells->heads[slot] = NONE;
    const double largest = grains[0].radius;
    for (int level = 0; level < LEVELS; level++) cells->cells[level] = ldexp(2 * largest, -level) + g->gap;
    for (int k = 0; k < g->count; k++) {
        const float radius = grains[k].radius;
        const uint32_t item = (uint32_t)grains[k].item;
        bool placed = false;
        for (int attempt = 0; attempt < g->attempts && !placed; attempt++) {
            const scree_vec3 at =
                draw(&g->space, radius, noise_key(seed, (uint32_t)index, (uint32_t)attempt), item);
            if (!is_free(cells, grains, out->positions, at, radius, g->gap)) continue;
            placed = true;
            out->positions[item] = at;
            add(cells, k, level_of(largest, radius), at);
            out->volume += generator_volume(g, generator_item_size(g, size_key, out, (int)item));
        }
        if (!placed) return;
        out->placed++;
    }
}

/* Draws sizes by grading, then shuffles them (Fisher–Yates), so that a lattice shows no pattern. */
scree_result packing_sizes(const generator *g, uint64_t seed, int index, packing *out) {
    *out = (packing){0};
    if (!g->sized || g->grains || !g->sizes.classes) return SCREE_OK;
    out->class_count = distribution_classes(&g->sizes, out->classes);
    out->sizes = memory_allocate((size_t)g->count, sizeof *out->sizes);
    if (!out->sizes) return fail(SCREE_ERROR_MEMORY, "out of memory for the sizes of %d grains", g->count);
    const uint64_t stream = noise_mix(seed + 1) + noise_mix((uint64_t)index + 1);
    for (int i = 0; i < g->count; i++) {
        int class;
        out->sizes[i] = grading_next(out->classes, out->class_count, g->sizes.basis == FRACTION_BY_NUMBER,
                                     stream, &class);
        const uint64_t other =
            noise_mix(stream + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15)) % (uint64_t)(i + 1);
        const double size = out->sizes[i];
        out->sizes[i] = out->sizes[other];
        out->sizes[other] = size;
    }
    return SCREE_OK;
}

/* An item and its position along a Morton curve through the region. */
typedef struct curve_place {
    uint64_t code;
    int item;
} curve_place;

static int along_curve(const void *one, const void *other) {
    const curve_place *a = one, *b = other;
    if (a->code != b->code) return a->code < b->code ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static uint64_t curve_code(const region *space, scree_vec3 at) {
    const double side = fmax(space->height, fmax(2 * space->size[0], space->size[1])),
                 scale = (1 << MORTON_BITS) / side;
    return morton_bits(((double)at.x - space->position[0] + side / 2) * scale, 0) |
           morton_bits(((double)at.y - space->position[1] + side / 2) * scale, 1) |
           morton_bits(((double)at.z - space->position[2]) * scale, 2);
}

/* Renumbers positions and sizes, so that neighbouring bodies are also close in memory: loops over contacts
 * then find both bodies in the cache. */
static scree_result sort_along_curve(const generator *g, uint64_t seed, int index, packing *out) {
    const uint32_t key = noise_key(seed, (uint32_t)index, 0);
    const size_t count = (size_t)g->count;
    SCOPED curve_place *order = memory_allocate(count, sizeof *order);
    double *sizes = memory_allocate(count, sizeof *sizes);
    scree_vec3 *positions = memory_allocate(count, sizeof *positions);
    for (int i = 0; order && i < g->count; i++)
        order[i] = (curve_place){curve_code(&g->space, out->positions[i]), i};
    if (order) qsort(order, count, sizeof *order, along_curve);
    for (int i = 0; order && sizes && positions && i < g->count; i++) {
        positions[i] = out->positions[order[i].item];
        sizes[i] = generator_item_size(g, key, out, order[i].item);
    }
    memory_release(out->positions);
    memory_release(out->sizes);
    out->positions = positions;
    out->sizes = sizes;
    return order && sizes && positions
               ? SCREE_OK
               : fail(SCREE_ERROR_MEMORY, "out of memory for sorting %d grains", g->count);
}

scree_result packing_make(const generator *g, uint64_t seed, int index, packing *out) {
    TRY(packing_sizes(g, seed, index, out));
    if (g->kind != GENERATOR_FILL) return SCREE_OK;
    uint64_t buckets = 16;
    while (buckets < 2 * (uint64_t)g->count) buckets *= 2;
    const size_t count = (size_t)g->count;
    SCOPED grain *grains = memory_allocate(count, sizeof *grains);
    SCOPED int *heads = memory_allocate(buckets, sizeof *heads);
    SCOPED int *next = memory_allocate(count, sizeof *next);
    out->positions = memory_allocate(count, sizeof *out->positions);
    if (!grains || !heads || !next || !out->positions)
        return fail(SCREE_ERROR_MEMORY, "out of memory for placing %d grains", g->count);
    grid cells = {.mask = buckets - 1, .heads = heads, .next = next};
    place(g, seed, index, grains, &cells, out);
    return out->placed == g->count ? sort_along_curve(g, seed, index, out) : SCREE_OK;
}

void packing_release(packing *places) {
    memory_release(places->positions);
    memory_release(places->sizes);
    *places = (packing){0};
}
