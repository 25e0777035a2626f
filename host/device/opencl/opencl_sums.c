/* Launches of the sums of a step. */
#include "opencl_sums.h"

#include "base/error.h"

void opencl_sums_open(opencl_sums *self, opencl_primitives *primitives) {
    *self = (opencl_sums){.primitives = primitives};
}

void opencl_sums_close(opencl_sums *self) {
    if (!self->primitives) return;
    opencl_buffer_release(self->primitives->device, &self->of_bodies);
    opencl_buffer_release(self->primitives->device, &self->of_contacts);
    *self = (opencl_sums){0};
}

/* Reserves the sums of the chunks of that many items. */
static scree_result reserve(opencl_sums *self, opencl_buffer *chunks, cl_uint items) {
    const size_t count = ((size_t)items + STATISTICS_CHUNK - 1) / STATISTICS_CHUNK;
    return opencl_buffer_reserve(self->primitives->device, chunks, (count + 1) * sizeof(statistic_sums),
                                 "sums of chunks");
}

static scree_result sum_bodies(opencl_sums *self, const summed_bodies *bodies) {
    const cl_int periodic = bodies->cells != NULL;
    const motion_parameters motion = {.gravity = bodies->gravity}, period = {.gravity = bodies->period};
    return PRIMITIVE_LAUNCH(
        self->primitives, PRIMITIVE_sums_sums_of_bodies,
        primitive_groups(self->primitives, bodies->count, STATISTICS_CHUNK), BUFFER(*bodies->types),
        BUFFER(*bodies->poses), BUFFER(*bodies->velocities), BUFFER(*bodies->masses), BUFFER(*bodies->shapes),
        BUFFER(*(periodic ? bodies->cells : bodies->types)), ARGUMENT(periodic), ARGUMENT(motion),
        ARGUMENT(period), ARGUMENT(bodies->time_step), ARGUMENT(bodies->count), BUFFER(self->of_bodies));
}

static scree_result sum_contacts(opencl_sums *self, const summed_bodies *bodies,
                                 const device_contacts *contacts, device_length length, cl_int cohesive) {
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_sums_sums_of_contacts,
                            primitive_groups(self->primitives, length.capacity, STATISTICS_CHUNK),
                            BUFFER(contacts->heads), BUFFER(contacts->tags), BUFFER(contacts->places),
                            BUFFER(contacts->impulses), BUFFER(contacts->pulls), ARGUMENT(cohesive),
                            BUFFER(*bodies->types), LENGTH(length), BUFFER(self->of_contacts));
}

scree_result opencl_sums_make(opencl_sums *self, const summed_bodies *bodies, const device_contacts *contacts,
                              const opencl_report *report) {
    const device_length length = {{&contacts->counts, CONTACTS_PAIRS}, contacts->pair_capacity};
    TRY(reserve(self, &self->of_bodies, bodies->count));
    TRY(reserve(self, &self->of_contacts, contacts->pair_capacity));
    TRY(sum_bodies(self, bodies));
    TRY(sum_contacts(self, bodies, contacts, length, contacts->cohesive));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_sums_sums_total, 1, BUFFER(self->of_bodies),
                            ARGUMENT(bodies->count), BUFFER(self->of_contacts), LENGTH(length),
                            BUFFER(report->buffer));
}
