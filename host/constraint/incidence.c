#include "incidence.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

/* The ground, behind all bodies, is not. */
static bool movable(const body_array *bodies, int slot) {
    return slot < bodies->count && bodies->masses[slot].mass > 0;
}

/* Counts go to incidence_first[slot + 1]; summed up they are where each body's entries end. */
static void count(problem *self, const body_array *bodies) {
    int *first = self->incidence_first;
    self->tail_body_count = 0;
    memset(first, 0, ((size_t)self->body_count + 1) * sizeof *first);
    for (int slot = 0; slot < self->body_count; ++slot) self->shares[slot] = (body_shares){0};
    for (int i = 0; i < self->block_count; ++i) {
        const int ends[2] = {self->blocks[i].body_a, self->blocks[i].body_b};
        for (int side = 0; side < 2; ++side) {
            if (!movable(bodies, ends[side])) continue;
            ++first[ends[side] + 1];
            if (i >= self->tail_first) self->shares[ends[side]].tail += 1;
        }
    }
    for (int slot = 0; slot < self->body_count; ++slot) {
        body_shares *shares = &self->shares[slot];
        shares->all = scalar_max(1, (scalar)first[slot + 1]);
        if (shares->tail > 0) ++self->tail_body_count;
        shares->tail = scalar_max(1, shares->tail);
        first[slot + 1] += first[slot];
    }
}

/* Blocks are visited in ascending order and each body's entries are appended, so its list ascends. The next
 * free place of a body is kept in incidence_first[slot] itself and is shifted back at the end. */
static void fill(problem *self, const body_array *bodies) {
    int *next = self->incidence_first;
    for (int i = 0; i < self->block_count; ++i) {
        const int ends[2] = {self->blocks[i].body_a, self->blocks[i].body_b};
        for (int side = 0; side < 2; ++side)
            if (movable(bodies, ends[side])) self->incidence[next[ends[side]]++] = 2 * i + side;
    }
    memmove(next + 1, next, (size_t)self->body_count * sizeof *next);
    next[0] = 0;
}

/* A body's blocks ascend and the tail comes last, so a body's last block tells. */
static void list_tail_bodies(problem *self) {
    int count = 0;
    for (int slot = 0; slot < self->body_count; ++slot) {
        const int last = self->incidence_first[slot + 1];
        if (last > self->incidence_first[slot] && self->incidence[last - 1] / 2 >= self->tail_first)
            self->tail_bodies[count++] = slot;
    }
    assert(count == self->tail_body_count);
}

scree_result incidence_build(problem *self, const body_array *bodies, int *regrown) {
    if (self->block_count > INT_MAX / 2)
        return fail(SCREE_ERROR_CAPACITY, "%d contacts are more than an index can count (%d)",
                    self->block_count, INT_MAX / 2);
    TRY(MEMORY_RESERVE(self->incidence_first, self->incidence_first_capacity, self->body_count + 1, regrown));
    count(self, bodies);
    TRY(MEMORY_RESERVE(self->incidence, self->incidence_capacity, self->incidence_first[self->body_count],
                       regrown));
    TRY(MEMORY_RESERVE(self->tail_bodies, self->tail_body_capacity, self->tail_body_count, regrown));
    fill(self, bodies);
    list_tail_bodies(self);
    return SCREE_OK;
}
