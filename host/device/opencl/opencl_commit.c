/* Launches of the end of a step. */
#include "opencl_commit.h"

#include "base/error.h"

void opencl_commit_open(opencl_commit *self, opencl_primitives *primitives) {
    *self = (opencl_commit){.primitives = primitives};
}

void opencl_commit_close(opencl_commit *self) {
    opencl_buffer *const buffers[] = {&self->slots, &self->poses, &self->remainders};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    *self = (opencl_commit){0};
}

static scree_result send(opencl_commit *self, opencl_buffer *buffer, const void *items, size_t bytes) {
    TRY(opencl_buffer_reserve(self->primitives->device, buffer, bytes, "prescribed places"));
    return opencl_buffer_write(self->primitives->device, buffer, items, bytes, CL_FALSE, "prescribed places");
}

scree_result opencl_commit_send(opencl_commit *self, const prescribed_places *places) {
    const size_t count = places->count;
    if (count == 0) return SCREE_OK;
    TRY(send(self, &self->slots, places->slots, count * sizeof *places->slots));
    TRY(send(self, &self->poses, places->poses, count * sizeof *places->poses));
    return send(self, &self->remainders, places->remainders, count * sizeof *places->remainders);
}

scree_result opencl_commit_prescribe(opencl_commit *self, cl_uint count, const opencl_buffer *poses_after,
                                     const opencl_buffer *remainders_after) {
    if (count == 0) return SCREE_OK;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_commit_commit_prescribe,
                            primitive_groups(self->primitives, count, TILE_GROUP), BUFFER(self->slots),
                            BUFFER(self->poses), BUFFER(self->remainders), ARGUMENT(count),
                            BUFFER(*poses_after), BUFFER(*remainders_after));
}

scree_result opencl_commit_spins(opencl_commit *self, cl_uint bodies, const opencl_buffer *poses,
                                 const opencl_buffer *masses, const opencl_buffer *poses_after,
                                 const opencl_buffer *velocity, const opencl_buffer *after, float time_step) {
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_commit_commit_spins,
                            primitive_groups(self->primitives, bodies, TILE_GROUP), BUFFER(*poses),
                            BUFFER(*masses), BUFFER(*poses_after), BUFFER(*velocity), BUFFER(*after),
                            ARGUMENT(time_step), ARGUMENT(bodies));
}
