#include "opencl_pairs.h"

#include <limits.h>

/* Words of `counts`. */
enum { COUNT_BODIES, COUNT_PAIRS, COUNTS };
/* A capacity that is too small grows to 1.5 times the pairs, as buffers do, and the search is repeated. */
enum { FIRST_CAPACITY = 1 };

void opencl_pairs_open(opencl_pairs *self, opencl_device *device) {
    *self = (opencl_pairs){.found.capacity = FIRST_CAPACITY};
    opencl_primitives_open(&self->primitives, device);
    opencl_grid_open(&self->grid, &self->primitives);
    self->found.total = (device_word){&self->counts, COUNT_PAIRS};
    self->bodies.length.count = (device_word){&self->counts, COUNT_BODIES};
}

void opencl_pairs_close(opencl_pairs *self) {
    opencl_buffer *const buffers[] = {&self->bodies.boxes,  &self->bodies.types, &self->bodies.wanted,
                                      &self->bodies.planes, &self->found.a,      &self->found.b,
                                      &self->counts,        &self->first};
    if (!self->primitives.device) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives.device, buffers[i]);
    opencl_grid_close(&self->grid);
    opencl_primitives_close(&self->primitives);
}

#define SEND(self, buffer, items, count)                                                                     \
    opencl_buffer_write((self)->primitives.device, &(self)->buffer, items,                                   \
                        (size_t)(count) * sizeof *(items), CL_FALSE, #buffer)

/* Sends the bodies; `counts` must not change until the next wait. */
static scree_result send(opencl_pairs *self, const pair_search *search, const cl_uint counts[COUNTS]) {
    const int count = search->bodies->count;
    TRY(SEND(self, counts, counts, COUNTS));
    TRY(SEND(self, bodies.boxes, search->boxes, count));
    TRY(SEND(self, bodies.types, search->bodies->types, count));
    if (search->marked) TRY(SEND(self, bodies.wanted, search->marked, count));
    return SEND(self, bodies.planes, search->planes->items, search->planes->count);
}

/* Enqueues a search and waits for the number of pairs. */
static scree_result count_pairs(opencl_pairs *self, const grid_bodies *bodies, int slots,
                                cl_uint counts[COUNTS]) {
    opencl_device *device = self->primitives.device;
    TRY(opencl_grid_search(&self->grid, bodies, &self->found));
    TRY(opencl_grid_rows(&self->grid, &self->found, (cl_uint)slots, &self->first));
    TRY(opencl_buffer_read(device, &self->counts, counts, COUNTS * sizeof *counts, CL_TRUE, "counts"));
    if (counts[COUNT_PAIRS] > INT_MAX)
        return fail(SCREE_ERROR_CAPACITY, "pairs of bodies: %u or more; at most %d",
                    (unsigned)counts[COUNT_PAIRS], INT_MAX);
    return SCREE_OK;
}

/* Finds the pairs on the device and sets `count` to their number. */
static scree_result find(opencl_pairs *self, const grid_bodies *bodies, int slots, int *count, int *regrown) {
    cl_uint counts[COUNTS];
    TRY(count_pairs(self, bodies, slots, counts));
    if (counts[COUNT_PAIRS] > self->found.capacity) {
        const cl_uint pairs = counts[COUNT_PAIRS], grown = pairs + pairs / 2;
        self->found.capacity = grown > INT_MAX ? INT_MAX : grown;
        if (regrown) ++*regrown;
        TRY(count_pairs(self, bodies, slots, counts));
    }
    *count = (int)counts[COUNT_PAIRS];
    return SCREE_OK;
}

static scree_result read_back(const opencl_pairs *self, int slots, int count, pair_rows *out, int *regrown) {
    opencl_device *device = self->primitives.device;
    TRY(MEMORY_RESERVE(out->first, out->first_capacity, (size_t)slots + 1, regrown));
    TRY(pair_ends_reserve(&out->ends, count, false, regrown));
    TRY(opencl_buffer_read(device, &self->first, out->first, ((size_t)slots + 1) * sizeof *out->first,
                           CL_FALSE, "rows of pairs"));
    TRY(opencl_buffer_read(device, &self->found.b, out->ends.slots, (size_t)count * sizeof *out->ends.slots,
                           CL_FALSE, "pairs"));
    TRY(opencl_device_wait(device));
    out->slots = slots, out->count = count;
    return SCREE_OK;
}

scree_result opencl_pairs_find(opencl_pairs *self, const pair_search *search, pair_rows *out, int *regrown) {
    const int slots = search->bodies->count;
    const cl_uint counts[COUNTS] = {[COUNT_BODIES] = (cl_uint)slots};
    int count;
    TRY(send(self, search, counts));
    grid_bodies bodies = self->bodies;
    bodies.plane_count = (cl_uint)search->planes->count;
    bodies.length.capacity = (cl_uint)slots;
    if (!search->marked) bodies.wanted.memory = NULL;
    TRY(find(self, &bodies, slots, &count, regrown));
    return read_back(self, slots, count, out, regrown);
}
