/* Launches of the rows of contacts. */
#include "opencl_rows.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact_surface.h"
#include "rows/row_input.h"

#include <string.h>

void opencl_rows_open(opencl_rows *self, opencl_primitives *primitives) {
    *self = (opencl_rows){.primitives = primitives};
}

void opencl_rows_close(opencl_rows *self) {
    opencl_buffer *const buffers[] = {&self->constants, &self->materials, &self->counts};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    memory_release(self->bodies);
    memory_release(self->pairs);
    *self = (opencl_rows){0};
}

bool opencl_rows_serves(const opencl_rows *self, const material_table *materials, const joint_array *joints) {
    return !self->children && material_reach(materials) < 0 && materials->count <= ROW_MATERIALS &&
           (!joints || joints->link_count == 0);
}

scree_result opencl_rows_send_bodies(opencl_rows *self, const body_array *bodies, const joint_array *joints) {
    TRY(MEMORY_RESERVE(self->bodies, self->body_capacity, bodies->count, NULL));
    self->turns = self->rolls = self->children = false;
    for (int i = 0; i < bodies->count; i++) {
        self->bodies[i] = row_body_of(bodies, joints, i);
        self->turns |= !row_is_ball(self->bodies[i]);
        self->rolls |= surface_rolls(row_kind(self->bodies[i]));
        self->children |= (self->bodies[i].bits & ROW_CHILDREN) != 0;
    }
    return opencl_buffer_write(self->primitives->device, &self->constants, self->bodies,
                               (size_t)bodies->count * sizeof *self->bodies, CL_FALSE, "bodies of rows");
}

/* Returns the pairs of the materials, and whether they differ from those that were sent last. */
static scree_result pairs_of(opencl_rows *self, const material_table *materials, bool *same) {
    const int count = materials->count * materials->count;
    const size_t bytes = (size_t)count * sizeof *self->pairs;
    row_material *pairs = memory_allocate((size_t)count, sizeof *pairs);
    if (!pairs) return fail(SCREE_ERROR_MEMORY, "out of memory: %d pairs of materials", count);
    row_materials_of(materials, pairs);
    *same = self->pair_count == count && memcmp(self->pairs, pairs, bytes) == 0;
    self->pair_count = *same ? count : 0;
    const scree_result result =
        *same ? SCREE_OK : MEMORY_RESERVE(self->pairs, self->material_capacity, count, NULL);
    if (result == SCREE_OK && !*same) memcpy(self->pairs, pairs, bytes);
    memory_release(pairs);
    return result;
}

scree_result opencl_rows_send_materials(opencl_rows *self, const material_table *materials) {
    const int count = materials->count * materials->count;
    bool same;
    TRY(pairs_of(self, materials, &same));
    if (same) return SCREE_OK;
    self->bounces = false;
    for (int i = 0; i < count; i++) self->bounces |= self->pairs[i].restitution > 0;
    TRY(opencl_buffer_write(self->primitives->device, &self->materials, self->pairs,
                            (size_t)count * sizeof *self->pairs, CL_FALSE, "pairs of materials"));
    self->pair_count = count;
    return SCREE_OK;
}

/* Kernels do not read velocities before the step where there is no kinematic body. */
static const opencl_buffer *earlier_of(const device_row_bodies *bodies) {
    return bodies->earlier ? bodies->earlier : bodies->velocities;
}

/* Each fill clears the counts of the next one, which saves a launch. A fill that failed may have left them. */
static scree_result prepare_counts(opencl_rows *self) {
    opencl_device *device = self->primitives->device;
    const size_t bytes = 2 * ROWS_COUNTS * sizeof(cl_uint);
    if (self->counts_clear) return SCREE_OK;
    TRY(opencl_buffer_reserve(device, &self->counts, bytes, "counts of rows"));
    return opencl_buffer_clear(device, &self->counts, bytes, "counts of rows");
}

