/* The native backend: the shared functions in plain loops, OpenMP over the items of a launch. Every loop
 * writes only to its own item, so that the bits do not depend on the thread count. */
#include "backend.h"
#include "executor.h"

#include "../base/memory.h"
#include "../base/parallel.h"
#include "momentum.h"
#include "motion.h"

#include <stdio.h>
#include <string.h>

typedef struct native {
    backend base;
    executor launches;
    int threads;
    problem *p;
    /* The pass that is running works on one of the problem's two sets. */
    block_impulse *impulses;
    body_velocity *velocities;
    int kept_capacity;
    block_impulse *kept;
    int chunk_capacity;
    residual_sum *chunks;
    /* Of the accelerated methods: where the iteration began, the iterate before, the best one. */
    int start_capacity, before_capacity, best_capacity, velocity_capacity, uphill_capacity;
    block_impulse *starts, *before, *best;
    body_velocity *velocities_before;
    scalar *uphill;
    momentum_state momentum;
} native;

static native *native_of(executor *self) { return (native *)((char *)self - offsetof(native, launches)); }

static scree_result predict(backend *base, const body_array *bodies, motion_parameters motion, problem *p) {
    const native *self = (const native *)base;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, bodies->count))
    for (int i = 0; i < bodies->count; i++) {
        body_mobility mobility = mobility_of(bodies->poses[i], bodies->masses[i]);
        mobility.share = p->mobility[i].share;
        mobility.tail_share = p->mobility[i].tail_share;
        p->mobility[i] = mobility;
        p->free_velocity[i] = free_velocity_of(bodies->poses[i], bodies->velocities[i], bodies->masses[i],
                                               bodies->loads[i], mobility, motion);
    }
    return SCREE_OK;
}

static scree_result begin(executor *launches, problem *p, solve_parameters parameters) {
    native *self = native_of(launches);
    self->p = p;
    self->momentum = (momentum_state){.t = 1};
    self->impulses = parameters.position_pass ? p->pseudo_impulses : p->impulses;
    self->velocities = parameters.position_pass ? p->pseudo_velocity : p->velocity;
    TRY(MEMORY_RESERVE(self->kept, self->kept_capacity, p->block_count, NULL));
    TRY(MEMORY_RESERVE(self->chunks, self->chunk_capacity, p->block_count / RESIDUAL_CHUNK + 1, NULL));
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, p->block_count))
    for (int i = 0; i < p->block_count; i++)
        p->blocks[i] =
            block_prepared(p->blocks[i], p->mobility[p->blocks[i].body_a], p->mobility[p->blocks[i].body_b]);
    return SCREE_OK;
}

static body_velocity gathered(const native *self, int body, solve_parameters parameters) {
    const problem *p = self->p;
    body_impulse sum = {glms_vec3_zero(), glms_vec3_zero()};
    for (int k = p->incidence_first[body]; k < p->incidence_first[body + 1]; k++) {
        const int block = p->incidence[k] >> 1;
        sum = body_impulse_plus(sum, p->blocks[block], self->impulses[block], p->incidence[k] & 1);
    }
    return velocity_gathered(p->free_velocity[body], p->mobility[body], sum, parameters);
}

static scree_result gather(executor *launches, solve_parameters parameters) {
    native *self = native_of(launches);
    const int count = self->p->body_count;
#pragma omp parallel for schedule(dynamic, 256) num_threads(parallel_threads(self->threads, count))
    for (int i = 0; i < count; i++) self->velocities[i] = gathered(self, i, parameters);
    return SCREE_OK;
}

static scree_result regather(executor *launches, solve_parameters parameters) {
    native *self = native_of(launches);
    const int count = self->p->body_count;
#pragma omp parallel for schedule(dynamic, 256) num_threads(parallel_threads(self->threads, count))
    for (int i = 0; i < count; i++) {
        const body_velocity v = gathered(self, i, parameters);
        self->velocities_before[i] = velocity_moved(self->velocities_before[i], self->velocities[i], v);
        self->velocities[i] = v;
    }
    return SCREE_OK;
}

static scree_result gather_tail(executor *launches, solve_parameters parameters) {
    native *self = native_of(launches);
    const int count = self->p->tail_body_count, *bodies = self->p->tail_bodies;
#pragma omp parallel for schedule(dynamic, 256) num_threads(parallel_threads(self->threads, count))
    for (int i = 0; i < count; i++) self->velocities[bodies[i]] = gathered(self, bodies[i], parameters);
    return SCREE_OK;
}

/* Bodies of a pile lie in memory in no order, so that waiting for them is half of a sweep's time; this many
 * groups ahead their cache lines are asked for. */
enum { PREFETCH_AHEAD = 8 };

static void prefetch_body(const native *self, int body) {
    const char *mobility = (const char *)&self->p->mobility[body];
    __builtin_prefetch(&self->velocities[body], 1);
    __builtin_prefetch(mobility);
    __builtin_prefetch(mobility + sizeof(body_mobility) - 1);
}

