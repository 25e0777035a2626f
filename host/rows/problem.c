#include "problem.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/stage_log.h"
#include "geometry/bounds.h"
#include "displacement.h"
#include "fill.h"
#include "joint_limits.h"
#include "stabilisation.h"
#include "survey.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

/* The arrays of a problem, except blocks, pairs and the forest. */
typedef struct problem_array {
    problem_size of;
    size_t at, size; /* offset of the pointer, bytes of an item */
} problem_array;
#define ARRAY(of, name)                                                                                      \
    { of, offsetof(problem, name), sizeof *((problem *)0)->name }
static const problem_array arrays[] = {
    ARRAY(OF_BODIES, mobility),
    ARRAY(OF_BODIES, free_velocity),
    ARRAY(OF_BODIES, velocity),
    ARRAY(OF_BODIES, pseudo_velocity),
    ARRAY(OF_BLOCKS, impulses),
    ARRAY(OF_BLOCKS, pseudo_impulses),
    ARRAY(OF_OWN_BLOCKS, own_blocks),
    ARRAY(OF_ROWS, rows),
    ARRAY(OF_ROWS, row_systems),
    ARRAY(OF_JOINTS, places),
    ARRAY(OF_JOINTS, systems),
    ARRAY(OF_GROUPS, groups),
    ARRAY(OF_GROUPS, pair_group),
    ARRAY(OF_SPLITS, splits),
    ARRAY(OF_FIRSTS, incidence_first),
    ARRAY(OF_INCIDENCE, incidence),
    ARRAY(OF_REMAINDER, remainder_bodies),
};
#undef ARRAY
enum { ARRAYS = sizeof arrays / sizeof *arrays };

static void **pointer_to(problem *self, const problem_array *array) {
    return (void **)(void *)((char *)self + array->at);
}

scree_result problem_reserve(problem *self, problem_size of, int count, int *regrown) {
    int capacity = self->capacities[of];
    for (int i = 0; i < ARRAYS; i++) {
        if (arrays[i].of != of) continue;
        capacity = self->capacities[of];
        TRY(memory_reserve(pointer_to(self, &arrays[i]), &capacity, arrays[i].size, (size_t)count, regrown));
    }
    self->capacities[of] = capacity; /* once all have grown */
    return SCREE_OK;
}

