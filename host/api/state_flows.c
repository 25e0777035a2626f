#include "state_flows.h"

#include "shared.h"

#include "base/memory.h"

#include <string.h>

void state_count_flows(const flow_array *all, state_rows *out) {
    out->flow_count = all->count;
    for (int i = 0; i < all->count; i++) out->size_count += all->items[i].inlet.size_count;
}

void state_take_flows(const flow_array *all, const geometry_list *geometries, state_rows *out) {
    float *size = out->sizes;
    for (int i = 0; i < all->count; i++) {
        const flow_item *item = &all->items[i];
        out->flows[i] = (flow_row){*item,
                                   item->is_inlet,
                                   item->waiting,
                                   item->inlet.random_rotation,
                                   item->inlet.closed,
                                   item->outlet.outside,
                                   item->outlet.stops,
                                   item->outlet.closed,
                                   1 + geometry_list_find(geometries, item->inlet.body.shape.geometry)};
        for (int k = 0; k < item->inlet.size_count; k++) *size++ = item->inlet.sizes[k];
    }
}

static scree_result give(const state_rows *self, int i, int *size, scree_world *world) {
    const flow_row *row = &self->flows[i];
    flow_item *item = &world->state.flows.items[i];
    const int count = row->item.inlet.size_count;
    if (count < 0 || count > self->size_count - *size)
        return fail(SCREE_ERROR_FORMAT, "flow %d: sizes: %d; must be 0 to %d", i, count,
                    self->size_count - *size);
    if ((row->is_inlet | row->waiting | row->random_rotation | row->inlet_closed | row->outside | row->stops |
         row->outlet_closed) > 1)
        return fail(SCREE_ERROR_FORMAT, "flow %d: flags: %u, %u, %u, %u, %u, %u, %u; must be 0 or 1", i,
                    row->is_inlet, row->waiting, row->random_rotation, row->inlet_closed, row->outside,
                    row->stops, row->outlet_closed);
    *item = row->item;
    item->sizes = NULL;
    item->is_inlet = row->is_inlet;
    item->waiting = row->waiting;
    item->inlet.random_rotation = row->random_rotation;
    item->inlet.closed = row->inlet_closed;
    item->outlet.closed = row->outlet_closed;
    item->outlet.outside = row->outside;
    item->outlet.stops = row->stops;
    if (item->inlet.body.material.index) item->inlet.body.material.world = world->state.bodies.world;
    TRY(flow_take_sizes(item, self->sizes + *size, count));
    *size += count;
    if (flow_is_alive(item) && flow_validate(world, item) != SCREE_OK)
        return fail_prefix(SCREE_ERROR_FORMAT, "flow %d", i);
    return SCREE_OK;
}

scree_result state_give_flows(const state_rows *self, scree_world *world) {
    flow_array *all = &world->state.flows;
    int size = 0;
    TRY(MEMORY_RESERVE(all->items, all->capacity, self->flow_count, NULL));
    while (all->count <
           self->flow_count) { /* incremented first, so that a rejected item is released with the world */
        all->items[all->count] = (flow_item){0};
        TRY(give(self, all->count++, &size, world));
    }
    if (size != self->size_count) return fail(SCREE_ERROR_FORMAT, "sizes: belong to no inlet; each must");
    return SCREE_OK;
}
