/* Table of the grains of a world. */
#include "base/error.h"
#include "base/memory.h"

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

/* Sets a grain from a sphere. Its density reproduces the mass: (float)(V ρ) = m. */
static scree_result read_grain(const scree_world *world, scree_body_id id, scree_shape shape,
                               scree_grain *out) {
    scree_body_state state;
    float mass = 0;
    TRY(scree_body_get_state(world, id, &state));
    TRY(scree_body_get_mass(world, id, &mass, NULL));
    *out = (scree_grain){.position = state.position,
                         .radius = shape.size.x,
                         .density = (double)mass / scree_shape_get_volume(shape),
                         .id = id.index,
                         .velocity = state.linear_velocity,
                         .angular_velocity = state.angular_velocity};
    return SCREE_OK;
}

/* Bodies of a world, and the table that is made from them. */
typedef struct grain_list {
    uint64_t *numbers, *sorted; /* user numbers of the grains */
    scree_grains made;
    int others;
} grain_list;

static scree_result add_body(const scree_world *world, scree_body_id id, grain_list *self) {
    scree_body_def def;
    TRY(scree_body_get_def(world, id, &def));
    if (def.type != SCREE_BODY_DYNAMIC) return SCREE_OK;
    if (def.shape.kind != SCREE_SHAPE_SPHERE) {
        self->others++;
        return SCREE_OK;
    }
    TRY(read_grain(world, id, def.shape, &self->made.items[self->made.count]));
    self->numbers[self->made.count] = self->sorted[self->made.count] = def.user_data;
    self->made.count++;
    return SCREE_OK;
}

static scree_result list_grains(const scree_world *world, int count, grain_list *self) {
    SCOPED scree_body_id *ids = memory_allocate((size_t)count, sizeof *ids);
    SCOPED uint64_t *numbers = memory_allocate((size_t)count, 2 * sizeof *numbers);
    self->made.items = memory_allocate((size_t)count, sizeof *self->made.items);
    if (!ids || !numbers || !self->made.items)
        return fail(SCREE_ERROR_MEMORY, "out of memory: table of %d grains", count);
    self->numbers = numbers;
    self->sorted = numbers + count;
    scree_body_list(world, ids, count);
    for (int i = 0; i < count; i++) TRY(add_body(world, ids[i], self));
    if (are_names(self->sorted, self->made.count))
        for (int i = 0; i < self->made.count; i++) self->made.items[i].id = numbers[i];
    return SCREE_OK;
}

scree_result scree_grains_from_world(const scree_world *world, scree_grains *out, int *others) {
    REQUIRE(world);
    REQUIRE(out);
    grain_list list = {.others = 0};
    const scree_result result = list_grains(world, scree_body_count(world), &list);
    SCOPED scree_grain *items = list.made.items;
    TRY(result);
    if (others) *others = list.others;
    *out = list.made;
    items = NULL;
    return SCREE_OK;
}
