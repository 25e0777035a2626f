#include "problem.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/bounds.h"
#include "colouring.h"
#include "pair_blocks.h"
#include "incidence.h"
#include "displacement.h"
#include "fill.h"
#include "stabilisation.h"

#include <limits.h>
#include <string.h>

/* Reserves arrays for `bodies` bodies. They share one capacity, written only when all have grown. */
static scree_result reserve_bodies(problem *self, int bodies, int *regrown) {
    int capacity = self->body_capacity;
    TRY(MEMORY_RESERVE(self->mobility, capacity, bodies, regrown));
    capacity = self->body_capacity;
    TRY(MEMORY_RESERVE(self->shares, capacity, bodies, regrown));
    capacity = self->body_capacity;
    TRY(MEMORY_RESERVE(self->free_velocity, capacity, bodies, regrown));
    capacity = self->body_capacity;
    TRY(MEMORY_RESERVE(self->velocity, capacity, bodies, regrown));
    capacity = self->body_capacity;
    TRY(MEMORY_RESERVE(self->pseudo_velocity, capacity, bodies, regrown));
    self->body_capacity = capacity;
    return SCREE_OK;
}

static scree_result reserve_blocks(problem *self, int blocks, int *regrown) {
    problem_take_aside(self);
    int capacity = self->block_capacity;
    TRY(MEMORY_RESERVE(self->blocks, capacity, blocks, regrown));
    capacity = self->block_capacity;
    TRY(MEMORY_RESERVE(self->diagonals, capacity, blocks, regrown));
    capacity = self->block_capacity;
    TRY(MEMORY_RESERVE(self->impulses, capacity, blocks, regrown));
    capacity = self->block_capacity;
    TRY(MEMORY_RESERVE(self->pseudo_impulses, capacity, blocks, regrown));
    self->block_capacity = capacity;
    return SCREE_OK;
}

void problem_take_aside(problem *self) {
    if (self->lodged) self->blocks = self->blocks_aside;
    self->lodged = self->packed = false;
}

void problem_settle(problem *self) {
    const constraint_block *from = self->blocks;
    if (!self->lodged) return;
    problem_take_aside(self);
    memcpy(self->blocks, from, (size_t)self->block_count * sizeof *self->blocks);
}

void problem_leave_scratch(problem *self) {
    if (self->lodged && !self->packed) self->block_count = 0;
}

/* Returns whether blocks may lie in scratch memory. A `split` solve with bounces reads its blocks between the
 * two passes. `rebounds` is still that of the last step, taken as an estimate. */
static bool lodges(const problem *self, const problem_input *from) {
    return from->lodges && self->scratch && self->remainder_first == self->block_count &&
           !(self->rebounds && stabilisation_moves_positions(from->options->stabilisation));
}

static scree_result lodge(problem *self) {
    void *scratch;
    TRY(scratch_take(self->scratch, (size_t)self->block_count * sizeof *self->blocks, &scratch, NULL));
    self->blocks_aside = self->blocks, self->blocks = scratch;
    self->lodged = true;
    return SCREE_OK;
}

static scree_result reserve_groups(problem *self, int groups, int *regrown) {
    int capacity = self->group_capacity;
    TRY(MEMORY_RESERVE(self->groups, capacity, groups, regrown));
    capacity = self->group_capacity;
    TRY(MEMORY_RESERVE(self->pair_group, capacity, groups, regrown));
    self->group_capacity = capacity;
    return SCREE_OK;
}

/* Limits the contact points: twice their number must be below half the index range, because each may have a
 * resistance and incidence stores 2 block + side. */
static scree_result check_points(const contact_set *contacts) {
    if (contacts->points > INT_MAX / 4)
        return fail(SCREE_ERROR_CAPACITY, "contacts: %d; at most %d fit into an index", contacts->points,
                    INT_MAX / 4);
    return SCREE_OK;
}

static scalar largest_part(vec3s force) {
    return scalar_max(scalar_abs(force.x), scalar_max(scalar_abs(force.y), scalar_abs(force.z)));
}

/* Histogram of accelerations by exponent. */
enum { LEAST = -64, KINDS = 128 };

/* Returns the acceleration 2^e that at least half of the movable bodies exceed, from a histogram of
 * exponents; 0 if most have none. A few strong forces do not matter, nor does the order of summation. */
static scalar typical_acceleration(const int counts[KINDS], int movable) {
    int kind = KINDS, above = 0;
    while (kind > 0 && 2 * above < movable) above += counts[--kind];
    return movable > 0 && 2 * above >= movable ? scalar_shifted(1, kind + LEAST) : 0;
}

