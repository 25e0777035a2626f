#include "opencl_images.h"

#include "base/error.h"

enum { FIRST_CAPACITY = 1 };

void opencl_images_open(opencl_images *self, opencl_primitives *primitives) {
    *self = (opencl_images){.primitives = primitives, .capacity = FIRST_CAPACITY};
}

void opencl_images_close(opencl_images *self) {
    opencl_buffer *const buffers[] = {&self->words, &self->ghosts, &self->numbers, &self->endless};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    *self = (opencl_images){0};
}

void opencl_images_shrink(opencl_images *self) {
    opencl_buffer_release(self->primitives->device, &self->ghosts);
    self->capacity = FIRST_CAPACITY;
}

static scree_result reserve(opencl_images *self, size_t bodies) {
    opencl_device *device = self->primitives->device;
    const size_t words = PERIODIC_WORDS * sizeof(cl_uint);
    TRY(opencl_buffer_reserve(device, &self->words, words, "images of bodies"));
    TRY(opencl_buffer_reserve(device, &self->ghosts, self->capacity * sizeof(cl_int2), "images of bodies"));
    TRY(opencl_buffer_reserve(device, &self->numbers, bodies * sizeof(cl_uint), "images of bodies"));
    return opencl_buffer_clear(device, &self->words, words, "images of bodies");
}

scree_result opencl_images_add(opencl_images *self, const opencl_buffer *endless, const float period[3],
                               cl_uint bodies, const opencl_buffer *boxes) {
    const cl_uint groups = primitive_groups(self->primitives, bodies, TILE_GROUP);
    const device_length all = {{&self->words, PERIODIC_BODIES}, bodies};
    TRY(reserve(self, bodies));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_grid_grid_span, groups, BUFFER(*boxes), ARGUMENT(bodies),
                         BUFFER(*endless), BUFFER(self->words)));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_grid_grid_image_count, groups, BUFFER(*boxes),
                         ARGUMENT(bodies), BUFFER(*endless), ARGUMENT(period[0]), ARGUMENT(period[1]),
                         ARGUMENT(period[2]), BUFFER(self->words), BUFFER(self->numbers)));
    TRY(opencl_scan(self->primitives, &self->numbers, all, &self->numbers,
                    (device_word){&self->words, PERIODIC_IMAGES}));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_grid_grid_image_emit, groups, BUFFER(*boxes),
                            ARGUMENT(bodies), BUFFER(*endless), ARGUMENT(period[0]), ARGUMENT(period[1]),
                            ARGUMENT(period[2]), BUFFER(self->words), BUFFER(self->numbers),
                            ARGUMENT(self->capacity), BUFFER(self->ghosts));
}

bool opencl_images_grow(opencl_images *self, cl_uint count) {
    if (count <= self->capacity) return false;
    self->capacity = count + count / 8;
    return true;
}