/* What bounds block i if it is a resistance. */
static scalar normal_before(const native *self, int i) {
    return block_is_resistance(self->p->blocks[i]) ? self->impulses[i - 1].value.x : 0;
}

static scree_result sweep(executor *launches, int first, int count, solve_parameters parameters) {
    native *self = native_of(launches);
    const problem *p = self->p;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, count))
    for (int g = first; g < first + count; g++) {
        const block_group group = p->groups[g];
        if (g + PREFETCH_AHEAD < first + count) {
            prefetch_body(self, p->groups[g + PREFETCH_AHEAD].body_a);
            prefetch_body(self, p->groups[g + PREFETCH_AHEAD].body_b);
        }
        const body_mobility mobility_a = p->mobility[group.body_a], mobility_b = p->mobility[group.body_b];
        body_velocity a = self->velocities[group.body_a], b = self->velocities[group.body_b];
        local_progress sum;
        int done = 0;
        do {
            sum = (local_progress){0};
            for (int k = 0; k < group.count; k++) {
                const int i = group_block(group, parameters, k);
                const block_step step = block_swept(p->blocks[i], parameters, self->impulses[i],
                                                    normal_before(self, i), a, b, mobility_a, mobility_b);
                sum = local_progress_of(sum, self->impulses[i], step.impulse);
                self->impulses[i] = step.impulse;
                a = step.a, b = step.b;
            }
        } while (local_again(group, parameters, sum, ++done));
        if (body_moves(mobility_a)) self->velocities[group.body_a] = a;
        if (body_moves(mobility_b)) self->velocities[group.body_b] = b;
    }
    return SCREE_OK;
}

static scree_result update(executor *launches, int first, int count, solve_parameters parameters) {
    native *self = native_of(launches);
    const problem *p = self->p;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, count))
    for (int i = first; i < first + count; i++) {
        const contact_block block = p->blocks[i];
        if (block_is_resistance(block)) continue; /* the contact before it takes it along */
        const body_velocity a = self->velocities[block.body_a], b = self->velocities[block.body_b];
        const body_mobility mobility_a = p->mobility[block.body_a], mobility_b = p->mobility[block.body_b];
        self->impulses[i] =
            block_updated(block, parameters, self->impulses[i], 0, a, b, mobility_a, mobility_b);
        if (i + 1 < first + count && block_is_resistance(p->blocks[i + 1]))
            self->impulses[i + 1] = block_updated(p->blocks[i + 1], parameters, self->impulses[i + 1],
                                                  self->impulses[i].value.x, a, b, mobility_a, mobility_b);
    }
    return SCREE_OK;
}

static scree_result keep(executor *launches) {
    native *self = native_of(launches);
    memcpy(self->kept, self->impulses, sizeof *self->kept * (size_t)self->p->block_count);
    return SCREE_OK;
}

static scree_result residual(executor *launches, solve_parameters parameters, residual_sum *out) {
    native *self = native_of(launches);
    const problem *p = self->p;
    const int chunks = (p->block_count + RESIDUAL_CHUNK - 1) / RESIDUAL_CHUNK;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, p->block_count))
    for (int c = 0; c < chunks; c++) {
        residual_sum sum = {0};
        for (int i = c * RESIDUAL_CHUNK; i < p->block_count && i < (c + 1) * RESIDUAL_CHUNK; i++) {
            const contact_block block = p->blocks[i];
            const block_residual one =
                block_residual_of(block, parameters, self->impulses[i], self->kept[i], normal_before(self, i),
                                  self->velocities[block.body_a], self->velocities[block.body_b],
                                  velocity_of_pass(p->free_velocity[block.body_a], parameters),
                                  velocity_of_pass(p->free_velocity[block.body_b], parameters));
            sum.map += (double)one.map;
            sum.impulse += (double)one.impulse;
            sum.drive += (double)one.drive;
            sum.change += (double)one.change;
            if ((double)one.map > sum.largest_map) sum.largest_map = (double)one.map;
        }
        self->chunks[c] = sum;
    }
    residual_sum_total(self->chunks, chunks, out);
    return SCREE_OK;
}

static void extrapolate(native *self, solve_parameters parameters) {
    const problem *p = self->p;
    const scalar factor = self->momentum.extrapolation;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, p->block_count))
    for (int i = 0; i < p->block_count; i++) {
        const contact_block *block = &p->blocks[i];
        block_impulse r = self->impulses[i];
        if (parameters.read_shift)
            r.shift = block_shift(*block, parameters, self->velocities[block->body_a],
                                  self->velocities[block->body_b]);
        const block_impulse y = impulse_extrapolated(r, self->before[i], factor);
        self->before[i] = r, self->starts[i] = y, self->impulses[i] = y;
    }
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, p->body_count))
    for (int i = 0; i < p->body_count; i++) {
        const body_velocity v = self->velocities[i];
        self->velocities[i] = velocity_extrapolated(v, self->velocities_before[i], factor);
        self->velocities_before[i] = v;
    }
}

