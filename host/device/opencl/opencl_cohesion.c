/* Launches of cohesion. */
#include "opencl_cohesion.h"

#include "base/error.h"
#include "bound_pair.h"

void opencl_cohesion_open(opencl_cohesion *self, opencl_primitives *primitives) {
    *self = (opencl_cohesion){.primitives = primitives};
}

void opencl_cohesion_close(opencl_cohesion *self) {
    opencl_buffer *const buffers[] = {&self->marks, &self->forces, &self->flags,  &self->words,
                                      &self->list,  &self->keys,   &self->values, &self->loads};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    *self = (opencl_cohesion){0};
}

static scree_result reserve(opencl_cohesion *self, const cohesive_step *step) {
    opencl_device *device = self->primitives->device;
    const size_t pairs = step->contacts->pair_capacity, words = pairs * sizeof(cl_uint);
    opencl_buffer *const of_pairs[] = {&self->marks, &self->flags, &self->list, &self->keys, &self->values};
    for (size_t i = 0; i < sizeof of_pairs / sizeof *of_pairs; i++)
        TRY(opencl_buffer_reserve(device, of_pairs[i], words, "cohesive contacts"));
    TRY(opencl_buffer_reserve(device, &self->forces, pairs * sizeof(cl_float4), "cohesive forces"));
    TRY(opencl_buffer_reserve(device, &self->words, COHESION_WORDS * sizeof(cl_uint),
                              "number of cohesive contacts"));
    return opencl_buffer_reserve(device, &self->loads, step->shapes->count * sizeof(body_load),
                                 "loads with cohesion");
}

static cl_uint groups_for(const opencl_cohesion *self, const cohesive_step *step) {
    return primitive_groups(self->primitives, step->contacts->pair_capacity, TILE_GROUP);
}

/* Tests the bodies that only the narrow phase of convex shapes can. */
static scree_result test_convexes(opencl_cohesion *self, const cohesive_step *step) {
    const device_contacts *contacts = step->contacts;
    const device_bodies *shapes = step->shapes;
    if (!shapes->convexes) return SCREE_OK;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_convex_cohesion_near,
                            primitive_groups(self->primitives, contacts->pair_capacity, CONVEX_GROUP),
                            BUFFER(contacts->heads), BUFFER(self->words), BUFFER(step->rows->constants),
                            BUFFER(step->rows->materials), ARGUMENT(step->parameters->material_count),
                            ARGUMENT(step->parameters->period), BUFFER(*step->bodies->poses),
                            BUFFER(*shapes->convexes), BUFFER(*shapes->corners), BUFFER(*shapes->sides),
                            BUFFER(self->marks));
}

/* Finds the force at each point. */
static scree_result find_forces(opencl_cohesion *self, const cohesive_step *step) {
    const device_contacts *contacts = step->contacts;
    const cl_uint groups = groups_for(self, step);
    TRY(PRIMITIVE_LAUNCH(
        self->primitives, PRIMITIVE_cohesion_marks_cohesion_mark, groups, BUFFER(contacts->heads),
        BUFFER(contacts->tags), BUFFER(contacts->places), BUFFER(contacts->counts),
        ARGUMENT(contacts->pair_capacity), ARGUMENT(contacts->point_capacity),
        ARGUMENT(contacts->slot_capacity), BUFFER(step->rows->constants), BUFFER(*step->shapes->shapes),
        BUFFER(*step->bodies->poses), BUFFER(*step->bodies->velocities), BUFFER(step->rows->materials),
        ARGUMENT(*step->parameters), BUFFER(self->marks), BUFFER(self->words)));
    TRY(test_convexes(self, step));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_cohesion_cohesion_divide, groups,
                            BUFFER(contacts->heads), BUFFER(self->words), BUFFER(step->rows->constants),
                            BUFFER(step->rows->materials), ARGUMENT(*step->parameters), BUFFER(self->marks),
                            BUFFER(self->forces));
}

/* Gives the contacts their cohesive impulses. */
static scree_result hold(opencl_cohesion *self, const cohesive_step *step) {
    device_contacts *contacts = step->contacts;
    const cl_int first = !contacts->cohesive;
    contacts->cohesive = true;
    TRY(opencl_buffer_reserve(self->primitives->device, &contacts->pulls,
                              contacts->pair_capacity * sizeof(cl_float4), "cohesive impulses of contacts"));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_cohesion_cohesion_hold, groups_for(self, step),
                            BUFFER(contacts->heads), BUFFER(contacts->places), BUFFER(contacts->impulses),
                            BUFFER(self->words), BUFFER(step->rows->constants), BUFFER(*step->bodies->poses),
                            ARGUMENT(*step->parameters), BUFFER(self->forces), ARGUMENT(first),
                            BUFFER(contacts->pulls), BUFFER(self->flags));
}

