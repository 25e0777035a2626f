#include "bodies.h"

#include "base/error.h"
#include "base/handle_table.h"
#include "base/memory.h"
#include "base/vector.h"

int body_slot(const body_array *bodies, scree_body_id id) {
    const handle_table all = {bodies->world, bodies->count, bodies->generations, sizeof *bodies->generations};
    const int slot = handle_match(all, id.index, id.generation, id.world);
    return slot >= 0 && bodies->types[slot] != SLOT_FREE ? slot : -1;
}

scree_body_id body_id_of(const body_array *bodies, int slot) {
    return (scree_body_id){(uint32_t)slot + 1, bodies->generations[slot], bodies->world};
}

scree_result bodies_bring(const body_array *bodies) {
    body_store *store = bodies->store;
    if (!store || !store->away) return SCREE_OK;
    TRY(store->bring(store->context, bodies));
    store->away = false;
    return SCREE_OK;
}

/* The arrays grow one by one. `capacity` is what all of them have, so a failure half-way leaves a valid
 * array. */
scree_result bodies_reserve(body_array *bodies, int needed) {
    if (needed <= bodies->capacity) return SCREE_OK;
    int target = bodies->capacity + bodies->capacity / 2;
    if (target < needed) target = needed;
    if (target < 64) target = 64;
#define GROW(array)                                                                                          \
    do {                                                                                                     \
        int capacity = bodies->array ? bodies->capacity : 0;                                                 \
        TRY(memory_reserve((void **)&bodies->array, &capacity, sizeof *bodies->array, (size_t)target,        \
                           NULL));                                                                           \
    } while (0)
    GROW(poses);
    GROW(remainders);
    GROW(velocities);
    GROW(masses);
    GROW(loads);
    GROW(constant_loads);
    GROW(settings);
    GROW(shapes);
    GROW(materials);
    GROW(types);
    GROW(generations);
    GROW(next_free);
    GROW(group_numbers);
    GROW(earlier);
    GROW(gone);
    if (bodies->period.any) {
        GROW(cells);
        GROW(endless);
        GROW(tilings);
    }
#undef GROW
    bodies->capacity = target;
    return SCREE_OK;
}

void bodies_release(body_array *bodies) {
    memory_release(bodies->poses);
    memory_release(bodies->remainders);
    memory_release(bodies->velocities);
    memory_release(bodies->masses);
    memory_release(bodies->loads);
    memory_release(bodies->constant_loads);
    memory_release(bodies->settings);
    memory_release(bodies->shapes);
    geometry_list_release(&bodies->geometries);
    memory_release(bodies->materials);
    memory_release(bodies->types);
    memory_release(bodies->generations);
    memory_release(bodies->next_free);
    memory_release(bodies->group_numbers);
    memory_release(bodies->earlier);
    memory_release(bodies->gone);
    memory_release(bodies->cells);
    memory_release(bodies->endless);
    for (int slot = 0; slot < bodies->count && bodies->tilings; slot++) tiling_drop(&bodies->tilings[slot]);
    memory_release(bodies->tilings);
    memory_release(bodies->apart);
    *bodies = (body_array){.free_head = -1};
}

scree_shape body_stretched(const body_array *bodies, int slot) {
    scree_shape shape = bodies->shapes[slot];
    if (shape.kind == SCREE_SHAPE_MESH && bodies->tilings && bodies->tilings[slot].of == shape.geometry)
        shape.geometry = bodies->tilings[slot].made;
    const int own = bodies->endless ? bodies->endless[slot] >> ENDLESS_OWN : 0;
    if (own & 1) shape.size.x *= 4;
    if (own & 2) shape.size.y *= 4;
    if (own & 4) shape.size.z *= 4;
    return shape;
}

int body_idle_image(const body_array *bodies, int a, int b, int image) {
    const int axes = bodies->endless ? (bodies->endless[a] | bodies->endless[b]) & ENDLESS_WORLD : 0;
    int cells[3];
    if (!axes || !image) return 0;
    period_cells(image, cells);
    for (int axis = 0; axis < 3; axis++) cells[axis] *= axes >> axis & 1;
    return period_image(cells);
}

void body_cross(body_array *bodies, int slot, int image) {
    int cells[3];
    if (!image) return;
    period_cells(image, cells);
    const vec3s from = bodies->poses[slot].position;
    bodies->poses[slot] = body_image_pose(bodies, slot, image);
    for (int axis = 0; axis < 3; axis++) {
        const double moved = cells[axis] * (double)vec3_along(bodies->period.length, axis),
                     rounded = (double)vec3_along(bodies->poses[slot].position, axis);
        *vec3_component(&bodies->remainders[slot].position, axis) +=
            (scalar)((double)vec3_along(from, axis) + moved - rounded);
        bodies->cells[slot].n[axis] -= cells[axis];
    }
}

bool bodies_apart(const body_array *bodies, int a, int b) {
    int low = 0, high = bodies->apart_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const slot_pair *pair = &bodies->apart[middle];
        if (pair->a == a && pair->b == b) return true;
        if (pair->a < a || (pair->a == a && pair->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool bodies_may_touch(const body_array *bodies, int a, int b) {
    const body_settings one = body_settings_of(bodies, a), other = body_settings_of(bodies, b);
    return (one.groups & other.mask) && (other.groups & one.mask);
}

void body_settings_set(body_array *bodies, int slot, body_settings settings) {
    body_settings kept = body_settings_turned(settings);
    kept.reserved = 0;
    bodies->filtered |= kept.groups || kept.mask;
    bodies->definitions++;
    if (memcmp(&bodies->settings[slot], &kept, sizeof kept)) bodies->settings[slot] = kept;
}

void body_mark_gone(body_array *bodies, int slot) {
    bodies->gone_count += !bodies->gone[slot];
    bodies->gone[slot] = 1;
}

scree_body_type body_type_of(const body_array *bodies, int slot) {
    return bodies->types[slot] == SLOT_STATIC      ? SCREE_BODY_STATIC
           : bodies->types[slot] == SLOT_KINEMATIC ? SCREE_BODY_KINEMATIC
                                                   : SCREE_BODY_DYNAMIC;
}
