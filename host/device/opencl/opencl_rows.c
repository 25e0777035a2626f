/* Launches of the rows of contacts. */
#include "opencl_rows.h"

#include "base/error.h"

void opencl_rows_open(opencl_rows *self, opencl_primitives *primitives) {
    *self = (opencl_rows){.primitives = primitives};
}

void opencl_rows_close(opencl_rows *self) {
    if (!self->primitives) return;
    opencl_buffer_release(self->primitives->device, &self->materials);
    opencl_buffer_release(self->primitives->device, &self->counts);
    *self = (opencl_rows){0};
}

scree_result opencl_rows_send_materials(opencl_rows *self, const row_material *pairs, int count) {
    self->bounces = false;
    for (int i = 0; i < count * count; i++) self->bounces |= pairs[i].restitution > 0;
    return opencl_buffer_write(self->primitives->device, &self->materials, pairs,
                               (size_t)count * (size_t)count * sizeof *pairs, CL_TRUE, "pairs of materials");
}

/* Kernels do not read velocities before the step where there is no kinematic body. */
static const opencl_buffer *earlier_of(const device_row_bodies *bodies) {
    return bodies->earlier ? bodies->earlier : bodies->velocities;
}

/* Each fill clears the counts of the next one, which saves a launch. */
static scree_result turn_counts(opencl_rows *self) {
    opencl_device *device = self->primitives->device;
    const size_t bytes = 2 * ROWS_COUNTS * sizeof(cl_uint);
    self->counts_at = ROWS_COUNTS - self->counts_at;
    if (self->counts.memory) return SCREE_OK;
    TRY(opencl_buffer_reserve(device, &self->counts, bytes, "counts of rows"));
    return opencl_buffer_clear(device, &self->counts, bytes, "counts of rows");
}

static scree_result bend(opencl_rows *self, cl_uint groups, const device_row_bodies *bodies,
                         const device_contacts *contacts, const row_parameters *parameters,
                         const device_row_places *places) {
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_rows_rows_bend, groups, BUFFER(contacts->heads),
                            BUFFER(contacts->tags), BUFFER(contacts->counts),
                            ARGUMENT(contacts->pair_capacity), BUFFER(*bodies->constants),
                            BUFFER(*bodies->poses), BUFFER(*bodies->velocities), BUFFER(*earlier_of(bodies)),
                            BUFFER(*bodies->masses), BUFFER(self->materials), ARGUMENT(*parameters),
                            BUFFER(*places->groups), BUFFER(*places->pair_group), BUFFER(*places->blocks));
}

scree_result opencl_rows_fill(opencl_rows *self, const device_row_bodies *bodies,
                              const device_contacts *contacts, const row_parameters *parameters,
                              const device_row_places *places) {
    const cl_uint groups = primitive_groups(self->primitives, contacts->pair_capacity, TILE_GROUP);
    const bool moving = self->bounces || parameters->scheme.kind != SCHEME_SPLIT;
    TRY(turn_counts(self));
    TRY(PRIMITIVE_LAUNCH(
        self->primitives, moving ? PRIMITIVE_rows_rows_fill_moving : PRIMITIVE_rows_rows_fill, groups,
        BUFFER(contacts->heads), BUFFER(contacts->tags), BUFFER(contacts->places), BUFFER(contacts->impulses),
        BUFFER(contacts->torques), BUFFER(contacts->rows), BUFFER(contacts->counts),
        ARGUMENT(contacts->pair_capacity), BUFFER(*bodies->constants), BUFFER(*bodies->poses),
        BUFFER(*bodies->remainders), BUFFER(*bodies->velocities), BUFFER(*earlier_of(bodies)),
        BUFFER(*bodies->masses), BUFFER(*bodies->loads), BUFFER(self->materials), ARGUMENT(*parameters),
        BUFFER(*places->groups), BUFFER(*places->pair_group), BUFFER(*places->blocks),
        BUFFER(*places->impulses), BUFFER(*places->pseudo_impulses), BUFFER(self->counts),
        ARGUMENT(self->counts_at)));
    return bodies->turns ? bend(self, groups, bodies, contacts, parameters, places) : SCREE_OK;
}

scree_result opencl_rows_read(opencl_rows *self, const device_row_bodies *bodies,
                              const device_contacts *contacts, const row_parameters *parameters,
                              const device_row_places *places) {
    const cl_uint groups = primitive_groups(self->primitives, contacts->pair_capacity, TILE_GROUP);
    const cl_int resists = contacts->resists;
    return PRIMITIVE_LAUNCH(
        self->primitives, PRIMITIVE_rows_rows_read, groups, BUFFER(contacts->heads), BUFFER(contacts->tags),
        BUFFER(contacts->impulses), BUFFER(contacts->torques), ARGUMENT(resists), BUFFER(contacts->counts),
        ARGUMENT(contacts->pair_capacity), BUFFER(*bodies->constants), BUFFER(*bodies->poses),
        BUFFER(*bodies->masses), BUFFER(self->materials), ARGUMENT(*parameters), BUFFER(*places->groups),
        BUFFER(*places->pair_group), BUFFER(*places->impulses), BUFFER(*places->pseudo_impulses));
}
