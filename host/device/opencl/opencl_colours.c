/* Launches of the colouring on the device. */
#include "opencl_colours.h"

#include "base/error.h"

/* Rounds of the whole device; one work-group makes the rest. When cubes land (B8000), 60 of 3063 candidates
 * are left after 8 rounds, and the last one is coloured in the 11th. */
enum { ROUNDS = 8 };
enum { CANDIDATES, PLACES, LEFT, COUNTS }; /* words of `counts` */

void opencl_colours_open(opencl_colours *self, opencl_primitives *primitives) {
    *self = (opencl_colours){.primitives = primitives};
}

void opencl_colours_close(opencl_colours *self) {
    opencl_buffer *const buffers[] = {&self->masks, &self->once, &self->twice,  &self->highest,
                                      &self->flags, &self->list, &self->places, &self->counts};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    *self = (opencl_colours){0};
}

static scree_result reserve(opencl_colours *self, size_t pairs, size_t slots) {
    opencl_device *device = self->primitives->device;
    opencl_buffer *const of_slots[] = {&self->masks, &self->once, &self->twice, &self->highest},
                         *const of_pairs[] = {&self->flags, &self->list, &self->places};
    for (int i = 0; i < 4; i++)
        TRY(opencl_buffer_reserve(device, of_slots[i], slots * sizeof(cl_uint), "colours of bodies"));
    for (int i = 0; i < 3; i++)
        TRY(opencl_buffer_reserve(device, of_pairs[i], pairs * sizeof(cl_uint), "candidates for a colour"));
    return opencl_buffer_reserve(device, &self->counts, COUNTS * sizeof(cl_uint), "counts of candidates");
}

/* Keeps the last step's colours where they do not clash, and lists the candidates for other ones. */
static scree_result keep(opencl_colours *self, const opencl_buffer *pairs, const opencl_buffer *colours,
                         device_length length, cl_uint slots, cl_int limit) {
    opencl_primitives *primitives = self->primitives;
    const cl_uint groups = primitive_groups(primitives, length.capacity, TILE_GROUP);
    TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_colours_colours_clear,
                         primitive_groups(primitives, slots, TILE_GROUP), BUFFER(self->masks),
                         BUFFER(self->once), BUFFER(self->twice), BUFFER(self->highest), ARGUMENT(slots)));
    TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_colours_colours_mark, groups, BUFFER(*pairs), LENGTH(length),
                         BUFFER(*colours), ARGUMENT(limit), BUFFER(self->once), BUFFER(self->twice)));
    TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_colours_colours_keep, groups, BUFFER(*pairs), LENGTH(length),
                         BUFFER(*colours), BUFFER(self->twice), BUFFER(self->masks)));
    TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_colours_colours_flag, groups, BUFFER(*pairs), LENGTH(length),
                         BUFFER(*colours), ARGUMENT(limit), BUFFER(self->masks), BUFFER(self->flags)));
    return opencl_compact(primitives, &self->flags, length, &self->list,
                          (device_word){&self->counts, CANDIDATES});
}

static scree_result make_rounds(opencl_colours *self, const opencl_buffer *pairs,
                                const opencl_buffer *colours, device_length list, cl_int limit) {
    opencl_primitives *primitives = self->primitives;
    const cl_uint groups = primitive_groups(primitives, list.capacity, TILE_GROUP);
    for (int round = 0; round < ROUNDS; round++) {
        TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_colours_colours_bid, groups, BUFFER(*pairs),
                             BUFFER(self->list), LENGTH(list), BUFFER(*colours), ARGUMENT(limit),
                             BUFFER(self->masks), BUFFER(self->highest)));
        TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_colours_colours_award, groups, BUFFER(*pairs),
                             BUFFER(self->list), LENGTH(list), BUFFER(*colours), ARGUMENT(limit),
                             BUFFER(self->masks), BUFFER(self->highest), BUFFER(self->flags)));
    }
    return SCREE_OK;
}

scree_result opencl_colours_update(opencl_colours *self, const opencl_buffer *pairs,
                                   const opencl_buffer *colours, device_length length, cl_uint slots,
                                   cl_int limit) {
    const device_length list = {{&self->counts, CANDIDATES}, length.capacity},
                        rest = {{&self->counts, PLACES}, length.capacity};
    const device_word left = {&self->counts, LEFT};
    TRY(reserve(self, length.capacity, slots));
    TRY(keep(self, pairs, colours, length, slots, limit));
    TRY(make_rounds(self, pairs, colours, list, limit));
    TRY(opencl_compact(self->primitives, &self->flags, list, &self->places, rest.count));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_colours_colours_finish, 1, BUFFER(*pairs),
                            BUFFER(self->list), BUFFER(self->places), LENGTH(rest), BUFFER(*colours),
                            ARGUMENT(limit), BUFFER(self->masks), BUFFER(self->highest), WORD(left));
}
