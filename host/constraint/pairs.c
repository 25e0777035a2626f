#include "pairs.h"

#include "base/memory.h"

static constraint_pair pair_of(const assembly *from, int a, int b) {
    return (constraint_pair){.a = a,
                             .b = b,
                             .contact = -1,
                             .moves = (body_is_dynamic(from->bodies, a) ? PAIR_MOVES_A : 0) |
                                      (body_is_dynamic(from->bodies, b) ? PAIR_MOVES_B : 0),
                             .last_colour = -1};
}

scree_result pairs_collect(constraint_pairs *self, const assembly *from, int threads, int *regrown) {
    const contact_set *contacts = from->contacts;
    TRY(MEMORY_RESERVE(self->items, self->capacity, contacts->count, regrown));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < contacts->count; ++i) {
        const contact_pair *touching = &contacts->pairs[i];
        self->items[i] = pair_of(from, touching->manifold.a, touching->manifold.b);
        self->items[i].contact = i;
        self->items[i].last_colour = touching->last_colour;
    }
    self->count = contacts->count;
    return SCREE_OK;
}

scree_result pairs_keep_colours(const constraint_pairs *self, const assembly *from) {
    contact_set *contacts = from->contacts;
    TRY(MEMORY_RESERVE(contacts->colours, contacts->colour_capacity, contacts->count, NULL));
    for (int i = 0; i < self->count; ++i)
        if (self->items[i].contact >= 0) contacts->colours[self->items[i].contact] = self->items[i].colour;
    return SCREE_OK;
}