/* One loop for all statistics, as each loop over the bodies costs microseconds per step. */
static void survey(problem *self, const problem_input *from, int threads) {
    const body_array *bodies = from->bodies;
    int counts[KINDS] = {0}, movable = 0, lightest = INT_MAX, heaviest = INT_MIN;
    scalar square = 0, smallest = INFINITY;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : movable, counts[:KINDS])        \
    reduction(max : square, heaviest) reduction(min : smallest, lightest)
    for (int i = 0; i < bodies->count; ++i) {
        self->pseudo_velocity[i] = (body_velocity){.reserved = 0};
        if (!body_is_dynamic(bodies, i)) continue;
        const scalar mass = bodies->masses[i].mass, force = largest_part(bodies->loads[i].force);
        const int exponent = scalar_exponent(mass);
        movable++;
        lightest = exponent < lightest ? exponent : lightest;
        heaviest = exponent > heaviest ? exponent : heaviest;
        square = scalar_max(square, glms_vec3_norm2(bodies->velocities[i].linear));
        smallest = scalar_min(smallest, bounds_half_width(bodies->shapes[i]));
        if (!(force / mass > 0)) continue;
        const int kind = scalar_exponent(force / mass) - LEAST;
        if (kind >= 0) counts[kind < KINDS ? kind : KINDS - 1]++;
    }
    for (int i = bodies->count; i < self->body_count; ++i)
        self->pseudo_velocity[i] = (body_velocity){.reserved = 0};
    self->lightest = lightest, self->heaviest = heaviest;
    self->smallest = smallest, self->fastest = scalar_sqrt(square);
    self->drive_speed = self->time_step * scalar_max(glms_vec3_norm(from->motion.gravity),
                                                     typical_acceleration(counts, movable));
}

/* Blocks are in the order of the groups, but contacts and joints in that of the pairs, whose neighbours share
 * a body. Loops follow the pairs and write to the group's place. */
scree_result problem_assemble(problem *self, const problem_input *from, int threads, int *regrown) {
    const body_array *bodies = from->bodies;
    const bool grounded = from->joints && joints_grounded(from->joints);
    self->body_count = bodies->count + grounded;
    TRY(reserve_bodies(self, self->body_count, regrown));
    TRY(check_points(from->contacts));
    TRY(pairs_collect(&self->pairs, from, threads, regrown));
    TRY(reserve_groups(self, self->pairs.count, regrown));
    self->pairs.scratch = self->scratch;
    TRY(colouring_update(&self->pairs, self->body_count, from->options->colours, threads));
    TRY(pairs_reserve_colours(from));

    self->time_step = from->motion.time_step;
    survey(self, from, threads);
    self->row_count = from->joints ? from->joints->row_count : 0;
    groups_sort(self, from, from->options->colours, threads);
    TRY(reserve_blocks(self, self->block_count, regrown));
    if (lodges(self, from)) TRY(lodge(self));
    TRY(MEMORY_RESERVE(self->rows, self->row_capacity, self->row_count, regrown));
    problem_refill(self, from, threads);
    TRY(joint_forest_build(self, from, regrown));
    self->indexed = false, self->remainder_body_count = 0;
    if (from->without_incidence && self->remainder_first == self->block_count) return SCREE_OK;
    return problem_index(self, bodies, threads, regrown);
}

scree_result problem_index(problem *self, const body_array *bodies, int threads, int *regrown) {
    return self->indexed ? SCREE_OK : incidence_build(self, bodies, threads, regrown);
}

void problem_refill(problem *self, const problem_input *from, int threads) {
    int rebounds = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(| : rebounds)
    for (int i = 0; i < self->pairs.count; ++i) {
        const block_group group = self->groups[self->pair_group[i]];
        sources_fill(from, &self->pairs.items[i], self, group.first);
        for (int k = group.first; k < group.first + group.count; ++k)
            rebounds |= block_rebounds(self->blocks[k]);
    }
    self->rebounds = rebounds;
    joint_forest_follow(&self->forest, from->bodies);
}

void problem_relax(problem *self, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < self->block_count; ++i) {
        constraint_block *block = &self->blocks[i];
        if (block->kind == BLOCK_CONTACT) block->bias = block->closing, block->compliance = 0;
        if (block->kind != BLOCK_BOUNDED) continue;
        bounded_rows *rows = &self->rows[block->rows];
        rows->bias = rows->closing, rows->compliance = rows->correction;
    }
}

problem_solution problem_solved(const problem *self) {
    return (problem_solution){.impulses = self->impulses, .time_step = self->time_step};
}

void problem_scatter(const problem *self, const problem_input *from, problem_solution solution, int threads) {
#pragma omp parallel for schedule(static) num_threads(parallel_threads(threads, self->group_count))
    for (int i = 0; i < self->pairs.count; ++i)
        sources_read_back(from, &self->pairs.items[i], self, &solution,
                          self->groups[self->pair_group[i]].first);
}

