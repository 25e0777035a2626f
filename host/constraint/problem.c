#include "problem.h"

#include "arm.h"
#include "base/memory.h"
#include "block.h"
#include "collide/bounds.h"
#include "colouring.h"
#include "groups.h"
#include "incidence.h"
#include "motion.h"
#include "rotation.h"
#include "stabilisation.h"

#include <limits.h>
#include <string.h>

/* Room for `bodies` bodies. The arrays share one capacity, which is written only when all have grown. */
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

static scree_result reserve_groups(problem *self, int groups, int *regrown) {
    int capacity = self->group_capacity;
    TRY(MEMORY_RESERVE(self->groups, capacity, groups, regrown));
    capacity = self->group_capacity;
    TRY(MEMORY_RESERVE(self->group_pair, capacity, groups, regrown));
    self->group_capacity = capacity;
    return SCREE_OK;
}

/* The number of contact points, twice which must stay below half the index range (a contact may have a
 * resistance; incidence holds 2 block + side). */
static scree_result check_points(const contact_set *contacts) {
    long long total = 0;
    for (int i = 0; i < contacts->count; ++i) total += contacts->pairs[i].manifold.count;
    if (total > INT_MAX / 4)
        return fail(SCREE_ERROR_CAPACITY, "%lld contacts are more than an index can count (%d)", total,
                    INT_MAX / 4);
    return SCREE_OK;
}

static vec3s velocity_at(body_velocity body, vec3s arm) {
    return glms_vec3_add(body.linear, glms_vec3_cross(body.angular, arm));
}

/* What all blocks of one assembly are made from. */
typedef struct assembly {
    const body_array *bodies;
    const material_table *materials;
    const scree_solver_def *options;
    motion_parameters motion;
} assembly;

/* Of a body's point, from gravity and the loads of the step. */
static vec3s acceleration_at(const assembly *from, int slot, vec3s arm) {
    const body_mass mass = from->bodies->masses[slot];
    if (!(mass.mass > 0)) return glms_vec3_zero();
    const body_load load = from->bodies->loads[slot];
    const body_mobility m = mobility_of(from->bodies->poses[slot], mass);
    const vec3s weight = glms_vec3_scale(from->motion.gravity, mass.mass * mass.gravity_scale);
    const vec3s linear = glms_vec3_mul(glms_vec3_add(weight, load.force), m.inverse_mass);
    const vec3s angular = symmetric_times(symmetric_of(m.diagonal, m.off_diagonal), load.torque);
    return glms_vec3_add(linear, glms_vec3_cross(angular, arm));
}

static constraint_block block_of(const assembly *from, const manifold *pair, manifold_point point,
                                 const scree_material_pair_def *material) {
    const body_array *bodies = from->bodies;
    constraint_block block = {
        .body_a = pair->a, .body_b = pair->b, .kind = BLOCK_CONTACT, .friction = material->friction};
    block.arm_a = arm_of(bodies, pair->a, point.position, pair->normal);
    block.arm_b = arm_of(bodies, pair->b, point.position, glms_vec3_negate(pair->normal));
    block.normal = pair->normal;
    block.tangent = tangent_of(pair->normal);
    const vec3s relative = glms_vec3_sub(velocity_at(bodies->velocities[pair->b], block.arm_b),
                                         velocity_at(bodies->velocities[pair->a], block.arm_a));
    vec3s acceleration = glms_vec3_zero();
    if (material->restitution > 0)
        acceleration = glms_vec3_sub(acceleration_at(from, pair->b, block.arm_b),
                                     acceleration_at(from, pair->a, block.arm_a));
    const stabilisation numbers = stabilisation_of(
        from->options, point.gap, glms_vec3_dot(pair->normal, relative),
        glms_vec3_dot(pair->normal, acceleration), material->restitution, from->motion.time_step);
    block.bias = numbers.bias;
    block.compliance = numbers.compliance;
    block.correction = block.closing = numbers.correction;
    return block;
}

/* The length that makes angular rows comparable with linear ones: the radius of gyration of the two bodies,
 * s² = Σ 3/m / Σ trace(I⁻¹), with which a torque impulse s r turns them as readily as r moves them: trace(s²
 * Σ I⁻¹) = trace(Σ 1/m). It depends on the bodies alone, so that a pair keeps it. */
static scalar angular_length(const body_array *bodies, const manifold *pair) {
    const int ends[2] = {pair->a, pair->b};
    scalar linear = 0, angular = 0;
    for (int side = 0; side < 2; ++side) {
        const body_mass mass = bodies->masses[ends[side]];
        if (!(mass.mass > 0)) continue;
        linear += 3 / mass.mass;
        angular += 1 / mass.inertia.x + 1 / mass.inertia.y + 1 / mass.inertia.z;
    }
    return angular > 0 ? scalar_sqrt(linear / angular) : 1;
}

static constraint_block resistance_of(const assembly *from, const manifold *pair,
                                      const scree_material_pair_def *material) {
    const scalar length = angular_length(from->bodies, pair);
    return (constraint_block){.body_a = pair->a,
                              .body_b = pair->b,
                              .kind = BLOCK_RESISTANCE,
                              .rolling = material->rolling_friction / length,
                              .spinning = material->spinning_friction / length,
                              .normal = pair->normal,
                              .tangent = tangent_of(pair->normal),
                              .length = length};
}

/* Block i of the problem, with the world vector and the push that its impulses start from. */
static void fill_block(problem *self, int i, constraint_block block, vec3s start, scalar push) {
    self->blocks[i] = block;
    self->impulses[i] = (block_impulse){.value = block_to_frame(block, start)};
    self->pseudo_impulses[i] = (block_impulse){.value = vec3_of(push, 0, 0)};
}

