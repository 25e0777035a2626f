/* Launches of the broadphase on the device. */
#include "opencl_grid.h"

#include "base/error.h"
#include "geometry/bounds.h"

/* A cell that shares its mark with another one is searched in vain: 16 marks a box take 30 % more time, 256
 * no less (PoCL, sizes over 5 decades). */
enum { MARKS_PER_BOX = 64, MARKS_MOST = 1 << 30 };
/* Bits of a key of kernels/grid.cl; levels and the end of the last one. */
enum { KEY_BITS = 32, LEVELS = 64, LEVEL_WORDS = LEVELS + 1, LEVEL_FREE = 63 };

void opencl_grid_open(opencl_grid *self, opencl_primitives *primitives) {
    *self = (opencl_grid){.primitives = primitives};
}

void opencl_grid_close(opencl_grid *self) {
    opencl_buffer *const buffers[] = {&self->keys,   &self->order, &self->boxes,
                                      &self->levels, &self->marks, &self->places};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    *self = (opencl_grid){0};
}

/* Returns the number of marks less 1: at most one in MARKS_PER_BOX is set, so that few empty cells are
 * searched. */
static cl_uint mark_bits(cl_uint capacity) {
    cl_uint bits = 32;
    while (bits < MARKS_MOST && bits / MARKS_PER_BOX < capacity) bits *= 2;
    return bits - 1;
}

static scree_result share(opencl_grid *self, cl_uint capacity) {
    opencl_device *device = self->primitives->device;
    const size_t word = sizeof(cl_uint), marks = ((size_t)mark_bits(capacity) + 1) / 8;
    TRY(opencl_buffer_share(device, &self->keys, capacity * word, "keys of boxes"));
    TRY(opencl_buffer_share(device, &self->order, capacity * word, "order of boxes"));
    TRY(opencl_buffer_share(device, &self->boxes, capacity * sizeof(bounds), "sorted boxes"));
    TRY(opencl_buffer_share(device, &self->levels, LEVEL_WORDS * word, "levels of boxes"));
    TRY(opencl_buffer_share(device, &self->marks, marks, "marks of cells"));
    TRY(opencl_buffer_share(device, &self->places, capacity * word, "places of pairs"));
    return opencl_sort_share(self->primitives, capacity);
}

static scree_result share_pairs(opencl_grid *self, bool periodic, device_pairs *pairs) {
    const size_t bytes = pairs->capacity * sizeof(cl_uint);
    if (periodic)
        TRY(opencl_buffer_share(self->primitives->device, &pairs->images, bytes, "images of pairs"));
    TRY(opencl_buffer_share(self->primitives->device, &pairs->a, bytes, "pairs"));
    return opencl_buffer_share(self->primitives->device, &pairs->b, bytes, "pairs");
}

/* Images as arguments; kernels do not read the buffers that stand for none. */
#define IMAGES(self, bodies)                                                                                 \
    BUFFER(*((bodies)->images ? &(bodies)->images->ghosts : &(self)->keys)),                                 \
        BUFFER(*((bodies)->images ? (bodies)->endless : &(self)->keys)), ARGUMENT((bodies)->slots),          \
        ARGUMENT(periodic)

static scree_result sort_boxes(opencl_grid *self, const grid_bodies *bodies, cl_uint groups) {
    const cl_uint bits = mark_bits(bodies->length.capacity);
    const cl_int periodic = bodies->images != NULL;
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_grid_grid_keys, groups, BUFFER(bodies->boxes),
                         LENGTH(bodies->length), BUFFER(bodies->planes), ARGUMENT(bodies->plane_count),
                         BUFFER(self->keys), BUFFER(self->order), BUFFER(self->marks), ARGUMENT(bits)));
    TRY(opencl_sort(self->primitives, 32, &self->keys, &self->order, bodies->length, KEY_BITS));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_grid_grid_gather, groups, BUFFER(bodies->boxes),
                            LENGTH(bodies->length), BUFFER(bodies->planes), ARGUMENT(bodies->plane_count),
                            BUFFER(bodies->types), BUFFER(bodies->wanted), IMAGES(self, bodies),
                            BUFFER(self->keys), BUFFER(self->order), BUFFER(self->boxes),
                            BUFFER(self->levels), BUFFER(self->marks), ARGUMENT(bits));
}