static scree_result momentum_begin(executor *launches, solve_parameters parameters) {
    native *self = native_of(launches);
    const problem *p = self->p;
    TRY(MEMORY_RESERVE(self->starts, self->start_capacity, p->block_count, NULL));
    TRY(MEMORY_RESERVE(self->before, self->before_capacity, p->block_count, NULL));
    TRY(MEMORY_RESERVE(self->velocities_before, self->velocity_capacity, p->body_count, NULL));
    TRY(MEMORY_RESERVE(self->uphill, self->uphill_capacity, p->block_count / RESIDUAL_CHUNK + 1, NULL));
    if (p->block_count > 0)
        memcpy(self->before, self->impulses, sizeof *self->before * (size_t)p->block_count);
    if (p->body_count > 0)
        memcpy(self->velocities_before, self->velocities, sizeof *self->velocities * (size_t)p->body_count);
    self->momentum.t = 1, self->momentum.extrapolation = 0;
    parameters.read_shift = 1;
    extrapolate(self, parameters);
    return SCREE_OK;
}

static scree_result momentum_step(executor *launches, solve_parameters parameters) {
    native *self = native_of(launches);
    const problem *p = self->p;
    const int chunks = (p->block_count + RESIDUAL_CHUNK - 1) / RESIDUAL_CHUNK;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, p->block_count))
    for (int c = 0; c < chunks; c++) {
        scalar sum = 0;
        for (int i = c * RESIDUAL_CHUNK; i < p->block_count && i < (c + 1) * RESIDUAL_CHUNK; i++)
            sum += block_uphill(p->blocks[i], self->starts[i], self->impulses[i], self->before[i]);
        self->uphill[c] = sum;
    }
    scalar sum = 0;
    for (int c = 0; c < chunks; c++) sum += self->uphill[c];
    self->momentum = momentum_after(self->momentum, sum, parameters.ceiling);
    extrapolate(self, parameters);
    return SCREE_OK;
}

static scree_result momentum_read(executor *launches, momentum_figures *out) {
    const momentum_state *state = &native_of(launches)->momentum;
    *out = (momentum_figures){.t = (double)state->t, .restarts = state->restarts};
    return SCREE_OK;
}

static scree_result best_keep(executor *launches) {
    native *self = native_of(launches);
    TRY(MEMORY_RESERVE(self->best, self->best_capacity, self->p->block_count, NULL));
    if (self->p->block_count > 0)
        memcpy(self->best, self->impulses, sizeof *self->best * (size_t)self->p->block_count);
    return SCREE_OK;
}

static scree_result best_restore(executor *launches) {
    native *self = native_of(launches);
    if (self->p->block_count > 0)
        memcpy(self->impulses, self->best, sizeof *self->best * (size_t)self->p->block_count);
    return SCREE_OK;
}

/* The launches work on the problem's own arrays: nothing to bring back. */
static scree_result end(executor *launches, solve_parameters parameters) {
    (void)launches, (void)parameters;
    return SCREE_OK;
}

static scree_result fetch(backend *base, problem *p) {
    (void)base, (void)p;
    return SCREE_OK;
}

static scree_result solve(backend *base, problem *p, const scree_solver_def *options,
                          scree_solve_report *report) {
    return solve_iterate(&((native *)base)->launches, p, options, report);
}

static scree_result integrate(backend *base, const body_array *bodies, problem *p, motion_parameters motion,
                              body_pose *poses, body_velocity *velocities) {
    const native *self = (const native *)base;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, bodies->count))
    for (int i = 0; i < bodies->count; i++) {
        poses[i] = pose_after(bodies->poses[i], bodies->velocities[i], bodies->masses[i], bodies->loads[i],
                              p->free_velocity[i], p->velocity[i], p->pseudo_velocity[i], motion.time_step);
        velocities[i] = p->velocity[i];
    }
    return SCREE_OK;
}

static void destroy(backend *base) {
    native *self = (native *)base;
    memory_release(self->kept);
    memory_release(self->chunks);
    memory_release(self->starts);
    memory_release(self->before);
    memory_release(self->best);
    memory_release(self->velocities_before);
    memory_release(self->uphill);
    memory_release(self);
}

static const backend_verbs verbs = {destroy, predict, solve, fetch, integrate};
static const executor_verbs launch_verbs = {
    begin,         gather,        gather_tail, regather,     sweep,    update, keep, momentum_begin,
    momentum_step, momentum_read, best_keep,   best_restore, residual, end,    NULL};

scree_result native_create(int threads, backend **out) {
    native *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: the native backend");
    self->base.verbs = &verbs;
    self->base.kind = SCREE_BACKEND_NATIVE;
    self->launches.verbs = &launch_verbs;
    self->threads = threads;
    snprintf(self->base.name, sizeof self->base.name, "native, %d thread%s", threads,
             threads == 1 ? "" : "s");
    *out = &self->base;
    return SCREE_OK;
}

executor *native_executor(backend *base) { return &((native *)base)->launches; }