scree_result problem_own_blocks(problem *self, int *regrown) {
    TRY(problem_reserve(self, OF_OWN_BLOCKS, self->block_count, regrown));
    self->blocks = self->own_blocks;
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

typedef struct survey_loop {
    problem *self;
    const body_array *bodies;
    body_survey *sum;
    int *accelerations;
} survey_loop;

static const body_survey no_bodies = {.lightest = INT_MAX, .heaviest = INT_MIN, .smallest = INFINITY};

static void join_survey(body_survey *sum, const body_survey *part) {
    parallel_add(&sum->movable, part->movable);
    parallel_raise(&sum->heaviest, part->heaviest);
    parallel_lower_float(&sum->smallest, part->smallest);
    parallel_raise_float(&sum->fastest, part->fastest);
    parallel_lower(&sum->lightest, part->lightest);
}

static void survey_slice(const void *context, slice part) {
    const survey_loop loop = *(const survey_loop *)context;
    body_survey here = no_bodies;
    int accelerations[SURVEY_KINDS] = {0};
    for (int i = part.first; i < part.end; i++) {
        loop.self->pseudo_velocity[i] = (body_velocity){.reserved = 0};
        here.fastest = scalar_max(here.fastest, largest_component(loop.bodies->velocities[i].linear));
        if (!body_is_dynamic(loop.bodies, i)) continue;
        const scalar mass = loop.bodies->masses[i].mass,
                     force = largest_component(loop.bodies->loads[i].force);
        const int exponent = scalar_exponent(mass), kind = acceleration_kind(force / mass);
        here.movable++;
        here.lightest = exponent < here.lightest ? exponent : here.lightest;
        here.heaviest = exponent > here.heaviest ? exponent : here.heaviest;
        here.smallest = scalar_min(here.smallest, bounds_half_width(loop.bodies->shapes[i]));
        if (kind >= 0) accelerations[kind]++;
    }
    join_survey(loop.sum, &here);
    for (int k = 0; k < SURVEY_KINDS; k++) parallel_add(&loop.accelerations[k], accelerations[k]);
}

void problem_take_unit(problem *self, scalar smallest, survey_unit unit, scalar time_step) {
    self->time_step = time_step;
    self->smallest = smallest;
    self->drive_speed = unit.drive_speed;
    self->mass_exponent = unit.mass_exponent;
    self->kilograms = unit.kilograms;
}

/* One loop for all statistics, as each loop over the bodies costs microseconds per step. */
static void survey(problem *self, const problem_input *from, int threads) {
    const body_array *bodies = from->bodies;
    body_survey sum = no_bodies;
    int accelerations[SURVEY_KINDS] = {0};
    parallel_for(
        threads, bodies->count, survey_slice,
        &(const survey_loop){.self = self, .bodies = bodies, .sum = &sum, .accelerations = accelerations});
    for (int i = bodies->count; i < self->body_count; i++)
        self->pseudo_velocity[i] = (body_velocity){.reserved = 0};
    const scalar typical = typical_acceleration(accelerations, SURVEY_KINDS, sum.movable);
    problem_take_unit(self, sum.smallest, unit_of_survey(sum, typical, from->motion), from->motion.time_step);
}

scree_result problem_arrange(problem *self, const problem_input *from, int threads, int *regrown) {
    const body_array *bodies = from->bodies;
    self->away = false;
    const bool grounded = from->joints && joints_grounded(from->joints);
    self->body_count = bodies->count + grounded;
    self->predicted = false;
    TRY(problem_reserve(self, OF_BODIES, self->body_count, regrown));
    TRY(check_points(from->contacts));
    self->row_count = from->joints ? joint_limits_choose(from) : 0;
    TRY(pairs_collect(&self->pairs, from, threads, regrown));
    TRY(problem_reserve(self, OF_GROUPS, self->pairs.count, regrown));
    self->pairs.scratch = self->scratch;
    stage_enter(SCREE_STAGE_COLOURS);
    TRY(colouring_update(&self->pairs, self->body_count, from->options->colours, threads));
    self->pairs.remainder = from->options->colours;
    self->pairs.joined = self->pairs.crowd = 0;
    if (self->row_count > 0) joint_colours_add(&self->pairs, self->body_count, from->options->colours);
    TRY(pairs_reserve_colours(from));
    stage_enter(SCREE_STAGE_ROWS);

    survey(self, from, threads);
    groups_sort(self, from, self->pairs.remainder, threads);
    self->remainder_body_count = 0;
    TRY(problem_reserve(self, OF_BLOCKS, self->block_count, regrown));
    self->system_count = self->row_count > 0 ? from->joints->link_count : 0;
    TRY(problem_reserve(self, OF_JOINTS, self->system_count, regrown));
    return problem_reserve(self, OF_ROWS, self->row_count, regrown);
}

/* From this many joints at a body on, forward sweeps with momentum do not converge: each joint moves the body
 * that the next one starts from, and momentum needs a symmetric operator (nesterov_control.h). A hub of 1 kg
 * that hangs from a joint and carries n links of 1 kg, `balanced`: iterations, and largest error of a joint:
 *
 *     n                     8      12      16      28       40       80
 *     forward              12      60      60      60       60   60–120
 *     error, mm           0.6    0.85     1.4     2.7       14    18000
 *     symmetric            12      18      24      36       48       60
 *     error, mm           0.6     0.6     0.6     0.6      0.7       20
 *
 * A symmetric sweep costs as much as two. */
enum { CROWD = 8 };

void problem_take_crowd(problem *self) {
    self->crowded = self->pairs.crowd > CROWD && joint_forest_joints(&self->forest) < self->pairs.joined;
}

scree_result problem_fill(problem *self, const problem_input *from, int threads, int *regrown) {
    self->rebounds = false;
    if (self->blocks) problem_refill(self, from, threads);
    TRY(joint_forest_build(self, from, regrown));
    problem_take_crowd(self);
    return SCREE_OK;
}

scree_result problem_assemble(problem *self, const problem_input *from, int threads, int *regrown) {
    TRY(problem_arrange(self, from, threads, regrown));
    TRY(problem_own_blocks(self, regrown));
    TRY(problem_index(self, from->bodies, threads, regrown));
    return problem_fill(self, from, threads, regrown);
}

typedef struct refill_loop {
    problem *self;
    const problem_input *from;
    slice groups;
    bool *rebounds;
} refill_loop;

static void refill_slice(const void *context, slice part) {
    const refill_loop loop = *(const refill_loop *)context;
    const fill_terms terms = fill_terms_of(loop.from, loop.self);
    bool rebounds = false;
    for (int i = part.first; i < part.end; i++) {
        const int number = loop.self->pair_group[i];
        if (number < loop.groups.first || number >= loop.groups.end) continue;
        const block_group group = loop.self->groups[number];
        sources_fill(&terms, i, group.first);
        for (int k = group.first; k < group.first + group.count; k++)
            rebounds |= block_rebounds(loop.self->blocks[k]);
    }
    if (rebounds) parallel_set(loop.rebounds);
}

/* Blocks are in the order of the groups, but contacts and joints in that of the pairs, whose neighbours share
 * a body. Loops follow the pairs and write to the group's place. */
static void fill_groups(problem *self, const problem_input *from, slice groups, int threads) {
    bool rebounds = false;
    parallel_for(threads, self->pairs.count, refill_slice,
                 &(const refill_loop){.self = self, .from = from, .groups = groups, .rebounds = &rebounds});
    self->rebounds |= rebounds;
}

void problem_clear_starts(problem *self, slice blocks) {
    const size_t count = (size_t)(blocks.end - blocks.first);
    if (count == 0) return;
    memset(self->impulses + blocks.first, 0, sizeof *self->impulses * count);
    memset(self->pseudo_impulses + blocks.first, 0, sizeof *self->pseudo_impulses * count);
}

/* The array may begin outside of the memory that holds a part of it. */
void problem_fill_groups(problem *self, const problem_input *from, slice groups, constraint_block *at,
                         int threads) {
    const size_t before = sizeof *at * (size_t)self->groups[groups.first].first;
    self->blocks = (constraint_block *)((uintptr_t)at - before);
    fill_groups(self, from, groups, threads);
}

void problem_refill(problem *self, const problem_input *from, int threads) {
    self->rebounds = false;
    fill_groups(self, from, (slice){0, self->group_count}, threads);
    joint_forest_follow(&self->forest, from->bodies, self->mass_exponent);
}

typedef struct relax_loop {
    problem *self;
} relax_loop;

static void relax_slice(const void *context, slice part) {
    const relax_loop loop = *(const relax_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        constraint_block *block = &loop.self->blocks[i];
        if (block->kind == BLOCK_CONTACT) {
            block->bias = block->closing;
            block->compliance = 0;
        }
        if (block->kind != BLOCK_BOUNDED) continue;
        bounded_rows *rows = &loop.self->rows[block->rows];
        rows->bias = rows->closing;
        rows->compliance = rows->correction;
    }
}

void problem_relax(problem *self, int threads) {
    parallel_for(threads, self->block_count, relax_slice, &(const relax_loop){.self = self});
}

problem_solution problem_solved(const problem *self) {
    return (problem_solution){.impulses = self->impulses, .time_step = self->time_step};
}

typedef struct scatter_loop {
    const problem_input *from;
    const problem *self;
    problem_solution solution;
} scatter_loop;

static void scatter_slice(const void *context, slice part) {
    const scatter_loop loop = *(const scatter_loop *)context;
    for (int i = part.first; i < part.end; i++)
        sources_read_back(loop.from, loop.self, i, &loop.solution,
                          loop.self->groups[loop.self->pair_group[i]].first);
}

void problem_scatter(const problem *self, const problem_input *from, problem_solution solution, int threads) {
    parallel_for(parallel_threads(threads, self->group_count), self->pairs.count, scatter_slice,
                 &(const scatter_loop){.from = from, .self = self, .solution = solution});
}

void problem_clear_ground(problem *self, const body_array *bodies) {
    for (int i = bodies->count; i < self->body_count; i++) {
        self->mobility[i] = (body_mobility){.reserved = 0};
        self->free_velocity[i] = (body_velocity){.reserved = 0};
    }
}

static int count_of(const problem *self, problem_size of) {
    const int counts[] = {[OF_BODIES] = self->body_count,
                          [OF_BLOCKS] = self->block_count,
                          [OF_OWN_BLOCKS] = 0, /* copied from `blocks` */
                          [OF_ROWS] = self->row_count,
                          [OF_JOINTS] = self->system_count,
                          [OF_GROUPS] = self->group_count,
                          [OF_SPLITS] = self->body_count,
                          [OF_FIRSTS] = self->body_count + 1,
                          [OF_INCIDENCE] = self->incidence_first[self->body_count],
                          [OF_REMAINDER] = self->remainder_body_count};
    return counts[of];
}

/* Copies all members of `from` except arrays. */
static void copy_numbers(problem *self, const problem *from) {
    problem kept = *self;
    *self = *from;
    for (int i = 0; i < ARRAYS; i++) *pointer_to(self, &arrays[i]) = *pointer_to(&kept, &arrays[i]);
    memcpy(self->capacities, kept.capacities, sizeof self->capacities);
    self->pairs = kept.pairs;
    self->forest = kept.forest;
    self->scratch = kept.scratch;
}

scree_result problem_copy(problem *self, const problem *from) {
    problem source = *from;
    for (int size = 0; size < PROBLEM_SIZES; size++)
        TRY(problem_reserve(self, (problem_size)size, count_of(from, (problem_size)size), NULL));
    TRY(MEMORY_RESERVE(self->pairs.items, self->pairs.capacity, from->pairs.count, NULL));
    TRY(joint_forest_copy(&self->forest, &from->forest));
    copy_numbers(self, from);
    TRY(problem_own_blocks(self, NULL));
    memcpy(self->blocks, from->blocks, (size_t)from->block_count * sizeof *self->blocks);
    for (int i = 0; i < ARRAYS; i++) {
        const size_t count = (size_t)count_of(from, arrays[i].of);
        if (count > 0)
            memcpy(*pointer_to(self, &arrays[i]), *pointer_to(&source, &arrays[i]), count * arrays[i].size);
    }
    self->pairs.count = from->pairs.count;
    if (from->pairs.count > 0)
        memcpy(self->pairs.items, from->pairs.items, (size_t)from->pairs.count * sizeof *self->pairs.items);
    return SCREE_OK;
}

void problem_release(problem *self) {
    for (int i = 0; i < ARRAYS; i++) memory_release(*pointer_to(self, &arrays[i]));
    pairs_release(&self->pairs);
    joint_forest_release(&self->forest);
    *self = (problem){0};
}
