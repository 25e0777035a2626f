/* Launches of the colouring on the device. */
#include "opencl_colours.h"

#include "base/error.h"

void opencl_colours_open(opencl_colours *self, opencl_primitives *primitives) {
    *self = (opencl_colours){.primitives = primitives};
}

void opencl_colours_close(opencl_colours *self) {
    opencl_buffer *const buffers[] = {&self->masks,   &self->once,     &self->twice,
                                      &self->highest, &self->lists[0], &self->lists[1]};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    *self = (opencl_colours){0};
}

scree_result opencl_colours_reserve(opencl_colours *self, cl_uint pairs, cl_uint slots) {
    opencl_device *device = self->primitives->device;
    opencl_buffer *const of_slots[] = {&self->masks, &self->once, &self->twice, &self->highest};
    for (int i = 0; i < 4; i++)
        TRY(opencl_buffer_share(device, of_slots[i], slots * sizeof(cl_uint), "colours of bodies"));
    for (int i = 0; i < 2; i++)
        TRY(opencl_buffer_share(device, &self->lists[i], pairs * sizeof(cl_uint), "candidates for a colour"));
    return SCREE_OK;
}

#define FIRST                                                                                                \
    BUFFER(*pairs), BUFFER(*first.numbers), ARGUMENT(first.count), BUFFER(*colours), ARGUMENT(limit),        \
        BUFFER(self->masks), BUFFER(*first.held)

static scree_result hold_first(opencl_colours *self, const opencl_buffer *pairs, const opencl_buffer *colours,
                               first_pairs first, cl_int limit) {
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_colours_colours_hold,
                            primitive_groups(self->primitives, first.count, TILE_GROUP), FIRST);
}

static scree_result colour_first(opencl_colours *self, const opencl_buffer *pairs,
                                 const opencl_buffer *colours, first_pairs first, cl_int limit) {
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_colours_colours_first, 1, FIRST);
}

scree_result opencl_colours_update(opencl_colours *self, const opencl_buffer *pairs,
                                   const opencl_buffer *colours, device_length length, first_pairs first,
                                   cl_int limit, device_word candidates, int rounds) {
    opencl_primitives *primitives = self->primitives;
    const cl_uint groups = primitive_groups(primitives, length.capacity, TILE_GROUP);
    device_length list = {candidates, length.capacity};
    TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_colours_colours_keep, groups, BUFFER(*pairs), LENGTH(length),
                         BUFFER(*colours), BUFFER(self->twice), BUFFER(self->masks)));
    if (first.count > 0) TRY(hold_first(self, pairs, colours, first, limit));
    TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_colours_colours_list, groups, BUFFER(*pairs), LENGTH(length),
                         BUFFER(*colours), ARGUMENT(limit), BUFFER(self->masks), BUFFER(self->lists[0]),
                         WORD(candidates)));
    if (first.count > 0) TRY(colour_first(self, pairs, colours, first, limit));
    for (int round = 0; round < rounds; round++, list.count.at++) {
        const opencl_buffer *here = &self->lists[round % 2], *next = &self->lists[1 - round % 2];
        TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_colours_colours_bid, groups, BUFFER(*pairs), BUFFER(*here),
                             LENGTH(list), BUFFER(*colours), ARGUMENT(limit), BUFFER(self->masks),
                             BUFFER(self->highest)));
        TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_colours_colours_award, groups, BUFFER(*pairs),
                             BUFFER(*here), LENGTH(list), BUFFER(*colours), ARGUMENT(limit),
                             BUFFER(self->masks), BUFFER(self->highest), BUFFER(*next)));
    }
    return PRIMITIVE_LAUNCH(primitives, PRIMITIVE_colours_colours_finish, 1, BUFFER(*pairs),
                            BUFFER(self->lists[rounds % 2]), LENGTH(list), BUFFER(*colours), ARGUMENT(limit),
                            BUFFER(self->masks), BUFFER(self->highest));
}
