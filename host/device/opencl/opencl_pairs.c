#include "opencl_pairs.h"

#include <limits.h>
#include <string.h>

/* A capacity that is too small grows to an eighth more than the pairs, as buffers do, and the search is
 * repeated. */
enum { FIRST_CAPACITY = 1 };

void opencl_pairs_open(opencl_pairs *self, opencl_device *device) {
    *self = (opencl_pairs){.found.capacity = FIRST_CAPACITY};
    opencl_primitives_open(&self->primitives, device);
    opencl_grid_open(&self->grid, &self->primitives);
    opencl_images_open(&self->images, &self->primitives);
    self->found.total = (device_word){&self->counts, PAIR_COUNT_PAIRS};
    self->bodies.length.count = (device_word){&self->counts, PAIR_COUNT_BODIES};
}

void opencl_pairs_close(opencl_pairs *self) {
    opencl_buffer *const buffers[] = {&self->bodies.boxes,  &self->bodies.types, &self->bodies.wanted,
                                      &self->bodies.planes, &self->found.a,      &self->found.b,
                                      &self->found.images,  &self->counts,       &self->first};
    if (!self->primitives.device) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives.device, buffers[i]);
    memory_release(self->planes);
    opencl_grid_close(&self->grid);
    opencl_images_close(&self->images);
    opencl_primitives_close(&self->primitives);
}

void opencl_pairs_shrink(opencl_pairs *self) {
    opencl_images_shrink(&self->images);
    self->found.capacity = FIRST_CAPACITY;
}