static void fill_group(problem *self, const assembly *from, block_group group, const contact_pair *pair) {
    const int *materials = from->bodies->materials, stride = group.count / pair->manifold.count;
    const scree_material_pair_def material =
        material_combine(from->materials, materials[pair->manifold.a], materials[pair->manifold.b]);
    for (int i = 0; i < pair->manifold.count; ++i) {
        const int block = group.first + i * stride;
        fill_block(self, block, block_of(from, &pair->manifold, pair->manifold.points[i], &material),
                   pair->impulses[i], pair->pushes[i]);
        if (stride == 1) continue;
        const constraint_block resistance = resistance_of(from, &pair->manifold, &material);
        fill_block(self, block + 1, resistance, glms_vec3_scale(pair->torques[i], 1 / resistance.length), 0);
    }
}

static scalar fastest_of(const body_array *bodies, int threads) {
    scalar square = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : square)
    for (int i = 0; i < bodies->count; ++i)
        if (body_is_dynamic(bodies, i))
            square = scalar_max(square, glms_vec3_norm2(bodies->velocities[i].linear));
    return scalar_sqrt(square);
}

scree_result problem_assemble(problem *self, contact_set *contacts, const body_array *bodies,
                              const material_table *materials, const scree_solver_def *options,
                              motion_parameters motion, int threads, int *regrown) {
    TRY(check_points(contacts));
    TRY(reserve_bodies(self, bodies->count, regrown));
    TRY(reserve_groups(self, contacts->count, regrown));
    TRY(colouring_update(contacts, bodies, options->colours));

    self->time_step = motion.time_step;
    self->smallest = bounds_smallest_half_width(bodies, threads);
    self->fastest = fastest_of(bodies, threads);
    self->body_count = bodies->count;
    memset(self->pseudo_velocity, 0, (size_t)bodies->count * sizeof *self->pseudo_velocity);
    groups_sort(self, contacts, bodies, materials, options->colours);
    TRY(reserve_blocks(self, self->block_count, regrown));
    const assembly from = {bodies, materials, options, motion};
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < self->group_count; ++i)
        fill_group(self, &from, self->groups[i], &contacts->pairs[self->group_pair[i]]);
    return incidence_build(self, bodies, regrown);
}

/* A vector in a block's frame in world axes. */
static vec3s world_vector(const constraint_block *block, vec3s r) {
    const vec3s other = glms_vec3_cross(block->normal, block->tangent);
    return glms_vec3_add(glms_vec3_scale(block->normal, r.x),
                         glms_vec3_add(glms_vec3_scale(block->tangent, r.y), glms_vec3_scale(other, r.z)));
}

void problem_scatter(const problem *self, contact_set *contacts) {
    for (int i = 0; i < self->group_count; ++i) {
        const block_group group = self->groups[i];
        contact_pair *pair = &contacts->pairs[self->group_pair[i]];
        const int stride = group.count / pair->manifold.count;
        for (int k = 0; k < pair->manifold.count; ++k) {
            const int contact = group.first + k * stride, resistance = contact + 1;
            pair->impulses[k] = world_vector(&self->blocks[contact], self->impulses[contact].value);
            pair->pushes[k] = self->pseudo_impulses[contact].value.x;
            pair->torques[k] = vec3_of(0, 0, 0);
            if (stride == 1) continue;
            const constraint_block *block = &self->blocks[resistance];
            pair->torques[k] =
                glms_vec3_scale(world_vector(block, self->impulses[resistance].value), block->length);
        }
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
    const int entries = from->incidence_first[from->body_count];
    TRY(reserve_bodies(self, from->body_count, NULL));
    TRY(reserve_blocks(self, from->block_count, NULL));
    TRY(reserve_groups(self, from->group_count, NULL));
    TRY(reserve_incidence(self, from->body_count, entries));
    TRY(MEMORY_RESERVE(self->tail_bodies, self->tail_body_capacity, from->tail_body_count, NULL));
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
    memcpy(self->group_pair, from->group_pair, groups * sizeof *self->group_pair);
    memcpy(self->incidence_first, from->incidence_first, (bodies + 1) * sizeof *self->incidence_first);
    memcpy(self->incidence, from->incidence, (size_t)entries * sizeof *self->incidence);
    if (from->tail_body_count > 0)
        memcpy(self->tail_bodies, from->tail_bodies,
               (size_t)from->tail_body_count * sizeof *self->tail_bodies);
    memcpy(self->colour_first, from->colour_first, sizeof self->colour_first);
    self->time_step = from->time_step;
    self->smallest = from->smallest;
    self->fastest = from->fastest;
    self->body_count = from->body_count;
    self->block_count = from->block_count;
    self->group_count = from->group_count;
    self->colour_count = from->colour_count;
    self->tail_first = from->tail_first;
    self->tail_body_count = from->tail_body_count;
    return SCREE_OK;
}

void problem_release(problem *self) {
    memory_release(self->mobility);
    memory_release(self->shares);
    memory_release(self->free_velocity);
    memory_release(self->velocity);
    memory_release(self->pseudo_velocity);
    memory_release(self->blocks);
    memory_release(self->diagonals);
    memory_release(self->impulses);
    memory_release(self->pseudo_impulses);
    memory_release(self->groups);
    memory_release(self->group_pair);
    memory_release(self->incidence_first);
    memory_release(self->incidence);
    memory_release(self->tail_bodies);
    *self = (problem){0};
}
