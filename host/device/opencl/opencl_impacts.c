/* Launches of deferred impacts. */
#include "opencl_impacts.h"

#include "base/error.h"

/* Words of kernels/impacts.cl. */
enum { IMPACTS_LISTED, IMPACTS_MARKED, IMPACTS_WORDS };

void opencl_impacts_open(opencl_impacts *self, opencl_primitives *primitives) {
    *self = (opencl_impacts){.primitives = primitives};
}

void opencl_impacts_close(opencl_impacts *self) {
    opencl_buffer *const buffers[] = {&self->words, &self->flags,  &self->list,
                                      &self->keys,  &self->values, &self->struck};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    *self = (opencl_impacts){0};
}

static scree_result share(opencl_impacts *self, cl_uint pairs, size_t slots) {
    opencl_device *device = self->primitives->device;
    const size_t word = sizeof(cl_uint), bytes = pairs * word;
    TRY(opencl_buffer_reserve(device, &self->words, IMPACTS_WORDS * word, "rebounds"));
    TRY(opencl_buffer_share(device, &self->flags, bytes, "rebounds"));
    TRY(opencl_buffer_share(device, &self->list, bytes, "rebounds"));
    TRY(opencl_buffer_share(device, &self->keys, bytes, "rebounds"));
    TRY(opencl_buffer_share(device, &self->values, bytes, "rebounds"));
    TRY(opencl_buffer_share(device, &self->struck, slots * sizeof(body_velocity), "velocities by rebounds"));
    return opencl_sort_share(self->primitives, pairs);
}

/* Lists the entries with a rebound in their order, and by their second bodies. */
static scree_result list_rebounds(opencl_impacts *self, const device_contacts *contacts, cl_uint slots) {
    const cl_uint capacity = contacts->pair_capacity,
                  groups = primitive_groups(self->primitives, capacity, TILE_GROUP);
    const device_word listed = {&self->words, IMPACTS_LISTED};
    const device_length entries = {{&contacts->counts, CONTACTS_PAIRS}, capacity}, some = {listed, capacity};
    int bits = 1;
    while (slots >> bits) bits++;
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_impacts_impacts_find, groups, BUFFER(contacts->heads),
                         BUFFER(contacts->impulses), BUFFER(contacts->rows), BUFFER(contacts->counts),
                         ARGUMENT(capacity), BUFFER(self->flags), BUFFER(self->words)));
    TRY(opencl_compact(self->primitives, &self->flags, entries, &self->list, listed));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_impacts_impacts_ends, groups, BUFFER(contacts->heads),
                         BUFFER(self->list), BUFFER(self->words), ARGUMENT(capacity), BUFFER(self->keys),
                         BUFFER(self->values)));
    return opencl_sort(self->primitives, 32, &self->keys, &self->values, some, bits);
}

scree_result opencl_impacts_mark(opencl_impacts *self, const opencl_rows *rows,
                                 const device_row_bodies *bodies, cl_uint slots,
                                 const device_contacts *contacts, const device_row_places *places,
                                 const row_parameters *parameters, int *marked) {
    const cl_uint capacity = contacts->pair_capacity;
    const cl_float speed = parameters->scheme.restitution_speed;
    cl_uint words[IMPACTS_WORDS];
    const scratch_mark mark = opencl_scratch_mark(self->primitives->device);
    TRY(share(self, capacity, slots));
    TRY(list_rebounds(self, contacts, slots));
#define SOURCE                                                                                               \
    BUFFER(contacts->heads), BUFFER(contacts->impulses), BUFFER(contacts->rows), BUFFER(rows->constants),    \
        BUFFER(rows->materials), ARGUMENT(parameters->material_count), BUFFER(*places->firsts),              \
        BUFFER(*places->blocks), BUFFER(*bodies->poses), BUFFER(*bodies->masses),                            \
        BUFFER(*bodies->velocities)
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_impacts_impacts_sum,
                         primitive_groups(self->primitives, slots, TILE_GROUP), SOURCE, ARGUMENT(slots),
                         BUFFER(self->list), BUFFER(self->words), ARGUMENT(capacity), BUFFER(self->keys),
                         BUFFER(self->values), BUFFER(self->struck)));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_impacts_impacts_mark,
                         primitive_groups(self->primitives, capacity, TILE_GROUP), SOURCE,
                         BUFFER(contacts->tags), BUFFER(contacts->counts), ARGUMENT(capacity),
                         ARGUMENT(speed), BUFFER(self->struck), BUFFER(self->words)));
#undef SOURCE
    TRY(opencl_buffer_read(self->primitives->device, &self->words, words, sizeof words, CL_TRUE,
                           "deferred impacts"));
    *marked = (int)words[IMPACTS_MARKED];
    opencl_sort_leave(self->primitives);
    opencl_scratch_reset(self->primitives->device, mark);
    return SCREE_OK;
}
