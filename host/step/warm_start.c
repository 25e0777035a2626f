#include "warm_start.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/union_find.h"
#include "rows/mass_unit.h"
#include "block.h"
#include "excess.h"
#include "start_energy.h"

/* Sweeps lower f(r) = ½ r·A r + q·r, which is 0 at r = 0. In a pile at rest, the impulses of the previous
 * substep are nearly the solution again, f(r) = −½ r·A r. The impulses of an impact must not act a second
 * time: bodies already have the velocity that these gave them, and f(r) > 0 by about the energy of the
 * impact. The two sweeps of a substep do not remove that, and the remainder begins the next substep: fast
 * bodies with many contacts gained energy without bound. An island (dynamic bodies connected by contacts and
 * joints) therefore starts from r = 0 if f(r) > 0. The minimum along the ray (s r, below) is worse here: 1000
 * cubes that land in eight substeps overlap by 4.5 instead of 3.7 mm and keep 0.32 instead of 0.015 J.
 *
 * r·A r is the sum of P·M⁻¹ P over bodies with P = Jᵀ r. All terms are computed here, from host data that
 * every backend has, so that all backends get the same warm start.
 *
 * In an undivided step the iterations mostly remove that energy, and sooner than they would reach the
 * impulses that support a pile from r = 0. No island is scaled before such a solve; evaluating f before it
 * would take 8 % of the instructions of a step of 1000 spheres. The iterations fail when
 * a heavy body has struck small ones, because each sweep takes from it only the momentum of a small one. The
 * remainder shows after the solve. Along its own ray
 *
 *     f(s r) = s² ½ r·A r + s q·r   has its minimum at   s = −q·r/r·A r = 1 − r·u/r·A r,
 *
 * and a solution has s ≥ 1, as only sliding has r·u ≠ 0, which dissipates energy. If s is smaller, the
 * impulses are larger than required. With s < ½ they have created energy, and the body bounces without
 * restitution. The solve then continues from s r. With u = J V + b and q = J V* + b,
 *
 *     f(r) = E(V) − E(V*) + b·r,   ½ r·A r = ½ (V − V*)·M (V − V*),
 *
 * except for compliance: if b = 0, f follows from the bodies alone. Contacts are therefore evaluated only if
 * the bodies show that the s of some island may be too small. */

static scree_result reserve(warm_start_scratch *self, const problem *p, int *regrown) {
    const int bodies = p->body_count;
    if (!p->predicted) TRY(MEMORY_RESERVE(self->own_free, self->free_capacity, bodies, regrown));
    self->free = p->predicted ? p->free_velocity : self->own_free;
    TRY(MEMORY_RESERVE(self->islands, self->island_capacity, bodies, regrown));
    TRY(MEMORY_RESERVE(self->actions, self->action_capacity, bodies, regrown));
    TRY(MEMORY_RESERVE(self->energies, self->energy_capacity, bodies, regrown));
    return MEMORY_RESERVE(self->sums, self->sum_capacity, bodies, regrown);
}

typedef struct island_loop {
    int *islands;
    const problem *p;
} island_loop;

static void init_slice(const void *context, slice part) {
    const island_loop loop = *(const island_loop *)context;
    for (int i = part.first; i < part.end; i++) loop.islands[i] = i;
}

static void join_slice(const void *context, slice part) {
    const island_loop loop = *(const island_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        const constraint_pair *pair = &loop.p->pairs.items[i];
        if (pair->flags & PAIR_MOVES_A && pair->flags & PAIR_MOVES_B)
            union_find_join(loop.islands, pair->a, pair->b);
    }
}

static void flatten_slice(const void *context, slice part) {
    const island_loop loop = *(const island_loop *)context;
    for (int i = part.first; i < part.end; i++) union_find_flatten(loop.islands, i);
}