static scree_result bend(opencl_rows *self, cl_uint groups, const device_row_bodies *bodies,
                         const device_contacts *contacts, const row_parameters *parameters,
                         const device_row_places *places) {
    const cl_int arranged = places->arrangement != NULL;
    const opencl_buffer *arrangement = arranged ? places->arrangement : &contacts->counts;
    const cl_uint blocks = arranged ? places->block_capacity : UINT32_MAX;
    return PRIMITIVE_LAUNCH(
        self->primitives, self->rolls ? PRIMITIVE_row_bends_bends_add_rolling : PRIMITIVE_row_bends_bends_add,
        groups, BUFFER(contacts->heads), BUFFER(contacts->tags), BUFFER(contacts->counts),
        ARGUMENT(contacts->pair_capacity), BUFFER(self->constants), BUFFER(*bodies->poses),
        BUFFER(*bodies->velocities), BUFFER(*earlier_of(bodies)), BUFFER(*bodies->masses),
        BUFFER(self->materials), ARGUMENT(*parameters), BUFFER(*places->groups), BUFFER(*places->pair_group),
        BUFFER(*places->blocks), BUFFER(*arrangement), ARGUMENT(arranged), ARGUMENT(blocks));
}

static primitive_kernel kernel_for(const opencl_rows *self, const device_row_bodies *bodies,
                                   const row_parameters *parameters) {
    if (bodies->collided) return PRIMITIVE_rows_rows_fill_moved;
    return self->bounces || parameters->scheme.kind != SCHEME_SPLIT ? PRIMITIVE_rows_rows_fill_moving
                                                                    : PRIMITIVE_rows_rows_fill;
}

scree_result opencl_rows_fill(opencl_rows *self, const device_row_bodies *bodies,
                              const device_contacts *contacts, const row_parameters *parameters,
                              const device_row_places *places) {
    const cl_uint groups = primitive_groups(self->primitives, contacts->pair_capacity, TILE_GROUP);
    const opencl_buffer *collided = bodies->collided ? bodies->collided : bodies->poses;
    const cl_int arranged = places->arrangement != NULL;
    const opencl_buffer *arrangement = arranged ? places->arrangement : &contacts->counts;
    const cl_uint counts_at = ROWS_COUNTS - self->counts_at,
                  blocks = arranged ? places->block_capacity : UINT32_MAX;
    TRY(prepare_counts(self));
    self->counts_clear = false;
    TRY(PRIMITIVE_LAUNCH(self->primitives, kernel_for(self, bodies, parameters), groups,
                         BUFFER(contacts->heads), BUFFER(contacts->tags), BUFFER(contacts->places),
                         BUFFER(contacts->impulses), BUFFER(contacts->torques), BUFFER(contacts->rows),
                         BUFFER(contacts->counts), ARGUMENT(contacts->pair_capacity), BUFFER(self->constants),
                         BUFFER(*bodies->poses), BUFFER(*collided), BUFFER(*bodies->remainders),
                         BUFFER(*bodies->velocities), BUFFER(*earlier_of(bodies)), BUFFER(*bodies->masses),
                         BUFFER(*bodies->loads), BUFFER(self->materials), ARGUMENT(*parameters),
                         BUFFER(*places->groups), BUFFER(*places->pair_group), BUFFER(*places->blocks),
                         BUFFER(*places->impulses), BUFFER(*places->pseudo_impulses), BUFFER(self->counts),
                         ARGUMENT(counts_at), BUFFER(*arrangement), ARGUMENT(arranged), ARGUMENT(blocks)));
    self->counts_at = counts_at;
    self->counts_clear = true;
    const bool turns = self->turns || parameters->scheme.kind == SCHEME_RELAXED;
    return turns ? bend(self, groups, bodies, contacts, parameters, places) : SCREE_OK;
}

scree_result opencl_rows_read(opencl_rows *self, const device_row_bodies *bodies,
                              const device_contacts *contacts, const row_parameters *parameters,
                              const device_row_places *places) {
    const cl_uint groups = primitive_groups(self->primitives, contacts->pair_capacity, TILE_GROUP);
    const cl_int resists = contacts->resists;
    return PRIMITIVE_LAUNCH(
        self->primitives, PRIMITIVE_rows_rows_read, groups, BUFFER(contacts->heads), BUFFER(contacts->tags),
        BUFFER(contacts->impulses), BUFFER(contacts->torques), ARGUMENT(resists), BUFFER(contacts->counts),
        ARGUMENT(contacts->pair_capacity), BUFFER(self->constants), BUFFER(*bodies->poses),
        BUFFER(*bodies->masses), BUFFER(self->materials), ARGUMENT(*parameters), BUFFER(*places->groups),
        BUFFER(*places->pair_group), BUFFER(*places->impulses), BUFFER(*places->pseudo_impulses));
}
