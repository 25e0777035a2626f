/* A random but valid contact problem without a physical scene, to compare backends: bodies of every type with
 * and without locks, blocks in valid colours with an uncoloured remainder. */
#pragma once

#include "base/memory.h"
#include "rows/problem.h"
#include "displacement.h"
#include "random_vectors.h"

#include <string.h>

typedef struct random_problem {
    uint64_t state;
    body_array bodies;
    problem p;
} random_problem;

static inline void random_bodies(random_problem *self, int count) {
    body_array *bodies = &self->bodies;
    bodies->count = bodies->capacity = count;
    bodies->poses = memory_allocate((size_t)count, sizeof *bodies->poses);
    bodies->remainders = memory_allocate((size_t)count, sizeof *bodies->remainders);
    bodies->velocities = memory_allocate((size_t)count, sizeof *bodies->velocities);
    bodies->masses = memory_allocate((size_t)count, sizeof *bodies->masses);
    bodies->loads = memory_allocate((size_t)count, sizeof *bodies->loads);
    bodies->types = memory_allocate((size_t)count, sizeof *bodies->types);
    for (int i = 0; i < count; i++) {
        bodies->types[i] = i % 11 == 0 ? SLOT_STATIC : i % 11 == 1 ? SLOT_KINEMATIC : SLOT_DYNAMIC;
        bodies->poses[i].position = random_vector(&self->state, -10, 10);
        bodies->poses[i].rotation = random_rotation(&self->state);
        if (bodies->types[i] != SLOT_STATIC) {
            bodies->velocities[i].linear = random_vector(&self->state, -2, 2);
            bodies->velocities[i].angular = random_vector(&self->state, -20, 20);
        }
        if (bodies->types[i] != SLOT_DYNAMIC) continue;
        bodies->masses[i].mass = random_between(&self->state, 0.1f, 10);
        /* One call per statement: the evaluation order of arguments differs between compilers. */
        const float z = random_between(&self->state, 1, 2), y = random_between(&self->state, 1, 2),
                    x = random_between(&self->state, 1, 2);
        bodies->masses[i].inertia = vec3_of(x, y, z);
        if (i % 3 == 0) bodies->masses[i].inertia = vec3_of(0.4f, 0.4f, 0.4f);
        bodies->masses[i].gravity_scale = random_between(&self->state, 0, 2);
        if (i % 7 == 3) bodies->masses[i].locks = random_below(&self->state, 64);
        if (i % 5 == 0)
            bodies->loads[i] = (body_load){.force = random_vector(&self->state, -50, 50),
                                           .torque = random_vector(&self->state, -5, 5)};
    }
}

/* Returns the smallest colour below `limit` that neither movable body has; `limit` if there is none. */
static inline int random_colour(const body_array *bodies, uint32_t *used, int a, int b, int limit) {
    int colour = 0;
    for (; colour < limit; colour++) {
        const bool taken_a = bodies->masses[a].mass > 0 && used[a] >> colour & 1;
        const bool taken_b = bodies->masses[b].mass > 0 && used[b] >> colour & 1;
        if (!taken_a && !taken_b) break;
    }
    if (colour < limit) used[a] |= 1u << colour, used[b] |= 1u << colour;
    return colour;
}

static inline constraint_block random_block(random_problem *self, int a, int b) {
    constraint_block block = {.body_a = a, .body_b = b};
    block.friction = random_below(&self->state, 4) ? random_between(&self->state, 0, 1.2f) : 0;
    block.compliance = random_below(&self->state, 3) ? 0 : random_between(&self->state, 0, 0.3f);
    block.arm_a = random_vector(&self->state, -0.5, 0.5);
    block.arm_b = random_vector(&self->state, -0.5, 0.5);
    block.bias = random_between(&self->state, -1, 1),
    block.correction = random_between(&self->state, -0.5f, 0.1f);
    block.closing = block.correction; /* as assembly leaves them */
    block.normal = random_direction(&self->state);
    block.tangent = tangent_of(block.normal);
    return block;
}

