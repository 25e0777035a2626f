/* Table of the grains of a world. */
#include "step/world.h"

#include "base/memory.h"
#include "base/vector.h"

#include <scree/tools/grains.h>

#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns whether all user numbers are non-zero and distinct. Sorts `numbers`. */
static bool are_names(uint64_t *numbers, int count) {
    if (count > 0) qsort(numbers, (size_t)count, sizeof *numbers, ascending);
    bool names = count > 0 && numbers[0] > 0;
    for (int i = 1; i < count && names; i++) names = numbers[i] != numbers[i - 1];
    return names;
}

/* Returns a grain whose density reproduces the mass: (float)(V ρ) = m. */
static scree_grain grain_of(const body_array *bodies, int slot) {
    const scree_shape shape = bodies->shapes[slot];
    return (scree_grain){.position = vec3_out(bodies->poses[slot].position),
                         .radius = shape.size.x,
                         .density = (double)bodies->masses[slot].mass / scree_shape_get_volume(shape),
                         .id = (uint64_t)slot + 1,
                         .velocity = vec3_out(bodies->velocities[slot].linear),
                         .angular_velocity = vec3_out(bodies->velocities[slot].angular)};
}

scree_result scree_grains_from_world(const scree_world *world, scree_grains *out, int *others) {
    REQUIRE(world);
    REQUIRE(out);
    const body_array *bodies = &world->bodies;
    scree_grains made = {.items = memory_allocate((size_t)bodies->dynamic, sizeof *made.items)};
    uint64_t *numbers = memory_allocate(2 * (size_t)bodies->dynamic, sizeof *numbers),
             *sorted = numbers ? numbers + bodies->dynamic : NULL;
    int left_out = 0;
    if (!made.items || !numbers) {
        memory_release(made.items);
        memory_release(numbers);
        return fail(SCREE_ERROR_MEMORY, "out of memory: table of %d grains", bodies->dynamic);
    }
    for (int slot = 0; slot < bodies->count; slot++) {
        if (!body_is_dynamic(bodies, slot)) continue;
        if (bodies->shapes[slot].kind != SCREE_SHAPE_SPHERE) {
            left_out++;
            continue;
        }
        numbers[made.count] = sorted[made.count] = bodies->settings[slot].user_data;
        made.items[made.count++] = grain_of(bodies, slot);
    }
    if (are_names(sorted, made.count))
        for (int i = 0; i < made.count; i++) made.items[i].id = numbers[i];
    memory_release(numbers);
    if (others) *others = left_out;
    *out = made;
    return SCREE_OK;
}