#define SEND(self, buffer, items, count)                                                                     \
    opencl_buffer_write((self)->primitives.device, &(self)->buffer, items,                                   \
                        (size_t)(count) * sizeof *(items), CL_FALSE, #buffer)

/* Takes memory for the boxes of bodies and images. */
static scree_result share_boxes(opencl_pairs *self, size_t bodies) {
    const size_t boxes = bodies + (self->bodies.images ? self->images.capacity : 0);
    return opencl_buffer_share(self->primitives.device, &self->bodies.boxes, boxes * sizeof(bounds),
                               "boxes of bodies");
}

/* Sends which bodies have no images along an axis. */
static scree_result send_period(opencl_pairs *self, const body_array *bodies) {
    const vec3s length = bodies->period.length;
    self->bodies.images = NULL;
    if (!bodies->period.any) return SCREE_OK;
    self->bodies.images = &self->images, self->bodies.endless = &self->images.endless;
    self->bodies.period[0] = length.x, self->bodies.period[1] = length.y, self->bodies.period[2] = length.z;
    if (self->endless_sent == bodies->definitions + 1) return SCREE_OK;
    TRY(SEND(self, images.endless, bodies->endless, bodies->count));
    self->endless_sent = bodies->definitions + 1;
    return SCREE_OK;
}

scree_result opencl_pairs_read_images(opencl_pairs *self, cl_uint words[PERIODIC_SPAN]) {
    memset(words, 0, PERIODIC_SPAN * sizeof *words);
    if (!self->bodies.images) return SCREE_OK;
    return opencl_buffer_read(self->primitives.device, &self->images.words, words,
                              PERIODIC_SPAN * sizeof *words, CL_FALSE, "numbers of images");
}

scree_result opencl_pairs_send(opencl_pairs *self, const pair_search *search) {
    const int count = search->bodies->count;
    TRY(send_period(self, search->bodies));
    self->sent[PAIR_COUNT_BODIES] = (cl_uint)count, self->sent[PAIR_COUNT_PAIRS] = 0;
    self->bodies.length.capacity = (cl_uint)count;
    self->bodies.plane_count = (cl_uint)search->planes->count;
    self->marked = search->marked != NULL;
    self->described = 0;
    TRY(SEND(self, counts, self->sent, PAIR_COUNTS));
    TRY(share_boxes(self, (size_t)count));
    TRY(SEND(self, bodies.boxes, search->boxes, count));
    TRY(SEND(self, bodies.types, search->bodies->types, count));
    if (search->marked) TRY(SEND(self, bodies.wanted, search->marked, count));
    return SEND(self, bodies.planes, search->planes->items, search->planes->count);
}

/* Lists the half-spaces that planes_find has (detect/plane.h). */
static scree_result list_planes(opencl_pairs *self, const body_array *bodies) {
    int count = 0;
    for (int slot = 0; slot < bodies->count; slot++) {
        if (bodies->types[slot] == SLOT_FREE || bodies->types[slot] == SLOT_DYNAMIC ||
            bodies->shapes[slot].kind != SCREE_SHAPE_HALF_SPACE)
            continue;
        TRY(MEMORY_RESERVE(self->planes, self->plane_capacity, count + 1, NULL));
        self->planes[count++] = (body_plane){.slot = slot};
    }
    self->bodies.plane_count = (cl_uint)count;
    return SCREE_OK;
}

static scree_result send_description(opencl_pairs *self, const body_array *bodies) {
    if (self->described == bodies->definitions + 1) return SCREE_OK;
    self->described = 0;
    TRY(list_planes(self, bodies));
    TRY(SEND(self, bodies.types, bodies->types, bodies->count));
    TRY(SEND(self, bodies.planes, self->planes, self->bodies.plane_count));
    self->described = bodies->definitions + 1;
    return SCREE_OK;
}

scree_result opencl_pairs_describe(opencl_pairs *self, const body_array *bodies) {
    opencl_device *device = self->primitives.device;
    self->bodies.length.capacity = (cl_uint)bodies->count;
    self->marked = false;
    TRY(send_period(self, bodies));
    TRY(opencl_buffer_reserve(device, &self->counts, PAIR_COUNTS * sizeof(cl_uint), "counts"));
    TRY(share_boxes(self, (size_t)bodies->count));
    return send_description(self, bodies);
}

scree_result opencl_pairs_enqueue(opencl_pairs *self) {
    grid_bodies bodies = self->bodies;
    if (!self->marked) bodies.wanted.memory = NULL;
    return opencl_grid_search(&self->grid, &bodies, &self->found);
}

scree_result opencl_pairs_grow(opencl_pairs *self, cl_uint count, bool *repeat, int *regrown) {
    if (count > INT_MAX)
        return fail(SCREE_ERROR_CAPACITY, "pairs of bodies: %u or more; at most %d", (unsigned)count,
                    INT_MAX);
    *repeat = count > self->found.capacity;
    if (!*repeat) return SCREE_OK;
    const cl_uint grown = count + count / 8;
    self->found.capacity = grown > INT_MAX ? INT_MAX : grown;
    if (regrown) ++*regrown;
    return SCREE_OK;
}

/* Finds the pairs and their rows on the device and sets `count` to their number. */
static scree_result find(opencl_pairs *self, cl_uint slots, int *count, int *regrown) {
    cl_uint counts[PAIR_COUNTS];
    const scratch_mark mark = opencl_scratch_mark(self->primitives.device);
    bool repeat = true;
    while (repeat) {
        opencl_scratch_reset(self->primitives.device, mark);
        TRY(opencl_pairs_enqueue(self));
        TRY(opencl_grid_rows(&self->grid, &self->found, slots, &self->first));
        TRY(opencl_buffer_read(self->primitives.device, &self->counts, counts, sizeof counts, CL_TRUE,
                               "counts"));
        TRY(opencl_pairs_grow(self, counts[PAIR_COUNT_PAIRS], &repeat, regrown));
    }
    *count = (int)counts[PAIR_COUNT_PAIRS];
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
    int count;
    TRY(opencl_pairs_send(self, search));
    TRY(find(self, (cl_uint)slots, &count, regrown));
    return read_back(self, slots, count, out, regrown);
}
