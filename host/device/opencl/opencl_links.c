/* Launches of pairs with joints. */
#include "opencl_links.h"

#include "base/error.h"
#include "base/memory.h"

#include "arrangement.h"
#include "pair_ends.h"

void opencl_links_open(opencl_links *self, opencl_primitives *primitives) {
    *self = (opencl_links){.primitives = primitives};
}

void opencl_links_close(opencl_links *self) {
    opencl_buffer *const buffers[] = {&self->linked, &self->found, &self->entries, &self->alone,
                                      &self->before, &self->at,    &self->blocks,  &self->starts,
                                      &self->pushes, &self->taken, &self->numbers, &self->held};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    memory_release(self->pairs);
    memory_release(self->places);
    memory_release(self->targets);
    memory_release(self->nodes);
    *self = (opencl_links){0};
}

/* The ground, the slot after all bodies, neither moves nor has mass. */
static cl_uint end_of(const body_array *bodies, int slot) {
    if (slot >= bodies->count) return (cl_uint)slot;
    return (cl_uint)slot | (body_is_dynamic(bodies, slot) ? ENDS_MOVES : 0) |
           (bodies->masses[slot].mass > 0 ? ENDS_MASS : 0);
}

scree_result opencl_links_send(opencl_links *self, const problem *p, const body_array *bodies) {
    const int count = p->linked;
    self->count = (cl_uint)count, self->rows = (cl_uint)p->row_count;
    if (count == 0) return SCREE_OK;
    TRY(MEMORY_RESERVE(self->pairs, self->pair_capacity, count, NULL));
    TRY(MEMORY_RESERVE(self->places, self->place_capacity, count, NULL));
    for (int i = 0; i < count; i++) {
        const constraint_pair *pair = &p->pairs.items[i];
        self->pairs[i] = (linked_pair){.a = end_of(bodies, pair->a),
                                       .b = end_of(bodies, pair->b),
                                       .blocks = p->groups[i].count,
                                       .last_colour = pair->colour};
    }
    return opencl_buffer_write(self->primitives->device, &self->linked, self->pairs,
                               (size_t)count * sizeof *self->pairs, CL_FALSE, "pairs with joints");
}

#define RESERVE(self, buffer, items, size)                                                                   \
    opencl_buffer_reserve((self)->primitives->device, &(self)->buffer, (size_t)(items) * (size),             \
                          #buffer " of pairs with joints")

static scree_result reserve(opencl_links *self) {
    const size_t word = sizeof(cl_uint);
    TRY(RESERVE(self, entries, self->count, word));
    TRY(RESERVE(self, alone, self->count, word));
    TRY(RESERVE(self, before, self->count, word));
    TRY(RESERVE(self, numbers, self->count, word));
    TRY(RESERVE(self, held, self->count, word));
    return RESERVE(self, found, self->count, sizeof(linked_place));
}

static cl_uint groups_of(const opencl_links *self, cl_uint items) {
    return primitive_groups(self->primitives, items, TILE_GROUP);
}

scree_result opencl_links_find(opencl_links *self, const links_run *run) {
    const device_contacts *contacts = run->contacts;
    TRY(reserve(self));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_links_links_find, groups_of(self, self->count),
                         BUFFER(self->linked), ARGUMENT(self->count), BUFFER(contacts->heads),
                         BUFFER(*run->words), ARGUMENT(contacts->pair_capacity), BUFFER(self->entries),
                         BUFFER(self->alone)));
    return opencl_scan(self->primitives, &self->alone,
                       (device_length){{run->words, ARRANGED_UNLIMITED}, self->count}, &self->before,
                       (device_word){run->words, ARRANGED_ALONE});
}

scree_result opencl_links_enter(opencl_links *self, const links_run *run) {
    const cl_int runs = run->run_of != NULL;
    return PRIMITIVE_LAUNCH(
        self->primitives, PRIMITIVE_links_links_pairs, groups_of(self, self->count), BUFFER(self->linked),
        ARGUMENT(self->count), BUFFER(self->entries), BUFFER(self->alone), BUFFER(self->before),
        BUFFER(run->contacts->tags), BUFFER(*run->words), ARGUMENT(run->contacts->pair_capacity),
        BUFFER(*(runs ? run->run_of : run->words)), ARGUMENT(runs), ARGUMENT(run->limit), ARGUMENT(run->most),
        BUFFER(*run->pairs), BUFFER(*run->colours), BUFFER(*run->blocks), BUFFER(*run->once),
        BUFFER(*run->twice), BUFFER(self->numbers));
}

scree_result opencl_links_finish(opencl_links *self, const links_run *run) {
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_links_links_places, groups_of(self, self->count),
                         BUFFER(self->numbers), ARGUMENT(self->count), BUFFER(*run->words),
                         ARGUMENT(run->limit), BUFFER(*run->colours), BUFFER(*run->firsts),
                         BUFFER(self->found)));
    return opencl_buffer_read(self->primitives->device, &self->found, self->places,
                              self->count * sizeof *self->places, CL_FALSE, "places of joints");
}

scree_result opencl_links_take_places(opencl_links *self, problem *p) {
    TRY(MEMORY_RESERVE(self->targets, self->target_capacity, p->row_count, NULL));
    for (int i = 0; i < p->linked; i++) {
        const block_group group = p->groups[i];
        p->pairs.items[i].colour = (signed char)self->places[i].colour;
        for (int k = 0; k < group.count; k++)
            self->targets[group.first + k] = self->places[i].first_block + k;
    }
    return SCREE_OK;
}

#define SEND(self, buffer, items)                                                                            \
    opencl_buffer_write((self)->primitives->device, &(self)->buffer, items, (self)->rows * sizeof *(items),  \
                        CL_FALSE, #buffer " of joints")

scree_result opencl_links_place(opencl_links *self, const problem *p, const opencl_buffer *blocks,
                                const opencl_buffer *starts, const opencl_buffer *pushes) {
    if (self->rows == 0) return SCREE_OK;
    TRY(SEND(self, at, self->targets));
    TRY(SEND(self, blocks, p->blocks));
    TRY(SEND(self, starts, p->impulses));
    TRY(SEND(self, pushes, p->pseudo_impulses));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_links_links_place, groups_of(self, self->rows),
                            BUFFER(self->at), ARGUMENT(self->rows), BUFFER(self->blocks),
                            BUFFER(self->starts), BUFFER(self->pushes), BUFFER(*blocks), BUFFER(*starts),
                            BUFFER(*pushes));
}

scree_result opencl_links_read(opencl_links *self, const opencl_buffer *solution, block_impulse *out) {
    if (self->rows == 0) return SCREE_OK;
    TRY(RESERVE(self, taken, self->rows, sizeof *out));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_links_links_take, groups_of(self, self->rows),
                         BUFFER(self->at), ARGUMENT(self->rows), BUFFER(*solution), BUFFER(self->taken)));
    return opencl_buffer_read(self->primitives->device, &self->taken, out, self->rows * sizeof *out, CL_FALSE,
                              "impulses of joints");
}

scree_result opencl_links_number(opencl_links *self, const joint_forest *forest) {
    TRY(MEMORY_RESERVE(self->nodes, self->node_capacity, forest->node_count, NULL));
    for (int i = 0; i < forest->node_count; i++) {
        joint_node node = forest->nodes[i];
        for (int k = 0; k < node.row_count; k++)
            node.rows[k] = 4 * self->targets[node.rows[k] / 4] + node.rows[k] % 4;
        self->nodes[i] = node;
    }
    return SCREE_OK;
}
