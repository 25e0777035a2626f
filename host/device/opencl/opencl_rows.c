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

scree_result opencl_rows_send_bodies(opencl_rows *self, const body_array *bodies, const joint_array *joints) {
    TRY(MEMORY_RESERVE(self->bodies, self->body_capacity, bodies->count, NULL));
    self->turns = self->rolls = false;
    for (int i = 0; i < bodies->count; i++) {
        self->bodies[i] = row_body_of(bodies, joints, i);
        self->turns |= !row_is_ball(self->bodies[i]);
        self->rolls |= surface_rolls(row_kind(self->bodies[i]));
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

/* The tables of children where no body has any; they are not passed on. */
static const opencl_buffer no_tables[CHILD_TABLE_COUNT];
static const device_children no_children = {no_tables, no_tables, no_tables, no_tables, no_tables};

static const device_children *children_of(const device_row_bodies *bodies) {
    return bodies->children ? bodies->children : &no_children;
}

/* Launches a kernel whose last arguments are the tables of children, if it has them. */
#define LAUNCH(self, bodies, kernel, groups, ...)                                                            \
    launch(self, (bodies)->children != NULL, kernel, groups,                                                 \
           (const kernel_argument[]){__VA_ARGS__, CHILDREN(children_of(bodies))},                            \
           (int)(sizeof(const kernel_argument[]){__VA_ARGS__} / sizeof(kernel_argument)))

static scree_result launch(opencl_rows *self, bool children, primitive_kernel kernel, cl_uint groups,
                           const kernel_argument *arguments, int count) {
    enum { CHILD_ARGUMENTS = CHILD_TABLE_COUNT + 3 }; /* the tables, and bodies, shapes and corners */
    return primitive_launch(self->primitives, kernel, groups, arguments,
                            children ? count + CHILD_ARGUMENTS : count);
}

/* Each fill clears the counts of the next one, which saves a launch. A fill that failed may have left them.
 */
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
    const cl_int arranged = places->arrangement != NULL, cohesive = contacts->cohesive;
    const opencl_buffer *arrangement = arranged ? places->arrangement : &contacts->counts;
    const cl_uint blocks = arranged ? places->block_capacity : UINT32_MAX;
    const primitive_kernel kernel = bodies->children ? PRIMITIVE_bends_children_bends_add_rolling
                                    : self->rolls    ? PRIMITIVE_row_bends_bends_add_rolling
                                                     : PRIMITIVE_row_bends_bends_add;
    return LAUNCH(self, bodies, kernel, groups, BUFFER(contacts->heads), BUFFER(contacts->tags),
                  BUFFER(contacts->counts), ARGUMENT(contacts->pair_capacity), BUFFER(self->constants),
                  BUFFER(*bodies->poses), BUFFER(*bodies->velocities), BUFFER(*earlier_of(bodies)),
                  BUFFER(*bodies->masses), BUFFER(contacts->pulls), ARGUMENT(cohesive),
                  BUFFER(self->materials), ARGUMENT(*parameters), BUFFER(*places->firsts),
                  BUFFER(*places->blocks), BUFFER(*arrangement), ARGUMENT(arranged), ARGUMENT(blocks));
}

static primitive_kernel kernel_for(const opencl_rows *self, const device_row_bodies *bodies,
                                   const row_parameters *parameters) {
    const bool moving = self->bounces || parameters->scheme.kind != SCHEME_SPLIT;
    if (bodies->collided) return PRIMITIVE_rows_rows_fill_moved;
    if (bodies->children)
        return moving ? PRIMITIVE_rows_children_rows_fill_moving : PRIMITIVE_rows_children_rows_fill;
    return moving ? PRIMITIVE_rows_rows_fill_moving : PRIMITIVE_rows_rows_fill;
}

static scree_result fill(opencl_rows *self, primitive_kernel kernel, const device_row_bodies *bodies,
                         const device_contacts *contacts, const row_parameters *parameters,
                         const device_row_places *places, cl_uint counts_at) {
    const cl_uint groups = primitive_groups(self->primitives, contacts->pair_capacity, TILE_GROUP);
    const opencl_buffer *collided = bodies->collided ? bodies->collided : bodies->poses;
    const cl_int arranged = places->arrangement != NULL, cohesive = contacts->cohesive;
    const opencl_buffer *arrangement = arranged ? places->arrangement : &contacts->counts;
    const cl_uint blocks = arranged ? places->block_capacity : UINT32_MAX;
    return LAUNCH(self, bodies, kernel, groups, BUFFER(contacts->heads), BUFFER(contacts->tags),
                  BUFFER(contacts->places), BUFFER(contacts->impulses), BUFFER(contacts->torques),
                  BUFFER(contacts->rows), BUFFER(contacts->counts), ARGUMENT(contacts->pair_capacity),
                  BUFFER(self->constants), BUFFER(*bodies->poses), BUFFER(*collided),
                  BUFFER(*bodies->remainders), BUFFER(*bodies->velocities), BUFFER(*earlier_of(bodies)),
                  BUFFER(*bodies->masses), BUFFER(*bodies->loads), BUFFER(contacts->pulls),
                  ARGUMENT(cohesive), BUFFER(self->materials), ARGUMENT(*parameters), BUFFER(*places->firsts),
                  BUFFER(*places->blocks), BUFFER(*places->impulses), BUFFER(*places->pseudo_impulses),
                  BUFFER(self->counts), ARGUMENT(counts_at), BUFFER(*arrangement), ARGUMENT(arranged),
                  ARGUMENT(blocks));
}

/* Fills the blocks of contacts whose bodies cohesion holds. */
static scree_result fill_bound(opencl_rows *self, const device_row_bodies *bodies,
                               const device_contacts *contacts, const row_parameters *parameters,
                               const device_row_places *places, cl_uint counts_at) {
    const primitive_kernel kernel =
        bodies->children ? PRIMITIVE_bound_children_rows_bound : PRIMITIVE_rows_bound_rows_bound;
    if (!contacts->cohesive) return SCREE_OK;
    return fill(self, kernel, bodies, contacts, parameters, places, counts_at);
}

scree_result opencl_rows_fill(opencl_rows *self, const device_row_bodies *bodies,
                              const device_contacts *contacts, const row_parameters *parameters,
                              const device_row_places *places) {
    const cl_uint groups = primitive_groups(self->primitives, contacts->pair_capacity, TILE_GROUP),
                  counts_at = ROWS_COUNTS - self->counts_at;
    TRY(prepare_counts(self));
    self->counts_clear = false;
    TRY(fill(self, kernel_for(self, bodies, parameters), bodies, contacts, parameters, places, counts_at));
    TRY(fill_bound(self, bodies, contacts, parameters, places, counts_at));
    self->counts_at = counts_at;
    self->counts_clear = true;
    const bool turns = self->turns || parameters->scheme.kind == SCHEME_RELAXED;
    return turns ? bend(self, groups, bodies, contacts, parameters, places) : SCREE_OK;
}

scree_result opencl_rows_rebound(opencl_rows *self, cl_uint *some) {
    return opencl_buffer_read_from(self->primitives->device, &self->counts,
                                   (self->counts_at + ROWS_REBOUND) * sizeof *some, some, sizeof *some,
                                   CL_FALSE, "rebounds");
}

scree_result opencl_rows_read(opencl_rows *self, const device_row_bodies *bodies,
                              const device_contacts *contacts, const row_parameters *parameters,
                              const device_row_places *places) {
    const cl_uint groups = primitive_groups(self->primitives, contacts->pair_capacity, TILE_GROUP);
    const cl_int resists = contacts->resists;
    return LAUNCH(self, bodies,
                  bodies->children ? PRIMITIVE_rows_children_rows_read : PRIMITIVE_rows_rows_read, groups,
                  BUFFER(contacts->heads), BUFFER(contacts->tags), BUFFER(contacts->impulses),
                  BUFFER(contacts->torques), ARGUMENT(resists), BUFFER(contacts->counts),
                  ARGUMENT(contacts->pair_capacity), BUFFER(self->constants), BUFFER(*bodies->poses),
                  BUFFER(*bodies->masses), BUFFER(self->materials), ARGUMENT(*parameters),
                  BUFFER(*places->firsts), BUFFER(*places->impulses), BUFFER(*places->pseudo_impulses));
}
