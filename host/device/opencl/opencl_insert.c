/* Launches that insert contacts. */
#include "opencl_insert.h"

#include "base/error.h"

#define CONTACTS(set)                                                                                        \
    BUFFER((set)->heads), BUFFER((set)->tags), BUFFER((set)->places), BUFFER((set)->features),               \
        BUFFER((set)->impulses), BUFFER((set)->rows), BUFFER((set)->torques), BUFFER((set)->counts)

static cl_uint larger(cl_uint a, cl_uint b) { return a > b ? a : b; }

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
    const device_contacts old = *set;
    *set = *spare, *spare = old;
    return SCREE_OK;
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