static void find_islands(int *islands, const problem *p, int threads) {
    const int of_pairs = parallel_threads(threads, p->pairs.count),
              of_bodies = parallel_threads(threads, p->body_count);
    parallel_for(of_bodies, p->body_count, init_slice, &(const island_loop){.islands = islands});
    parallel_for(of_pairs, p->pairs.count, join_slice, &(const island_loop){.p = p, .islands = islands});
    parallel_for(of_bodies, p->body_count, flatten_slice, &(const island_loop){.islands = islands});
}

/* Returns a mass in the problem's unit. */
static inline body_mass mass_at(const problem *p, const body_array *bodies, int slot) {
    return mass_scaled(bodies->masses[slot], mass_unit_factor(p));
}

static inline body_velocity free_velocity_at(const problem *p, const problem_input *from, int slot) {
    const body_array *bodies = from->bodies;
    const body_mass mass = mass_at(p, bodies, slot);
    return free_velocity_of(bodies->poses[slot], bodies->velocities[slot], mass,
                            load_scaled(bodies->loads[slot], mass_unit_factor(p)),
                            mobility_of(bodies->poses[slot], mass), from->motion);
}

typedef struct free_loop {
    warm_start_scratch *self;
    const problem *p;
    const problem_input *from;
} free_loop;

static void free_slice(const void *context, slice part) {
    const free_loop loop = *(const free_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        loop.self->actions[i] = (body_impulse){0};
        loop.self->energies[i] = loop.self->sums[i] = (start_energy){0};
        if (loop.self->free != loop.self->own_free) continue;
        loop.self->own_free[i] = i < loop.from->bodies->count ? free_velocity_at(loop.p, loop.from, i)
                                                              : (body_velocity){.reserved = 0};
    }
}

static void find_free_velocities(warm_start_scratch *self, const problem *p, const problem_input *from,
                                 int threads) {
    parallel_for(parallel_threads(threads, p->body_count), p->body_count, free_slice,
                 &(const free_loop){.self = self, .p = p, .from = from});
}

/* Returns the energy of a block's impulse. */
static start_energy energy_of(const problem *p, const body_velocity *free, int i) {
    const constraint_block block = p->blocks[i];
    const vec3s r = p->impulses[i].value;
    const body_velocity a = free[block.body_a], b = free[block.body_b];
    return block_is_bounded(block) ? start_energy_of_bounded(block, p->rows[block.rows], r, a, b)
                                   : start_energy_of_block(block, r, a, b);
}

/* Returns the dynamic body of a group to which its energy is added. */
static int counted_to(const body_array *bodies, block_group group) {
    return group.body_a < bodies->count && body_is_dynamic(bodies, group.body_a) ? group.body_a
                                                                                 : group.body_b;
}

static bool slice_has(slice slots, int slot) { return slot >= slots.first && slot < slots.end; }

/* Sums the impulses and energies of the bodies in a slice of the slots, in the order of the groups. */
static void sum_impulses(warm_start_scratch *self, const problem *p, const body_array *bodies, slice slots) {
    for (int g = 0; g < p->group_count; g++) {
        const block_group group = p->groups[g];
        const bool has_a = slice_has(slots, group.body_a), has_b = slice_has(slots, group.body_b);
        const int counted = counted_to(bodies, group);
        for (int i = group.first; (has_a || has_b) && i < group.first + group.count; i++) {
            body_impulse *a = &self->actions[group.body_a], *b = &self->actions[group.body_b];
            if (has_a) *a = body_impulse_plus(*a, p->blocks[i], p->impulses[i], 0);
            if (has_b) *b = body_impulse_plus(*b, p->blocks[i], p->impulses[i], 1);
            if (!slice_has(slots, counted)) continue;
            const start_energy of = energy_of(p, self->free, i);
            self->energies[counted].kinetic += of.kinetic, self->energies[counted].driven += of.driven;
        }
    }
    for (int i = slots.first; i < slots.end && i < bodies->count; i++)
        if (body_is_dynamic(bodies, i))
            self->energies[i].kinetic +=
                start_energy_of_body(mobility_of(bodies->poses[i], mass_at(p, bodies, i)), self->actions[i]);
}

