#include "problem.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/prefix_sum.h"

#include <limits.h>
#include <string.h>

/* Each thread has a slice of the slots and loops over all groups, so one thread writes a body's entries, in
 * the order of the blocks. */
/* Returns whether a slot of the slice has mass. The ground, after all bodies, has none. */
static bool counts(slice of, const body_array *bodies, int slot) {
    return slot >= of.first && slot < of.end && slot < bodies->count && bodies->masses[slot].mass > 0;
}

/* Counts the blocks of each body of a slice, and those of them in the uncoloured remainder. */
static void count(problem *self, const body_array *bodies, slice of) {
    for (int slot = of.first; slot < of.end; slot++) {
        self->incidence_first[slot] = 0;
        self->splits[slot] = (body_split){0};
    }
    for (int g = 0; g < self->group_count; g++) {
        const block_group group = self->groups[g];
        const int ends[2] = {group.body_a, group.body_b};
        for (int side = 0; side < 2; side++) {
            if (!counts(of, bodies, ends[side])) continue;
            self->incidence_first[ends[side]] += group.count;
            if (group.first >= self->remainder_first)
                self->splits[ends[side]].remainder += (scalar)group.count;
        }
    }
    for (int slot = of.first; slot < of.end; slot++)
        self->splits[slot].all = scalar_max(1, (scalar)self->incidence_first[slot]);
}

/* incidence_first[slot] serves as the next free place of a body. After the loop it is the end of the body's
 * entries, where those of the next body begin. */
static void fill(problem *self, const body_array *bodies, slice of) {
    int *next = self->incidence_first;
    for (int g = 0; g < self->group_count; g++) {
        const block_group group = self->groups[g];
        const int ends[2] = {group.body_a, group.body_b};
        for (int side = 0; side < 2; side++)
            for (int i = group.first; counts(of, bodies, ends[side]) && i < group.first + group.count; i++)
                self->incidence[next[ends[side]]++] = 2 * i + side;
    }
}

static void list_remainder_bodies(problem *self) {
    for (int slot = 0, count = 0; slot < self->body_count; slot++) {
        if (self->splits[slot].remainder > 0) self->remainder_bodies[count++] = slot;
        self->splits[slot].remainder = scalar_max(1, self->splits[slot].remainder);
    }
}

typedef struct index_loop {
    problem *self;
    const body_array *bodies;
    int slots, slices, *remainder_bodies;
} index_loop;

static void count_slices(const void *context, slice part) {
    const index_loop loop = *(const index_loop *)context;
    for (int i = part.first; i < part.end; i++)
        count(loop.self, loop.bodies, slice_of(loop.slots, i, loop.slices));
}

static void count_remainder(const void *context, slice part) {
    const index_loop loop = *(const index_loop *)context;
    int remainder_bodies = 0;
    for (int slot = part.first; slot < part.end; slot++)
        remainder_bodies += loop.self->splits[slot].remainder > 0;
    parallel_add(loop.remainder_bodies, remainder_bodies);
}

static void fill_slices(const void *context, slice part) {
    const index_loop loop = *(const index_loop *)context;
    for (int i = part.first; i < part.end; i++)
        fill(loop.self, loop.bodies, slice_of(loop.slots, i, loop.slices));
}

scree_result problem_index(problem *self, const body_array *bodies, int threads, int *regrown) {
    if (self->block_count > INT_MAX / 2)
        return fail(SCREE_ERROR_CAPACITY, "contacts: %d; at most %d fit into an index", self->block_count,
                    INT_MAX / 2);
    const int slots = self->body_count, slices = parallel_threads(threads, self->group_count);
    TRY(problem_reserve(self, OF_SPLITS, slots, regrown));
    TRY(problem_reserve(self, OF_FIRSTS, slots + 1, regrown));
    int remainder_bodies = 0;
    parallel_for(slices, slices, count_slices,
                 &(const index_loop){.self = self, .bodies = bodies, .slots = slots, .slices = slices});
    const int entries = prefix_sum(self->incidence_first, slots, slices);
    self->incidence_first[slots] = entries;
    parallel_for(slices, slots, count_remainder,
                 &(const index_loop){.remainder_bodies = &remainder_bodies, .self = self});
    self->remainder_body_count = remainder_bodies;
    TRY(problem_reserve(self, OF_INCIDENCE, entries, regrown));
    TRY(problem_reserve(self, OF_REMAINDER, remainder_bodies, regrown));
    parallel_for(slices, slices, fill_slices,
                 &(const index_loop){.self = self, .bodies = bodies, .slots = slots, .slices = slices});
    memmove(self->incidence_first + 1, self->incidence_first, (size_t)slots * sizeof *self->incidence_first);
    self->incidence_first[0] = 0;
    list_remainder_bodies(self);
    return SCREE_OK;
}