/* Returns whether a body moves along every axis: a contact with one such body always has a definite A_cc. */
static inline bool random_moves(const body_array *bodies, int i) {
    const int translations = SCREE_LOCK_X | SCREE_LOCK_Y | SCREE_LOCK_Z;
    return bodies->masses[i].mass > 0 && !(bodies->masses[i].locks & translations);
}

/* Adds `groups` pairs of 1 to `most` blocks in colour order, uncoloured remainder last; each has a body that
 * moves along every axis. */
static inline scree_result random_blocks(random_problem *self, int groups, int limit, int most) {
    problem *p = &self->p;
    const int count = self->bodies.count;
    p->groups = memory_allocate((size_t)groups, sizeof *p->groups);
    p->pair_group = memory_allocate((size_t)groups, sizeof *p->pair_group);
    p->blocks = p->own_blocks = memory_allocate((size_t)(groups * most), sizeof *p->blocks);
    p->impulses = memory_allocate((size_t)(groups * most), sizeof *p->impulses);
    p->pseudo_impulses = memory_allocate((size_t)(groups * most), sizeof *p->pseudo_impulses);
    uint32_t *used = memory_allocate((size_t)count, sizeof *used);
    int *colours = memory_allocate((size_t)groups, sizeof *colours);
    block_group *unsorted = memory_allocate((size_t)groups, sizeof *unsorted);
    for (int g = 0; g < groups; g++) {
        int a, b;
        do a = random_below(&self->state, count), b = random_below(&self->state, count);
        while (a == b || !(random_moves(&self->bodies, a) || random_moves(&self->bodies, b)));
        unsorted[g] = (block_group){.body_a = a, .body_b = b, .count = 1 + random_below(&self->state, most)};
        colours[g] = random_colour(&self->bodies, used, a, b, limit);
    }
    for (int colour = 0; colour <= limit; colour++) {
        if (colour == limit) p->remainder_first = p->block_count;
        p->colour_first[colour] = p->group_count;
        for (int g = 0; g < groups; g++) {
            if (colours[g] != colour) continue;
            block_group group = unsorted[g];
            group.first = p->block_count;
            p->pair_group[p->group_count] = p->group_count;
            p->groups[p->group_count++] = group;
            for (int i = 0; i < group.count; i++) {
                const float normal = random_between(&self->state, 0, 2);
                const float z = random_between(&self->state, -normal, normal),
                            y = random_between(&self->state, -normal, normal);
                p->impulses[p->block_count].value = vec3_of(normal, y, z);
                p->blocks[p->block_count] = random_block(self, group.body_a, group.body_b);
                p->rebounds |= block_rebounds(p->blocks[p->block_count++]) != 0;
            }
        }
    }
    p->colour_count = limit;
    p->colour_first[limit + 1] = p->group_count;
    memory_release(used);
    memory_release(colours);
    memory_release(unsorted);
    return problem_index(p, &self->bodies, 3, NULL);
}

static inline scree_result random_problem_of_groups(random_problem *self, uint64_t seed, int bodies,
                                                    int groups, int limit, int most) {
    *self = (random_problem){.state = seed};
    problem *p = &self->p;
    random_bodies(self, bodies);
    p->time_step = 1 / 120.0f, p->kilograms = 1;
    p->body_count = bodies;
    p->mobility = memory_allocate((size_t)bodies, sizeof *p->mobility);
    p->splits = memory_allocate((size_t)bodies, sizeof *p->splits);
    p->free_velocity = memory_allocate((size_t)bodies, sizeof *p->free_velocity);
    p->velocity = memory_allocate((size_t)bodies, sizeof *p->velocity);
    p->pseudo_velocity = memory_allocate((size_t)bodies, sizeof *p->pseudo_velocity);
    return random_blocks(self, groups, limit, most);
}

static inline scree_result random_problem_make(random_problem *self, uint64_t seed, int bodies, int groups,
                                               int limit) {
    return random_problem_of_groups(self, seed, bodies, groups, limit, 4);
}

