/* The device's broadphase on boxes of a test, and the pairs that plain loops find. */
#pragma once

#include "primitives_rig.h"
#include "device/opencl/opencl_grid.h"
#include "detect/plane.h"
#include "geometry/bounds.h"

#include <math.h>

/* Bodies of a test: n in use of n + spare; those beyond must not matter. */
typedef struct box_sample {
    uint32_t n, spare;
    bounds *boxes;
    const uint8_t *types, *wanted; /* null: all are dynamic; all are wanted */
    plane_list planes;
} box_sample;

static inline box_sample boxes_make(uint32_t n, uint32_t spare) {
    box_sample self = {.n = n, .spare = spare, .boxes = rig_array(n + spare, sizeof *self.boxes)};
    for (uint32_t i = n; i < n + spare; i++)
        self.boxes[i] = (bounds){.lower = {-INFINITY, -1e6f, -1e6f}, .upper = {INFINITY, 1e6f, 1e6f}};
    return self;
}

static inline bounds box_at(vec3s lower, vec3s side) {
    return (bounds){.lower = lower, .upper = glms_vec3_add(lower, side)};
}

static inline vec3s random_vector(uint64_t *seed, double low, double high) {
    vec3s v;
    v.x = (float)random_between(seed, low, high);
    v.y = (float)random_between(seed, low, high);
    v.z = (float)random_between(seed, low, high);
    return v;
}

/* Pairs found on either side; `total` may exceed the number of those listed. */
typedef struct found_pairs {
    uint32_t total, listed, capacity;
    uint32_t *a, *b;
} found_pairs;

static inline found_pairs found_make(uint32_t capacity) {
    return (found_pairs){.capacity = capacity,
                         .a = rig_array(capacity, sizeof(uint32_t)),
                         .b = rig_array(capacity, sizeof(uint32_t))};
}
static inline void found_add(found_pairs *self, uint32_t a, uint32_t b) {
    if (self->total++ >= self->capacity) return;
    self->a[self->listed] = a, self->b[self->listed++] = b;
}
static inline void found_release(found_pairs *self) {
    free(self->a);
    free(self->b);
}

/* Returns whether a box meets any: it is finite, and holds a point. */
static inline bool box_holds_any(const bounds *box) {
    return isfinite(box->lower.x + box->lower.y + box->lower.z) &&
           isfinite(box->upper.x + box->upper.y + box->upper.z) && bounds_meet(box, box);
}

static inline const body_plane *plane_at_slot(const box_sample *s, uint32_t slot) {
    for (int i = 0; i < s->planes.count; i++)
        if (s->planes.items[i].slot == (int)slot) return &s->planes.items[i];
    return NULL;
}

/* Returns whether two bodies of a sample are a pair. */
static inline bool sample_meets(const box_sample *s, uint32_t a, uint32_t b) {
    const body_plane *plane_a = plane_at_slot(s, a), *plane_b = plane_at_slot(s, b);
    if (s->types && s->types[a] != SLOT_DYNAMIC && s->types[b] != SLOT_DYNAMIC) return false;
    if (s->wanted && !s->wanted[a] && !s->wanted[b]) return false;
    if (plane_a) return box_holds_any(&s->boxes[b]) && plane_meets(plane_a, &s->boxes[b]);
    if (plane_b) return box_holds_any(&s->boxes[a]) && plane_meets(plane_b, &s->boxes[a]);
    return box_holds_any(&s->boxes[a]) && box_holds_any(&s->boxes[b]) &&
           bounds_meet(&s->boxes[a], &s->boxes[b]);
}

/* Appends all pairs in order; only their number if the capacity is 0. */
static inline void plain_pairs(box_sample s, found_pairs *out) {
    for (uint32_t a = 0; a < s.n; a++)
        for (uint32_t b = a + 1; b < s.n; b++)
            if (sample_meets(&s, a, b)) found_add(out, a, b);
}

