#include "start.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "block.h"
#include "motion.h"
#include "update.h"

/* Sweeps lower f(r) = ½ r·A r + q·r, which is 0 where they begin with r = 0. What bore a pile in the part
 * before is nearly the solution once more, f(r) = −½ r·A r. The impulses of an impact are not wanted a second
 * time: bodies have the velocity that these gave to them, and f(r) > 0 by about the energy of the impact. A
 * part's two sweeps do not take that back, and what they leave of it begins the next part: bodies that meet
 * fast, with many contacts, gained energy without bounds. So an island, what contacts and joints connect by
 * bodies that move, begins with r = 0 where f(r) > 0.
 *
 * r·A r is the sum of P·M⁻¹ P over bodies with P = Jᵀ r. All is computed here, from what every backend has on
 * the host, so that each comes to the same start. */

static scree_result reserve(start_room *self, int bodies, int *regrown) {
    TRY(MEMORY_RESERVE(self->islands, self->island_capacity, bodies, regrown));
    TRY(MEMORY_RESERVE(self->free, self->free_capacity, bodies, regrown));
    TRY(MEMORY_RESERVE(self->actions, self->action_capacity, bodies, regrown));
    TRY(MEMORY_RESERVE(self->kinetic, self->kinetic_capacity, bodies, regrown));
    return MEMORY_RESERVE(self->driven, self->driven_capacity, bodies, regrown);
}

static int root_of(int *islands, int slot) {
    while (islands[slot] != slot) slot = islands[slot] = islands[islands[slot]];
    return slot;
}

/* Named by the first slot of each. */
static void find_islands(int *islands, const problem *p) {
    for (int i = 0; i < p->body_count; i++) islands[i] = i;
    for (int i = 0; i < p->pairs.count; i++) {
        const constraint_pair *pair = &p->pairs.items[i];
        if (!(pair->flags & PAIR_MOVES_A) || !(pair->flags & PAIR_MOVES_B)) continue;
        const int a = root_of(islands, pair->a), b = root_of(islands, pair->b);
        islands[a > b ? a : b] = a > b ? b : a;
    }
    for (int i = 0; i < p->body_count; i++) islands[i] = islands[islands[i]];
}

static void predict(start_room *self, const problem *p, const assembly *from, int threads) {
    const body_array *bodies = from->bodies;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(threads, p->body_count))
    for (int i = 0; i < p->body_count; i++) {
        self->actions[i] = (body_impulse){0};
        self->kinetic[i] = self->driven[i] = 0;
        self->free[i] = (body_velocity){.reserved = 0};
        if (i < bodies->count)
            self->free[i] =
                free_velocity_of(bodies->poses[i], bodies->velocities[i], bodies->masses[i], bodies->loads[i],
                                 mobility_of(bodies->poses[i], bodies->masses[i]), from->motion);
    }
}

/* q·r and ½ r·C r of a block with compliance C. */
static double driven_by(const problem *p, const body_velocity *free, int i) {
    const constraint_block block = p->blocks[i];
    const vec3s r = p->impulses[i].value;
    const body_velocity a = free[block.body_a], b = free[block.body_b];
    vec3s q, c = vec3_of(0, 0, 0);
    if (block_is_bounded(block)) {
        const bounded_rows rows = p->rows[block.rows];
        q = glms_vec3_add(block_relative_velocity(block, a, b), rows.bias), c = rows.compliance;
    } else {
        q = block_velocity(block, (solve_parameters){.law = 0}, vec3_of(0, 0, 0), a, b);
        if (block_is_contact(block)) c.x = block.compliance;
    }
    q = glms_vec3_add(q, glms_vec3_scale(glms_vec3_mul(c, r), (scalar)0.5));
    return (double)r.x * (double)q.x + (double)r.y * (double)q.y + (double)r.z * (double)q.z;
}

/* The island of a group; one of its bodies moves. */
static int island_of(const start_room *self, const body_array *bodies, block_group group) {
    return self
        ->islands[group.body_a < bodies->count && body_is_dynamic(bodies, group.body_a) ? group.body_a
                                                                                        : group.body_b];
}

static void act(start_room *self, const problem *p, const body_array *bodies) {
    for (int g = 0; g < p->group_count; g++) {
        const block_group group = p->groups[g];
        const int island = island_of(self, bodies, group);
        for (int i = group.first; i < group.first + group.count; i++) {
            body_impulse *a = &self->actions[group.body_a], *b = &self->actions[group.body_b];
            *a = body_impulse_plus(*a, p->blocks[i], p->impulses[i], 0);
            *b = body_impulse_plus(*b, p->blocks[i], p->impulses[i], 1);
            self->driven[island] += driven_by(p, self->free, i);
        }
    }
}

/* ½ r·A r: what the start would give to bodies at rest. */
static void add_kinetic(start_room *self, const body_array *bodies) {
    for (int i = 0; i < bodies->count; i++) {
        if (!body_is_dynamic(bodies, i)) continue;
        const body_impulse sum = self->actions[i];
        const body_velocity v =
            velocity_after((body_velocity){.reserved = 0}, mobility_of(bodies->poses[i], bodies->masses[i]),
                           sum.linear, sum.angular);
        self->kinetic[self->islands[i]] +=
            ((double)glms_vec3_dot(sum.linear, v.linear) + (double)glms_vec3_dot(sum.angular, v.angular)) / 2;
    }
}

scree_result start_begin(start_room *self, const problem *p, int *regrown) {
    TRY(reserve(self, p->body_count, regrown));
    find_islands(self->islands, p);
    return SCREE_OK;
}

void start_weigh(start_room *self, problem *p, const assembly *from, int threads) {
    const body_array *bodies = from->bodies;
    predict(self, p, from, threads);
    act(self, p, bodies);
    add_kinetic(self, bodies);
    for (int g = 0; g < p->group_count; g++) {
        const block_group group = p->groups[g];
        const int island = island_of(self, bodies, group);
        if (!(self->kinetic[island] + self->driven[island] > 0)) continue;
        for (int i = group.first; i < group.first + group.count; i++) p->impulses[i].value = glms_vec3_zero();
    }
}

void start_release(start_room *self) {
    memory_release(self->islands);
    memory_release(self->free);
    memory_release(self->actions);
    memory_release(self->kinetic);
    memory_release(self->driven);
    *self = (start_room){0};
}