/* Lists the entries with a force in their order, and by their second bodies. The sort is in scratch memory,
 * the lists are needed at the end of the step. */
static scree_result list_entries(opencl_cohesion *self, const cohesive_step *step) {
    opencl_device *device = self->primitives->device;
    const device_contacts *contacts = step->contacts;
    const cl_uint capacity = contacts->pair_capacity;
    const size_t bytes = capacity * sizeof(cl_uint);
    const device_word listed = {&self->words, COHESION_LISTED};
    const device_length entries = {{&self->words, COHESION_ENTRIES}, capacity};
    const scratch_mark mark = opencl_scratch_mark(device);
    opencl_buffer keys = {0}, values = {0};
    int bits = 1;
    while (step->shapes->count >> bits) bits++;
    TRY(opencl_compact(self->primitives, &self->flags, entries, &self->list, listed));
    TRY(opencl_buffer_share(device, &keys, bytes, "cohesive contacts"));
    TRY(opencl_buffer_share(device, &values, bytes, "cohesive contacts"));
    TRY(opencl_sort_share(self->primitives, capacity));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_impacts_impacts_ends, groups_for(self, step),
                         BUFFER(contacts->heads), BUFFER(self->list), BUFFER(self->words), ARGUMENT(capacity),
                         BUFFER(keys), BUFFER(values)));
    TRY(opencl_sort(self->primitives, 32, &keys, &values, (device_length){listed, capacity}, bits));
    TRY(opencl_buffer_copy(device, &keys, &self->keys, bytes, "cohesive contacts"));
    TRY(opencl_buffer_copy(device, &values, &self->values, bytes, "cohesive contacts"));
    opencl_sort_leave(self->primitives);
    opencl_buffer_release(device, &keys);
    opencl_buffer_release(device, &values);
    opencl_scratch_reset(device, mark);
    return SCREE_OK;
}

#define BY_BODIES(self)                                                                                      \
    BUFFER((self)->list), BUFFER((self)->words), BUFFER((self)->keys), BUFFER((self)->values)
#define LOADED(self, step)                                                                                   \
    BUFFER((step)->contacts->heads), BUFFER((step)->contacts->tags), BUFFER((step)->contacts->places),       \
        ARGUMENT((self)->capacity), BUFFER((step)->rows->constants), BUFFER(*(step)->bodies->poses),         \
        BUFFER(*(step)->bodies->masses), ARGUMENT((step)->parameters->period), BUFFER((self)->forces),       \
        BY_BODIES(self), BUFFER(*(step)->bodies->loads), ARGUMENT((self)->slots), BUFFER((self)->loads)

static scree_result add_loads(opencl_cohesion *self, const cohesive_step *step) {
    const cl_uint groups = primitive_groups(self->primitives, self->slots, TILE_GROUP);
    const device_children *children = step->bodies->children;
    if (children)
        return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_cohesion_children_cohesion_loads, groups,
                                LOADED(self, step), CHILDREN(children));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_cohesion_cohesion_loads, groups, LOADED(self, step));
}

scree_result opencl_cohesion_apply(opencl_cohesion *self, const cohesive_step *step) {
    self->slots = step->shapes->count, self->capacity = step->contacts->pair_capacity;
    TRY(reserve(self, step));
    TRY(find_forces(self, step));
    TRY(hold(self, step));
    TRY(list_entries(self, step));
    return add_loads(self, step);
}

scree_result opencl_cohesion_settle(opencl_cohesion *self, const cohesive_step *step,
                                    const opencl_buffer *after, const opencl_buffer *velocities,
                                    const opencl_buffer *out) {
    const device_contacts *contacts = step->contacts;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_cohesion_cohesion_settle,
                            primitive_groups(self->primitives, self->slots, TILE_GROUP),
                            BUFFER(contacts->heads), BUFFER(contacts->impulses), ARGUMENT(self->capacity),
                            BUFFER(contacts->pulls), BUFFER(step->rows->constants),
                            BUFFER(*step->bodies->poses), BUFFER(*after), BUFFER(*step->bodies->masses),
                            BUFFER(*velocities), ARGUMENT(*step->parameters), BY_BODIES(self),
                            ARGUMENT(self->slots), BUFFER(*out));
}