static inline found_pairs all_pairs(box_sample s) {
    found_pairs counted = found_make(0);
    plain_pairs(s, &counted);
    found_pairs self = found_make(counted.total);
    plain_pairs(s, &self);
    found_release(&counted);
    return self;
}

/* Sends the bodies of a sample to the device. */
static inline grid_bodies bodies_send(box_sample s) {
    const uint32_t slots = s.n + s.spare;
    grid_bodies self = {.plane_count = (cl_uint)s.planes.count};
    uint8_t *types = rig_array(slots, sizeof *types);
    memset(types, SLOT_DYNAMIC, slots);
    if (s.types) memcpy(types, s.types, s.n);
    rig_send(&self.boxes, s.boxes, slots * sizeof *s.boxes);
    rig_send(&self.types, types, slots);
    if (s.wanted) rig_send(&self.wanted, s.wanted, s.n);
    rig_send(&self.planes, s.planes.items, (size_t)s.planes.count * sizeof *s.planes.items);
    self.length = rig_length(s.n, slots, 0);
    free(types);
    return self;
}

/* Rows begin where a plain loop over the pairs says; `listed` of them are in the list. */
static inline void expect_rows(opencl_grid *grid, const device_pairs *pairs, const found_pairs *found,
                               uint32_t slots) {
    opencl_buffer first = {0};
    uint32_t *rows = rig_array(slots + 1, sizeof *rows), pair = 0;
    CHECK(opencl_grid_rows(grid, pairs, slots, &first));
    rig_read(&first, rows, (slots + 1) * sizeof *rows);
    for (uint32_t a = 0; a <= slots; a++) {
        while (pair < found->listed && found->a[pair] < a) pair++;
        assert_int_equal(rows[a], pair);
    }
    opencl_buffer_release(&rig.device, &first);
    free(rows);
}

/* Searches on the device with a list of that capacity. */
static inline found_pairs device_search(opencl_grid *grid, box_sample s, uint32_t capacity) {
    grid_bodies bodies = bodies_send(s);
    device_pairs pairs = {.capacity = capacity, .total = rig_total_word};
    opencl_buffer *const buffers[] = {&bodies.boxes,  &bodies.types, &bodies.wanted,
                                      &bodies.planes, &pairs.a,      &pairs.b};
    found_pairs self = found_make(capacity);
    opencl_scratch_clear(&rig.device);
    CHECK(opencl_grid_search(grid, &bodies, &pairs));
    self.total = rig_total();
    self.listed = self.total < capacity ? self.total : capacity;
    if (capacity > 0) rig_read(&pairs.a, self.a, self.listed * sizeof *self.a);
    if (capacity > 0) rig_read(&pairs.b, self.b, self.listed * sizeof *self.b);
    if (self.listed == self.total) expect_rows(grid, &pairs, &self, s.n);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(&rig.device, buffers[i]);
    return self;
}

static inline void expect_pairs(const found_pairs *found, const found_pairs *expected) {
    assert_int_equal(found->total, expected->total);
    for (uint32_t k = 0; k < found->listed && found->listed == expected->listed; k++)
        if (found->a[k] != expected->a[k] || found->b[k] != expected->b[k])
            fail_msg("pair %u of %u: (%u, %u); expected (%u, %u)", k, found->total, found->a[k], found->b[k],
                     expected->a[k], expected->b[k]);
}

/* A list that is too short counts all pairs, as does one whose capacity is exact; then the pairs are those of
 * a plain loop. Returns their number. */
static inline uint32_t check_boxes(opencl_grid *grid, box_sample s) {
    found_pairs expected = all_pairs(s);
    const uint32_t total = expected.total, capacities[] = {1, total};
    for (int k = 0; k < 2; k++) {
        found_pairs found = device_search(grid, s, capacities[k]);
        expect_pairs(&found, &expected);
        assert_int_equal(found.listed, total < capacities[k] ? total : capacities[k]);
        found_release(&found);
    }
    found_release(&expected);
    return total;
}
