#include "infeasible_region.h"

#include "base/memory.h"

#include <string.h>

static scree_result reserve(patch *self, const problem *p, int most) {
    problem *subproblem = &self->subproblem;
    const int blocks = most < p->block_count ? most : p->block_count;
    TRY(MEMORY_RESERVE(self->place, self->place_capacity, p->body_count, NULL));
    TRY(MEMORY_RESERVE(self->taken, self->taken_capacity, p->block_count, NULL));
    TRY(MEMORY_RESERVE(self->origin, self->origin_capacity, blocks, NULL));
    TRY(problem_reserve(subproblem, OF_OWN_BLOCKS, blocks, NULL));
    subproblem->blocks = subproblem->own_blocks;
    TRY(problem_reserve(subproblem, OF_BODIES, 2 * blocks, NULL));
    TRY(MEMORY_RESERVE(self->bodies, self->body_capacity, 2 * blocks, NULL));
    TRY(problem_reserve(subproblem, OF_FIRSTS, 2 * blocks + 1, NULL));
    return problem_reserve(subproblem, OF_INCIDENCE, 2 * blocks, NULL);
}

/* Adds a contact to the subproblem, which is not whole if it already has `most`. */
static void take(patch *self, const problem *p, int block, int most) {
    if (self->taken[block] || p->blocks[block].kind != BLOCK_CONTACT) return;
    if (self->subproblem.block_count >= most) {
        self->whole = false;
        return;
    }
    self->taken[block] = 1;
    self->origin[self->subproblem.block_count++] = block;
}

/* Returns the index of a body in the subproblem. A new body adds the contacts that act on it. */
static int body_of(patch *self, const problem *p, int slot, int most) {
    problem *subproblem = &self->subproblem;
    if (self->place[slot]) return self->place[slot] - 1;
    const int body = subproblem->body_count++;
    self->place[slot] = body + 1;
    self->bodies[body] = slot;
    subproblem->mobility[body] = p->mobility[slot];
    subproblem->free_velocity[body] = p->free_velocity[slot];
    for (int k = p->incidence_first[slot]; k < p->incidence_first[slot + 1]; k++)
        take(self, p, p->incidence[k] / 2, most);
    return body;
}

static bool movable(const patch *self, const problem *p, int body) {
    const int slot = self->bodies[body];
    return p->incidence_first[slot] < p->incidence_first[slot + 1];
}

/* Counts, sums, and fills backwards, so that every list ascends. */
static void fill_incidence(patch *self, const problem *p) {
    problem *subproblem = &self->subproblem;
    int *first = subproblem->incidence_first, total = 0;
    memset(first, 0, ((size_t)subproblem->body_count + 1) * sizeof *first);
    for (int i = 0; i < subproblem->block_count; i++) {
        const int ends[2] = {subproblem->blocks[i].body_a, subproblem->blocks[i].body_b};
        for (int side = 0; side < 2; side++) first[ends[side]] += movable(self, p, ends[side]);
    }
    for (int body = 0; body <= subproblem->body_count; body++) {
        total += first[body];
        first[body] = total;
    }
    for (int i = subproblem->block_count - 1; i >= 0; --i) {
        const int ends[2] = {subproblem->blocks[i].body_a, subproblem->blocks[i].body_b};
        for (int side = 1; side >= 0; --side)
            if (movable(self, p, ends[side])) subproblem->incidence[--first[ends[side]]] = 2 * i + side;
    }
}

scree_result infeasible_region_around(patch *self, const problem *p, int seed, int most) {
    problem *subproblem = &self->subproblem;
    subproblem->block_count = subproblem->body_count = 0;
    subproblem->time_step = p->time_step;
    self->whole = true;
    TRY(reserve(self, p, most));
    take(self, p, seed, most);
    for (int i = 0; i < subproblem->block_count; i++) { /* grows in the loop: breadth first */
        constraint_block block = p->blocks[self->origin[i]];
        block.body_a = body_of(self, p, block.body_a, most);
        block.body_b = body_of(self, p, block.body_b, most);
        subproblem->blocks[i] = block;
    }
    fill_incidence(self, p);
    for (int i = 0; i < subproblem->block_count; i++) self->taken[self->origin[i]] = 0;
    for (int i = 0; i < subproblem->body_count; i++) self->place[self->bodies[i]] = 0;
    return SCREE_OK;
}

void infeasible_region_release(patch *self) {
    problem_release(&self->subproblem);
    memory_release(self->origin);
    memory_release(self->bodies);
    memory_release(self->place);
    memory_release(self->taken);
    *self = (patch){0};
}
