#include "checkpoint_measurements.h"

#include "base/memory.h"

#include <string.h>

void checkpoint_count_measurements(const measurement_array *all, checkpoint_state *out) {
    out->measurement_count = all->count;
    for (int i = 0; i < all->count; ++i) {
        out->measurement_body_count += all->items[i].def.body_count;
        out->measurement_value_count += all->items[i].value_count;
    }
}

void checkpoint_take_measurements(const measurement_array *all, checkpoint_state *out) {
    scree_body_id *bodies = out->measurement_bodies;
    double *values = out->measurement_values;
    for (int i = 0; i < all->count; ++i) {
        const measurement *item = &all->items[i];
        out->measurements[i] = (measurement_row){*item, item->def.everywhere, item->def.paused};
        for (int k = 0; k < item->def.body_count; ++k) *bodies++ = item->bodies[k];
        for (int k = 0; k < item->value_count; ++k) *values++ = item->values[k];
    }
}

/* Numbers of bodies and values used so far. */
typedef struct given {
    int bodies, values;
} given;

static scree_result give(const checkpoint_state *self, int i, given *at, measurement_array *all) {
    measurement *item = &all->items[i], row = self->measurements[i].item;
    const int bodies = row.def.body_count, values = row.value_count;
    if (bodies < 0 || bodies > self->measurement_body_count - at->bodies || values < 0 ||
        values > self->measurement_value_count - at->values ||
        (!measurement_is_alive(&row) && (bodies | values)) ||
        (self->measurements[i].everywhere | self->measurements[i].paused) > 1)
        return fail(SCREE_ERROR_FORMAT, "gauge %d has a count or a flag out of range", i);
    item->generation = row.generation;
    if (!measurement_is_alive(&row)) return SCREE_OK;
    scree_body_id *const of = self->measurement_bodies + at->bodies;
    for (int k = 0; k < bodies; ++k) of[k].world = all->world;
    row.name[SCREE_MEASUREMENT_NAME_SIZE - 1] = 0;
    row.def.name = row.name;
    row.def.bodies = of;
    row.def.material.world = row.def.material.index ? all->world : 0;
    row.def.everywhere = self->measurements[i].everywhere;
    row.def.paused = self->measurements[i].paused;
    if (measurement_validate(&row.def) != SCREE_OK) return fail_prefix(SCREE_ERROR_FORMAT, "gauge %d", i);
    if (values != measurement_value_count(&row.def) || row.row_step > self->world.steps)
        return fail(SCREE_ERROR_FORMAT,
                    "gauge %d has a wrong number of values, or a row after the current step", i);
    TRY(measurement_make(item, &row.def));
    item->samples = row.samples;
    item->row_step = row.row_step, item->row_time = row.row_time, item->row_samples = row.row_samples;
    memcpy(item->values, self->measurement_values + at->values, sizeof *item->values * (size_t)values);
    at->bodies += bodies, at->values += values;
    all->living++;
    return SCREE_OK;
}

static scree_result give_all(const checkpoint_state *self, given *at, scree_world *world) {
    measurement_array *all;
    TRY(measurements_make(world, &all));
    TRY(MEMORY_RESERVE(all->items, all->capacity, self->measurement_count, NULL));
    while (
        all->count <
        self->measurement_count) /* incremented first, so that a rejected item is released with the world */
        TRY(give(self, all->count++, at, all));
    return SCREE_OK;
}

scree_result checkpoint_give_measurements(const checkpoint_state *self, scree_world *world) {
    given at = {0, 0};
    if (self->measurement_count > 0) TRY(give_all(self, &at, world));
    if (at.bodies != self->measurement_body_count || at.values != self->measurement_value_count)
        return fail(SCREE_ERROR_FORMAT, "bodies or values belong to no gauge");
    return SCREE_OK;
}