/* Gives contacts surface velocities. */
static inline void random_slips(random_problem *self) {
    for (int i = 0; i < self->p.block_count; i++) {
        self->p.blocks[i].rolling = random_between(&self->state, -0.5f, 0.5f);
        self->p.blocks[i].spinning = random_between(&self->state, -0.5f, 0.5f);
    }
}

/* Turns every second block of a group into the rolling and spinning resistance of the block before it.
 * Removes locks, which together with random arms may make a contact unsolvable. */
static inline void random_resistances(random_problem *self) {
    for (int i = 0; i < self->bodies.count; i++) self->bodies.masses[i].locks = 0;
    for (int g = 0; g < self->p.group_count; g++)
        for (int k = 1; k < self->p.groups[g].count; k += 2) {
            constraint_block *block = &self->p.blocks[self->p.groups[g].first + k];
            *block = (constraint_block){
                .body_a = block->body_a, .body_b = block->body_b, .kind = BLOCK_RESISTANCE, .angular = 1};
            block->rolling = random_between(&self->state, 0, 0.6f);
            block->spinning = random_below(&self->state, 3) ? random_between(&self->state, 0, 0.4f) : 0;
            block->length = random_between(&self->state, 0.05f, 0.5f);
            block->normal = random_direction(&self->state);
            block->tangent = tangent_of(block->normal);
        }
}

/* Turns every third block into the bounded rows of a joint: equality, one-sided and boxed rows, hard and
 * soft, and free axes. The bounds of pushes vary as well, but pushes are never soft. */
static inline void random_bounded(random_problem *self) {
    problem *p = &self->p;
    for (int i = 0; i < self->bodies.count; i++) self->bodies.masses[i].locks = 0;
    p->rows = memory_allocate((size_t)p->block_count, sizeof *p->rows);
    for (int i = 1; i < p->block_count; i++) {
        constraint_block *block = &p->blocks[i];
        if (i % 3 || block->kind != BLOCK_CONTACT) continue;
        if (i + 1 < p->block_count && p->blocks[i + 1].kind == BLOCK_RESISTANCE) continue;
        scalar low[3], high[3], soft[3], push_low[3], push_high[3];
        for (int k = 0; k < 3; k++) {
            const int kind = random_below(&self->state, 5);
            low[k] = kind == 0 ? 0 : kind == 1 ? -random_between(&self->state, 0, 1) : -INFINITY;
            high[k] = kind == 0 ? 0 : kind == 1 ? random_between(&self->state, 0, 1) : INFINITY;
            if (kind == 2) low[k] = 0;
            soft[k] = kind == 3 ? random_between(&self->state, 0, 1) : 0;
            push_low[k] = kind >= 3 ? -INFINITY : 0, push_high[k] = kind >= 2 ? INFINITY : 0;
        }
        block->kind = BLOCK_BOUNDED, block->rows = p->row_count;
        block->angular = (short)random_below(&self->state, 2);
        block->length = random_between(&self->state, 0.1f, 0.5f);
        p->rows[p->row_count++] =
            (bounded_rows){.low = vec3_of(low[0], low[1], low[2]),
                           .high = vec3_of(high[0], high[1], high[2]),
                           .bias = random_vector(&self->state, -1, 1),
                           .compliance = vec3_of(soft[0], soft[1], soft[2]),
                           .correction = random_vector(&self->state, -0.5f, 0.5f),
                           .push_low = vec3_of(push_low[0], push_low[1], push_low[2]),
                           .push_high = vec3_of(push_high[0], push_high[1], push_high[2])};
        block->bias = block->compliance = block->friction = block->correction = 0;
    }
}

static inline void random_problem_release(random_problem *self) {
    memory_release(self->bodies.poses);
    memory_release(self->bodies.remainders);
    memory_release(self->bodies.velocities);
    memory_release(self->bodies.masses);
    memory_release(self->bodies.loads);
    memory_release(self->bodies.types);
    problem_release(&self->p);
}