/* Finds the pairs in the order of the sorted boxes. */
static scree_result find_pairs(opencl_grid *self, const grid_bodies *bodies, cl_uint groups,
                               device_pairs *pairs) {
    const cl_uint bits = mark_bits(bodies->length.capacity);
    const cl_int periodic = bodies->images != NULL;
    const device_length in_use = {{&self->levels, LEVEL_FREE}, bodies->length.capacity};
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_grid_grid_count, groups, BUFFER(bodies->planes),
                         BUFFER(self->boxes), BUFFER(self->keys), BUFFER(self->order), IMAGES(self, bodies),
                         BUFFER(self->levels), BUFFER(self->marks), ARGUMENT(bits), BUFFER(self->places)));
    TRY(opencl_scan(self->primitives, &self->places, in_use, &self->places, pairs->total));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_grid_grid_emit, groups, BUFFER(bodies->planes),
                            BUFFER(self->boxes), BUFFER(self->keys), BUFFER(self->order),
                            IMAGES(self, bodies), BUFFER(self->levels), BUFFER(self->marks), ARGUMENT(bits),
                            BUFFER(self->places), ARGUMENT(pairs->capacity), BUFFER(pairs->a),
                            BUFFER(pairs->b), WORD(pairs->total));
}

/* Sorts by b, then by a, which takes fewer bytes than one sort by 64-bit keys. The keys of b have its image.
 * Both sorts have as many passes and exchange the parts of keys and values, so that `pairs` keep their
 * memory. */
static scree_result sort_pairs(opencl_grid *self, cl_uint slots, bool periodic, device_pairs *pairs) {
    const device_length length = {pairs->total, pairs->capacity};
    int bits = 0;
    while (bits < 31 && (cl_uint)1 << bits < slots) bits++;
    if (periodic) bits += PERIODIC_CODE_BITS;
    TRY(opencl_sort(self->primitives, 32, &pairs->b, &pairs->a, length, bits));
    TRY(opencl_sort(self->primitives, 32, &pairs->a, &pairs->b, length, bits));
    if (!periodic) return SCREE_OK;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_grid_grid_image_split,
                            primitive_groups(self->primitives, pairs->capacity, TILE_GROUP), LENGTH(length),
                            BUFFER(pairs->b), BUFFER(pairs->images));
}

/* Adds the boxes of images to those of the bodies. */
static scree_result add_images(const grid_bodies *bodies, const float period[3], device_length *length) {
    opencl_images *images = bodies->images;
    if (bodies->slots > (cl_uint)1 << (32 - PERIODIC_CODE_BITS))
        return fail(SCREE_ERROR_CAPACITY, "bodies of a periodic world: %u; at most %u",
                    (unsigned)bodies->slots, 1u << (32 - PERIODIC_CODE_BITS));
    TRY(opencl_images_add(images, bodies->endless, period, bodies->slots, &bodies->boxes));
    *length = (device_length){{&images->words, PERIODIC_BOXES}, bodies->slots + images->capacity};
    return SCREE_OK;
}

scree_result opencl_grid_search(opencl_grid *self, const grid_bodies *of, device_pairs *pairs) {
    grid_bodies bodies = *of;
    const bool periodic = bodies.images != NULL;
    bodies.slots = bodies.length.capacity;
    if (periodic) TRY(add_images(&bodies, of->period, &bodies.length));
    const cl_uint capacity = bodies.length.capacity,
                  groups = primitive_groups(self->primitives, capacity, TILE_GROUP);
    opencl_device *device = self->primitives->device;
    TRY(share_pairs(self, periodic, pairs));
    const scratch_mark mark = opencl_scratch_mark(device);
    TRY(share(self, capacity));
    TRY(sort_boxes(self, &bodies, groups));
    TRY(find_pairs(self, &bodies, groups, pairs));
    opencl_scratch_reset(device, mark);
    TRY(opencl_sort_share(self->primitives, pairs->capacity));
    TRY(sort_pairs(self, bodies.slots, periodic, pairs));
    opencl_sort_leave(self->primitives);
    opencl_scratch_reset(device, mark);
    return SCREE_OK;
}

scree_result opencl_grid_rows(opencl_grid *self, const device_pairs *pairs, cl_uint rows,
                              opencl_buffer *first) {
    TRY(opencl_buffer_reserve(self->primitives->device, first, ((size_t)rows + 1) * sizeof(cl_uint),
                              "rows of pairs"));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_grid_grid_rows,
                            primitive_groups(self->primitives, rows + 1, TILE_GROUP), BUFFER(pairs->a),
                            WORD(pairs->total), ARGUMENT(pairs->capacity), ARGUMENT(rows), BUFFER(*first));
}