scree_result warm_start_begin(warm_start_scratch *self, const problem *p, int threads, int *regrown) {
    TRY(reserve(self, p, regrown));
    find_islands(self->islands, p, threads);
    return SCREE_OK;
}

static void sum_islands(warm_start_scratch *self, int bodies) {
    for (int i = 0; i < bodies; i++) {
        start_energy *sum = &self->sums[self->islands[i]];
        sum->kinetic += self->energies[i].kinetic, sum->driven += self->energies[i].driven;
    }
}

typedef struct impulse_loop {
    warm_start_scratch *self;
    const problem *p;
    const problem_input *from;
    int parts;
} impulse_loop;

static void sum_impulse_slices(const void *context, slice part) {
    const impulse_loop loop = *(const impulse_loop *)context;
    for (int number = part.first; number < part.end; number++)
        sum_impulses(loop.self, loop.p, loop.from->bodies, slice_of(loop.p->body_count, number, loop.parts));
}

static void sum_energies(warm_start_scratch *self, const problem *p, const problem_input *from, int threads) {
    const int parts = parallel_threads(threads, p->group_count);
    find_free_velocities(self, p, from, threads);
    parallel_for(parts, parts, sum_impulse_slices,
                 &(const impulse_loop){.self = self, .p = p, .from = from, .parts = parts});
    sum_islands(self, from->bodies->count);
}

static start_energy island_energy(const warm_start_scratch *self, const problem_input *from,
                                  block_group group) {
    return self->sums[self->islands[counted_to(from->bodies, group)]];
}

static void scale_group(problem *p, block_group group, scalar by) {
    for (int i = group.first; i < group.first + group.count; i++)
        p->impulses[i].value = by > 0 ? glms_vec3_scale(p->impulses[i].value, by) : glms_vec3_zero();
}

typedef struct choose_loop {
    warm_start_scratch *self;
    const problem_input *from;
    problem *p;
} choose_loop;

static void choose_slice(const void *context, slice part) {
    const choose_loop loop = *(const choose_loop *)context;
    for (int g = part.first; g < part.end; g++) {
        const start_energy sum = island_energy(loop.self, loop.from, loop.p->groups[g]);
        if (sum.kinetic + sum.driven > 0) scale_group(loop.p, loop.p->groups[g], 0);
    }
}

void warm_start_choose(warm_start_scratch *self, problem *p, const problem_input *from, int threads) {
    sum_energies(self, p, from, threads);
    parallel_for(parallel_threads(threads, p->group_count), p->group_count, choose_slice,
                 &(const choose_loop){.self = self, .from = from, .p = p});
}

/* Arrays of the test for an excess, in scratch memory: islands, and per slot what excess.h sums. */
typedef struct excess_arrays {
    scalar *excess;  /* of each slot */
    uint32_t *ranks; /* of each island's first slot, as are the units */
    int64_t *units;
    int *islands;
} excess_arrays;

typedef struct excess_loop {
    excess_arrays of;
    const problem_input *from;
    const problem *p;
    bool *found;
    int bits;
} excess_loop;

static void excess_slice(const void *context, slice part) {
    const excess_loop loop = *(const excess_loop *)context;
    const body_array *bodies = loop.from->bodies;
    bool some = false;
    for (int i = part.first; i < part.end; i++) {
        loop.of.excess[i] = 0;
        loop.of.ranks[i] = 0, loop.of.units[i] = 0;
        if (!body_is_dynamic(bodies, i)) continue;
        const body_velocity before =
            loop.p->predicted ? loop.p->free_velocity[i] : free_velocity_at(loop.p, loop.from, i);
        loop.of.excess[i] =
            excess_of(bodies->poses[i], mass_at(loop.p, bodies, i), before, loop.p->velocity[i]);
        some = some || loop.of.excess[i] > 0;
    }
    if (some) parallel_set(loop.found);
}

