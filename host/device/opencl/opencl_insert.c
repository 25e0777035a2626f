/* Launches that insert contacts. */
#include "opencl_insert.h"

#include "base/error.h"

#define CONTACTS(set)                                                                                        \
    BUFFER((set)->heads), BUFFER((set)->tags), BUFFER((set)->places), BUFFER((set)->features),               \
        BUFFER((set)->impulses), BUFFER((set)->rows), BUFFER((set)->torques), BUFFER((set)->counts)

static cl_uint larger(cl_uint a, cl_uint b) { return a > b ? a : b; }

static scree_result copy_back(opencl_device *device, const device_contacts *from, device_contacts *to) {
    const size_t pairs = from->pair_capacity, points = from->point_capacity, quad = 4 * sizeof(cl_float);
    const struct {
        const opencl_buffer *from, *to;
        size_t bytes;
    } columns[] = {
        {&from->counts, &to->counts, CONTACTS_COUNTS * sizeof(cl_uint)},
        {&from->heads, &to->heads, pairs * sizeof(contact_head)},
        {&from->tags, &to->tags, pairs * sizeof(contact_tag)},
        {&from->places, &to->places, points * quad},
        {&from->features, &to->features, points * sizeof(cl_uint)},
        {&from->impulses, &to->impulses, points * quad},
        {&from->rows, &to->rows, points * sizeof(contact_row)},
        {&from->torques, &to->torques, from->resists ? points * quad : 0},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        TRY(opencl_buffer_copy(device, columns[i].from, columns[i].to, columns[i].bytes,
                               "inserted contacts"));
    return SCREE_OK;
}

scree_result opencl_insert_contacts(opencl_primitives *primitives, device_contacts *set, cl_uint pairs,
                                    cl_uint points, const device_contacts *more, device_contacts *spare) {
    const cl_int resists = set->resists;
    spare->resists = set->resists;
    spare->pair_capacity = larger(set->pair_capacity, pairs + more->pair_capacity);
    spare->point_capacity = larger(set->point_capacity, points + more->point_capacity);
    spare->slot_capacity = set->slot_capacity;
    TRY(device_contacts_reserve(primitives->device, spare));
    TRY(PRIMITIVE_LAUNCH(
        primitives, PRIMITIVE_insert_insert_contacts,
        primitive_groups(primitives, larger(points, pairs + more->pair_capacity), TILE_GROUP), CONTACTS(set),
        BUFFER(more->heads), BUFFER(more->tags), BUFFER(more->places), BUFFER(more->features),
        BUFFER(more->counts), ARGUMENT(resists), CONTACTS(spare)));
    set->pair_capacity = spare->pair_capacity, set->point_capacity = spare->point_capacity;
    TRY(device_contacts_reserve(primitives->device, set));
    return copy_back(primitives->device, spare, set);
}

scree_result opencl_insert_settle(opencl_primitives *primitives, const device_contacts *set) {
    return PRIMITIVE_LAUNCH(primitives, PRIMITIVE_insert_insert_settle,
                            primitive_groups(primitives, set->pair_capacity, TILE_GROUP), BUFFER(set->heads),
                            BUFFER(set->tags), BUFFER(set->places), BUFFER(set->counts),
                            ARGUMENT(set->pair_capacity));
}

scree_result opencl_insert_crossings(opencl_primitives *primitives, const device_contacts *set,
                                     const opencl_buffer *crossed, const opencl_buffer *endless,
                                     const float period[3]) {
    const vec3s length = vec3_of(period[0], period[1], period[2]);
    return PRIMITIVE_LAUNCH(primitives, PRIMITIVE_insert_insert_crossings,
                            primitive_groups(primitives, set->pair_capacity, TILE_GROUP), BUFFER(set->heads),
                            BUFFER(set->places), BUFFER(set->counts), ARGUMENT(set->pair_capacity),
                            BUFFER(*crossed), BUFFER(*endless), ARGUMENT(length));
}
