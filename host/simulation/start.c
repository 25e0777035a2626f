#include "start.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "block.h"
#include "motion.h"
#include "update.h"

#include <stdatomic.h>

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
    TRY(MEMORY_RESERVE(self->shares, self->share_capacity, bodies, regrown));
    return MEMORY_RESERVE(self->sums, self->sum_capacity, bodies, regrown);
}

/* Shortens the way on its way, to slots that are nearer to the root. */
static int root_of(_Atomic int *islands, int slot) {
    for (int next = islands[slot]; next != slot; next = islands[slot]) {
        const int after = islands[next];
        atomic_store_explicit(&islands[slot], after, memory_order_relaxed);
        slot = after;
    }
    return slot;
}

/* The larger root comes below the smaller one, so that an island's root is its first slot in whatever order
 * threads join them. */
static void join(_Atomic int *islands, int a, int b) {
    for (;;) {
        a = root_of(islands, a), b = root_of(islands, b);
        if (a == b) return;
        const int low = a < b ? a : b, high = a < b ? b : a;
        int root = high; /* unless another thread has just joined it to something */
        if (atomic_compare_exchange_strong(&islands[high], &root, low)) return;
    }
}

static void find_islands(_Atomic int *islands, const problem *p, int threads) {
    const int of_pairs = parallel_threads(threads, p->pairs.count),
              of_bodies = parallel_threads(threads, p->body_count);
#pragma omp parallel for schedule(static) num_threads(of_bodies)
    for (int i = 0; i < p->body_count; i++) atomic_init(&islands[i], i);
#pragma omp parallel for schedule(static) num_threads(of_pairs)
    for (int i = 0; i < p->pairs.count; i++) {
        const constraint_pair *pair = &p->pairs.items[i];
        if (pair->flags & PAIR_MOVES_A && pair->flags & PAIR_MOVES_B) join(islands, pair->a, pair->b);
    }
#pragma omp parallel for schedule(static) num_threads(of_bodies)
    for (int i = 0; i < p->body_count; i++) islands[i] = root_of(islands, i);
}

static void predict(start_room *self, const problem *p, const assembly *from, int threads) {
    const body_array *bodies = from->bodies;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(threads, p->body_count))
    for (int i = 0; i < p->body_count; i++) {
        self->actions[i] = (body_impulse){0};
        self->shares[i] = self->sums[i] = 0;
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

/* That body of a group that its part of the sum is counted to: one that moves. */
static int counted_to(const body_array *bodies, block_group group) {
    return group.body_a < bodies->count && body_is_dynamic(bodies, group.body_a) ? group.body_a
                                                                                 : group.body_b;
}

static bool has(part share, int slot) { return slot >= share.first && slot < share.end; }

/* Of the bodies in a share of the slots, in the order of the groups. */
static void act(start_room *self, const problem *p, const body_array *bodies, part share) {
    for (int g = 0; g < p->group_count; g++) {
        const block_group group = p->groups[g];
        const bool has_a = has(share, group.body_a), has_b = has(share, group.body_b);
        const int counted = counted_to(bodies, group);
        for (int i = group.first; (has_a || has_b) && i < group.first + group.count; i++) {
            body_impulse *a = &self->actions[group.body_a], *b = &self->actions[group.body_b];
            if (has_a) *a = body_impulse_plus(*a, p->blocks[i], p->impulses[i], 0);
            if (has_b) *b = body_impulse_plus(*b, p->blocks[i], p->impulses[i], 1);
            if (has(share, counted)) self->shares[counted] += driven_by(p, self->free, i);
        }
    }
    /* ½ r·A r: what the start would give to bodies at rest. */
    for (int i = share.first; i < share.end && i < bodies->count; i++) {
        if (!body_is_dynamic(bodies, i)) continue;
        const body_impulse sum = self->actions[i];
        const body_velocity v =
            velocity_after((body_velocity){.reserved = 0}, mobility_of(bodies->poses[i], bodies->masses[i]),
                           sum.linear, sum.angular);
        self->shares[i] +=
            ((double)glms_vec3_dot(sum.linear, v.linear) + (double)glms_vec3_dot(sum.angular, v.angular)) / 2;
    }
}

scree_result start_begin(start_room *self, const problem *p, int threads, int *regrown) {
    TRY(reserve(self, p->body_count, regrown));
    find_islands(self->islands, p, threads);
    return SCREE_OK;
}

void start_weigh(start_room *self, problem *p, const assembly *from, int threads) {
    const body_array *bodies = from->bodies;
    const int parts = parallel_threads(threads, p->group_count);
    predict(self, p, from, threads);
#pragma omp parallel for schedule(static) num_threads(parts)
    for (int number = 0; number < parts; number++)
        act(self, p, bodies, part_of(p->body_count, number, parts));
    for (int i = 0; i < bodies->count; i++) self->sums[self->islands[i]] += self->shares[i];
#pragma omp parallel for schedule(static) num_threads(parts)
    for (int g = 0; g < p->group_count; g++) {
        const block_group group = p->groups[g];
        if (!(self->sums[self->islands[counted_to(bodies, group)]] > 0)) continue;
        for (int i = group.first; i < group.first + group.count; i++) p->impulses[i].value = glms_vec3_zero();
    }
}

void start_release(start_room *self) {
    memory_release(self->islands);
    memory_release(self->free);
    memory_release(self->actions);
    memory_release(self->shares);
    memory_release(self->sums);
    *self = (start_room){0};
}