/* Neighbours in the order of the slots are often of one island, so a slice adds runs of them. */
static void rank_slice(const void *context, slice part) {
    const excess_arrays of = ((const excess_loop *)context)->of;
    for (int i = part.first; i < part.end;) {
        const int island = of.islands[i];
        uint32_t most = 0;
        for (; i < part.end && of.islands[i] == island; i++) {
            const uint32_t rank = excess_rank(of.excess[i]);
            most = rank > most ? rank : most;
        }
        parallel_raise_unsigned(&of.ranks[island], most);
    }
}

static void unit_slice(const void *context, slice part) {
    const excess_arrays of = ((const excess_loop *)context)->of;
    const int bits = ((const excess_loop *)context)->bits;
    for (int i = part.first; i < part.end;) {
        const int island = of.islands[i];
        int64_t sum = 0;
        for (; i < part.end && of.islands[i] == island; i++)
            sum += excess_units(of.excess[i], of.ranks[island], bits);
        parallel_add_long(&of.units[island], sum);
    }
}

static void suspect_slice(const void *context, slice part) {
    const excess_loop loop = *(const excess_loop *)context;
    bool some = false;
    for (int i = part.first; i < part.end && !some; i++) some = loop.of.units[i] > 0;
    if (some) parallel_set(loop.found);
}

static scree_result take_excess(warm_start_scratch *self, const problem *p, excess_arrays *out,
                                int *regrown) {
    const size_t bodies = (size_t)p->body_count;
    void *scratch;
    TRY(scratch_take(
        p->scratch ? p->scratch : &self->own_scratch,
        bodies * (sizeof *out->units + sizeof *out->excess + sizeof *out->ranks + sizeof *out->islands),
        &scratch, regrown));
    out->units = scratch;
    out->excess = (scalar *)(out->units + bodies);
    out->ranks = (uint32_t *)(out->excess + bodies);
    out->islands = (int *)(out->ranks + bodies);
    return SCREE_OK;
}

scree_result warm_start_find_excess(warm_start_scratch *self, const problem *p, const problem_input *from,
                                    int threads, bool *suspected, int *regrown) {
    const int count = from->bodies->count, share = parallel_threads(threads, count);
    bool some = false;
    excess_loop loop = {.from = from, .p = p, .found = &some, .bits = excess_bits((uint32_t)count)};
    TRY(take_excess(self, p, &loop.of, regrown));
    parallel_for(share, count, excess_slice, &loop);
    *suspected = false;
    if (!some) return SCREE_OK;
    find_islands(loop.of.islands, p, threads);
    parallel_for(share, count, rank_slice, &loop);
    parallel_for(share, count, unit_slice, &loop);
    loop.found = suspected;
    parallel_for(share, count, suspect_slice, &loop);
    return SCREE_OK;
}

typedef struct scale_loop {
    warm_start_scratch *self;
    const problem_input *from;
    problem *p;
    bool *some;
} scale_loop;

static void scale_slice(const void *context, slice part) {
    const scale_loop loop = *(const scale_loop *)context;
    bool some = false;
    for (int g = part.first; g < part.end; g++) {
        const start_energy sum = island_energy(loop.self, loop.from, loop.p->groups[g]);
        if (!(start_energy_excess(sum) > 0)) continue;
        scale_group(loop.p, loop.p->groups[g], (scalar)(-sum.driven / (2 * sum.kinetic)));
        some = true;
    }
    if (some) parallel_set(loop.some);
}

bool warm_start_scale(warm_start_scratch *self, problem *p, const problem_input *from, int threads) {
    bool some = false;
    sum_energies(self, p, from, threads);
    parallel_for(parallel_threads(threads, p->group_count), p->group_count, scale_slice,
                 &(const scale_loop){.self = self, .from = from, .p = p, .some = &some});
    return some;
}

void warm_start_release(warm_start_scratch *self) {
    memory_release(self->islands);
    memory_release(self->own_free);
    memory_release(self->actions);
    memory_release(self->energies);
    memory_release(self->sums);
    scratch_release(&self->own_scratch);
    *self = (warm_start_scratch){0};
}