void problem_clear_ground(problem *self, const body_array *bodies) {
    for (int i = bodies->count; i < self->body_count; ++i) {
        self->mobility[i] = (body_mobility){.reserved = 0};
        self->free_velocity[i] = (body_velocity){.reserved = 0};
    }
}

/* incidence_first has one entry more than there are bodies. */
static scree_result reserve_incidence(problem *self, int bodies, int entries) {
    TRY(MEMORY_RESERVE(self->incidence_first, self->incidence_first_capacity, bodies + 1, NULL));
    return MEMORY_RESERVE(self->incidence, self->incidence_capacity, entries, NULL);
}

scree_result problem_copy(problem *self, const problem *from) {
    const size_t bodies = (size_t)from->body_count, blocks = (size_t)from->block_count,
                 groups = (size_t)from->group_count;
    assert(from->indexed);
    const int entries = from->incidence_first[from->body_count];
    TRY(reserve_bodies(self, from->body_count, NULL));
    TRY(reserve_blocks(self, from->block_count, NULL));
    TRY(reserve_groups(self, from->group_count, NULL));
    TRY(reserve_incidence(self, from->body_count, entries));
    TRY(MEMORY_RESERVE(self->rows, self->row_capacity, from->row_count, NULL));
    TRY(MEMORY_RESERVE(self->pairs.items, self->pairs.capacity, from->pairs.count, NULL));
    TRY(MEMORY_RESERVE(self->remainder_bodies, self->remainder_body_capacity, from->remainder_body_count,
                       NULL));
    TRY(joint_forest_copy(&self->forest, &from->forest));
    memcpy(self->mobility, from->mobility, bodies * sizeof *self->mobility);
    memcpy(self->shares, from->shares, bodies * sizeof *self->shares);
    memcpy(self->free_velocity, from->free_velocity, bodies * sizeof *self->free_velocity);
    memcpy(self->velocity, from->velocity, bodies * sizeof *self->velocity);
    memcpy(self->pseudo_velocity, from->pseudo_velocity, bodies * sizeof *self->pseudo_velocity);
    memcpy(self->blocks, from->blocks, blocks * sizeof *self->blocks);
    memcpy(self->diagonals, from->diagonals, blocks * sizeof *self->diagonals);
    memcpy(self->impulses, from->impulses, blocks * sizeof *self->impulses);
    memcpy(self->pseudo_impulses, from->pseudo_impulses, blocks * sizeof *self->pseudo_impulses);
    memcpy(self->groups, from->groups, groups * sizeof *self->groups);
    memcpy(self->pair_group, from->pair_group, groups * sizeof *self->pair_group);
    memcpy(self->incidence_first, from->incidence_first, (bodies + 1) * sizeof *self->incidence_first);
    memcpy(self->incidence, from->incidence, (size_t)entries * sizeof *self->incidence);
    if (from->remainder_body_count > 0)
        memcpy(self->remainder_bodies, from->remainder_bodies,
               (size_t)from->remainder_body_count * sizeof *self->remainder_bodies);
    if (from->row_count > 0) memcpy(self->rows, from->rows, (size_t)from->row_count * sizeof *self->rows);
    if (from->pairs.count > 0)
        memcpy(self->pairs.items, from->pairs.items, (size_t)from->pairs.count * sizeof *self->pairs.items);
    self->row_count = from->row_count;
    self->pairs.count = from->pairs.count;
    memcpy(self->colour_first, from->colour_first, sizeof self->colour_first);
    self->time_step = from->time_step;
    self->drive_speed = from->drive_speed;
    self->rebounds = from->rebounds;
    self->smallest = from->smallest;
    self->fastest = from->fastest;
    self->lightest = from->lightest;
    self->heaviest = from->heaviest;
    self->body_count = from->body_count;
    self->block_count = from->block_count;
    self->group_count = from->group_count;
    self->colour_count = from->colour_count;
    self->remainder_first = from->remainder_first;
    self->remainder_body_count = from->remainder_body_count;
    self->indexed = true;
    return SCREE_OK;
}

void problem_release(problem *self) {
    memory_release(self->mobility);
    memory_release(self->shares);
    memory_release(self->free_velocity);
    memory_release(self->velocity);
    memory_release(self->pseudo_velocity);
    memory_release(self->lodged ? self->blocks_aside : self->blocks);
    memory_release(self->rows);
    pairs_release(&self->pairs);
    memory_release(self->diagonals);
    memory_release(self->impulses);
    memory_release(self->pseudo_impulses);
    memory_release(self->groups);
    memory_release(self->pair_group);
    memory_release(self->incidence_first);
    memory_release(self->incidence);
    memory_release(self->remainder_bodies);
    joint_forest_release(&self->forest);
    *self = (problem){0};
}
