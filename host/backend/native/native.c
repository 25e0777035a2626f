/* The native backend: the shared functions in plain loops, OpenMP over the items of a launch. Every loop
 * writes only to its own item, so that the bits do not depend on the thread count. */
#include "backend/backend.h"
#include "solve/executor.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "displacement.h"
#include "nesterov.h"
#include "motion.h"
#include "batches.h"
#include "wide_sweep.h"

#include <stdio.h>
#include <string.h>

typedef struct native {
    backend base;
    executor executor;
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
    nesterov_state nesterov;
    int rebound_capacity;
    body_velocity *rebounds; /* P₀ of displacement.h */
    /* Of wide sweeps; without one every group is swept by itself. */
    wide_sweep wide;
    int width;
    batches batches;
    int term_capacity;
    scalar *uphill_terms; /* of each block */
} native;

static native *native_of(executor *self) { return (native *)((char *)self - offsetof(native, executor)); }

static scree_result predict(backend *base, const body_array *bodies, motion_parameters motion, problem *p) {
    const native *self = (const native *)base;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, bodies->count))
    for (int i = 0; i < bodies->count; i++) {
        const body_mobility mobility = mobility_of(bodies->poses[i], bodies->masses[i]);
        p->mobility[i] = mobility;
        p->free_velocity[i] = free_velocity_of(bodies->poses[i], bodies->velocities[i], bodies->masses[i],
                                               bodies->loads[i], mobility, motion);
    }
    problem_clear_ground(p, bodies);
    return SCREE_OK;
}

static scree_result begin(executor *base, problem *p, solve_parameters parameters) {
    native *self = native_of(base);
    self->p = p;
    self->nesterov = (nesterov_state){.t = 1};
    self->impulses = parameters.position_pass ? p->pseudo_impulses : p->impulses;
    self->velocities = parameters.position_pass ? p->pseudo_velocity : p->velocity;
    TRY(MEMORY_RESERVE(self->kept, self->kept_capacity, p->block_count, NULL));
    TRY(MEMORY_RESERVE(self->chunks, self->chunk_capacity, p->block_count / RESIDUAL_CHUNK + 1, NULL));
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, p->block_count))
    for (int i = 0; i < p->block_count; i++) {
        const constraint_block block = p->blocks[i];
        const body_mobility a = p->mobility[block.body_a], b = p->mobility[block.body_b];
        p->diagonals[i] = block_is_bounded(block) ? bounded_prepared(block, p->rows[block.rows], a, b)
                                                  : block_prepared(block, a, b);
    }
    return batches_build(&self->batches, p, self->width, self->threads);
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

static scree_result gather(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    const int count = self->p->body_count;
#pragma omp parallel for schedule(dynamic, 256) num_threads(parallel_threads(self->threads, count))
    for (int i = 0; i < count; i++) self->velocities[i] = gathered(self, i, parameters);
    return SCREE_OK;
}

static scree_result regather(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    const int count = self->p->body_count;
#pragma omp parallel for schedule(dynamic, 256) num_threads(parallel_threads(self->threads, count))
    for (int i = 0; i < count; i++) {
        const body_velocity v = gathered(self, i, parameters);
        self->velocities_before[i] = velocity_moved(self->velocities_before[i], self->velocities[i], v);
        self->velocities[i] = v;
    }
    return SCREE_OK;
}

static scree_result gather_tail(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    const int count = self->p->tail_body_count, *bodies = self->p->tail_bodies;
#pragma omp parallel for schedule(dynamic, 256) num_threads(parallel_threads(self->threads, count))
    for (int i = 0; i < count; i++) self->velocities[bodies[i]] = gathered(self, bodies[i], parameters);
    return SCREE_OK;
}

/* What bounds block i if it is a resistance. */
static scalar normal_before(const native *self, int i) {
    return block_is_resistance(self->p->blocks[i]) ? self->impulses[i - 1].value.x : 0;
}

/* y = r + β (r − before) of consecutive blocks; r is the one before from then on. */
static void extrapolate_blocks(native *self, int first, int count, scalar extrapolation) {
    for (int i = first; i < first + count; i++) {
        const block_impulse r = self->impulses[i];
        const block_impulse y = impulse_extrapolated(r, self->before[i], extrapolation);
        self->before[i] = r, self->starts[i] = y, self->impulses[i] = y;
    }
}

/* One group; within momentum from the extrapolated point, as a lane of a wide sweep does it. */
static void sweep_group(native *self, int g, solve_parameters parameters, const wide_job *momentum) {
    const problem *p = self->p;
    const block_group group = p->groups[g];
    const body_mobility mobility_a = p->mobility[group.body_a], mobility_b = p->mobility[group.body_b];
    body_velocity a = self->velocities[group.body_a], b = self->velocities[group.body_b];
    if (momentum) extrapolate_blocks(self, group.first, group.count, momentum->extrapolation);
    for (int sweep = local_sweeps_of(group.count, p->blocks[group.first + group.count - 1], parameters);
         sweep > 0; sweep--)
        for (int k = 0; k < group.count; k++) {
            const int i = group_block(group, parameters, k);
            const constraint_block *block = &p->blocks[i];
            const block_step step =
                block_is_bounded(*block)
                    ? bounded_swept(*block, p->rows[block->rows], p->diagonals[i], parameters,
                                    self->impulses[i], a, b, mobility_a, mobility_b)
                    : block_swept(*block, p->diagonals[i], parameters, self->impulses[i],
                                  normal_before(self, i), a, b, mobility_a, mobility_b);
            self->impulses[i] = step.impulse;
            a = step.a, b = step.b;
        }
    for (int i = group.first; momentum && i < group.first + group.count; i++)
        self->uphill_terms[i] =
            block_uphill(p->diagonals[i], self->starts[i], self->impulses[i], self->before[i]);
    if (body_moves(mobility_a)) self->velocities[group.body_a] = a;
    if (body_moves(mobility_b)) self->velocities[group.body_b] = b;
}

/* Whether batches serve: the convex law's general block has no wide form. */
static bool sweeps_wide(const native *self, solve_parameters parameters) {
    return self->wide && parameters.law != LAW_ASSOCIATED;
}

static wide_job job_of(const native *self, solve_parameters parameters) {
    return (wide_job){.items = self->batches.items,
                      .fields = self->batches.fields,
                      .impulses = (float *)self->impulses,
                      .before = (float *)self->before,
                      .uphill = self->uphill_terms,
                      .velocities = (float *)self->velocities,
                      .mobility = (const float *)self->p->mobility,
                      .parameters = parameters,
                      .extrapolation = self->nesterov.extrapolation};
}

/* Batches that one thread takes at a time. */
enum { PIECE = 8 };

/* A colour, within a parallel region: batches, then what is in none. Ends with a barrier. */
static void sweep_colour(native *self, int colour, const wide_job *job) {
    const batches *of = &self->batches;
    const problem *p = self->p;
    if (!sweeps_wide(self, job->parameters)) {
#pragma omp for schedule(static)
        for (int g = p->colour_first[colour]; g < p->colour_first[colour + 1]; g++)
            sweep_group(self, g, job->parameters, job->momentum ? job : NULL);
        return;
    }
    const int first = of->batch_first[colour], end = of->batch_first[colour + 1];
#pragma omp for schedule(static) nowait
    for (int piece = first; piece < end; piece += PIECE)
        self->wide(job, piece, piece + PIECE < end ? piece + PIECE : end);
#pragma omp for schedule(static)
    for (int i = of->loose_first[colour]; i < of->loose_first[colour + 1]; i++)
        sweep_group(self, of->loose[i], job->parameters, job->momentum ? job : NULL);
}

static scree_result sweep(executor *base, int first, int count, solve_parameters parameters) {
    native *self = native_of(base);
    const problem *p = self->p;
    const wide_job job = job_of(self, parameters);
    for (int colour = 0; colour < p->colour_count && sweeps_wide(self, parameters); colour++)
        if (p->colour_first[colour] == first && p->colour_first[colour + 1] == first + count) {
#pragma omp parallel num_threads(parallel_threads(self->threads, count))
            sweep_colour(self, colour, &job);
            return SCREE_OK;
        }
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, count))
    for (int g = first; g < first + count; g++) sweep_group(self, g, parameters, NULL);
    return SCREE_OK;
}

static scree_result update(executor *base, int first, int count, solve_parameters parameters) {
    native *self = native_of(base);
    const problem *p = self->p;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, count))
    for (int i = first; i < first + count; i++) {
        const constraint_block block = p->blocks[i];
        if (block_is_resistance(block)) continue; /* the contact before it takes it along */
        const body_velocity a = self->velocities[block.body_a], b = self->velocities[block.body_b];
        const body_mobility mobility_a = p->mobility[block.body_a], mobility_b = p->mobility[block.body_b];
        const body_shares shares_a = p->shares[block.body_a], shares_b = p->shares[block.body_b];
        if (block_is_bounded(block)) {
            self->impulses[i] = bounded_updated(block, p->rows[block.rows], parameters, self->impulses[i], a,
                                                b, mobility_a, mobility_b, shares_a, shares_b);
            continue;
        }
        self->impulses[i] = block_updated(block, parameters, self->impulses[i], 0, a, b, mobility_a,
                                          mobility_b, shares_a, shares_b);
        if (i + 1 < first + count && block_is_resistance(p->blocks[i + 1]))
            self->impulses[i + 1] =
                block_updated(p->blocks[i + 1], parameters, self->impulses[i + 1], self->impulses[i].value.x,
                              a, b, mobility_a, mobility_b, shares_a, shares_b);
    }
    return SCREE_OK;
}

static scree_result keep(executor *base) {
    native *self = native_of(base);
    memcpy(self->kept, self->impulses, sizeof *self->kept * (size_t)self->p->block_count);
    return SCREE_OK;
}

static scree_result residual(executor *base, solve_parameters parameters, residual_sum *out) {
    native *self = native_of(base);
    const problem *p = self->p;
    const int chunks = (p->block_count + RESIDUAL_CHUNK - 1) / RESIDUAL_CHUNK;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, p->block_count))
    for (int c = 0; c < chunks; c++) {
        residual_sum sum = {0};
        for (int i = c * RESIDUAL_CHUNK; i < p->block_count && i < (c + 1) * RESIDUAL_CHUNK; i++) {
            const constraint_block block = p->blocks[i];
            const body_velocity a = self->velocities[block.body_a], b = self->velocities[block.body_b],
                                free_a = velocity_of_pass(p->free_velocity[block.body_a], parameters),
                                free_b = velocity_of_pass(p->free_velocity[block.body_b], parameters);
            const block_residual one =
                block_is_bounded(block)
                    ? bounded_residual_of(block, p->rows[block.rows], p->diagonals[i], parameters,
                                          self->impulses[i], self->kept[i], a, b, free_a, free_b)
                    : block_residual_of(block, p->diagonals[i], parameters, self->impulses[i], self->kept[i],
                                        normal_before(self, i), a, b, free_a, free_b);
            sum.map += (double)one.map;
            sum.impulse += (double)one.impulse;
            sum.drive += (double)one.drive;
            sum.change += (double)one.change;
            if ((double)one.map > sum.max_map) sum.max_map = (double)one.map;
            if ((double)one.violation > sum.violation) sum.violation = (double)one.violation;
            if ((double)one.free > sum.free) sum.free = (double)one.free;
        }
        self->chunks[c] = sum;
    }
    residual_sum_total(self->chunks, chunks, out);
    return SCREE_OK;
}

static void extrapolate(native *self, solve_parameters parameters) {
    const problem *p = self->p;
    const scalar factor = self->nesterov.extrapolation;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, p->block_count))
    for (int i = 0; i < p->block_count; i++) {
        const constraint_block *block = &p->blocks[i];
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

static scree_result nesterov_begin(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    const problem *p = self->p;
    TRY(MEMORY_RESERVE(self->starts, self->start_capacity, p->block_count, NULL));
    TRY(MEMORY_RESERVE(self->before, self->before_capacity, p->block_count, NULL));
    TRY(MEMORY_RESERVE(self->velocities_before, self->velocity_capacity, p->body_count, NULL));
    TRY(MEMORY_RESERVE(self->uphill, self->uphill_capacity, p->block_count / RESIDUAL_CHUNK + 1, NULL));
    if (p->block_count > 0)
        memcpy(self->before, self->impulses, sizeof *self->before * (size_t)p->block_count);
    if (p->body_count > 0)
        memcpy(self->velocities_before, self->velocities, sizeof *self->velocities * (size_t)p->body_count);
    self->nesterov.t = 1, self->nesterov.extrapolation = 0;
    parameters.read_shift = 1;
    extrapolate(self, parameters);
    return SCREE_OK;
}

static scree_result nesterov_step(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    const problem *p = self->p;
    const int chunks = (p->block_count + RESIDUAL_CHUNK - 1) / RESIDUAL_CHUNK;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, p->block_count))
    for (int c = 0; c < chunks; c++) {
        scalar sum = 0;
        for (int i = c * RESIDUAL_CHUNK; i < p->block_count && i < (c + 1) * RESIDUAL_CHUNK; i++)
            sum += block_uphill(p->diagonals[i], self->starts[i], self->impulses[i], self->before[i]);
        self->uphill[c] = sum;
    }
    scalar sum = 0;
    for (int c = 0; c < chunks; c++) sum += self->uphill[c];
    self->nesterov = nesterov_after(self->nesterov, sum, parameters.ceiling);
    extrapolate(self, parameters);
    return SCREE_OK;
}

/* The sum of the terms over fixed chunks of blocks, in their order, as nesterov_chunks makes it. Several
 * chunks at a time: each is a chain of additions. */
static void sum_uphill(native *self, int chunks) {
    enum { TOGETHER = 8 };
    const int count = self->p->block_count;
#pragma omp for schedule(static)
    for (int first = 0; first < chunks; first += TOGETHER) {
        scalar sums[TOGETHER] = {0};
        const float *terms = self->uphill_terms + (size_t)first * RESIDUAL_CHUNK;
        const bool whole = (first + TOGETHER) * RESIDUAL_CHUNK <= count;
        for (int i = 0; i < RESIDUAL_CHUNK; i++)
            for (int c = 0; c < TOGETHER; c++)
                if (whole || (first + c) * RESIDUAL_CHUNK + i < count)
                    sums[c] += terms[c * RESIDUAL_CHUNK + i];
        for (int c = 0; c < TOGETHER && first + c < chunks; c++) self->uphill[first + c] = sums[c];
    }
}

/* Forward iterations with momentum in one go: each block is visited once, where it is extrapolated, solved
 * and weighed for the restart; velocities are extrapolated over bodies. */
static void iterate_forward(native *self, iteration_run run, solve_parameters parameters, float ceiling) {
    const problem *p = self->p;
    const int chunks = (p->block_count + RESIDUAL_CHUNK - 1) / RESIDUAL_CHUNK;
    wide_job job = job_of(self, parameters);
    job.momentum = true;
#pragma omp parallel num_threads(parallel_threads(self->threads, p->block_count))
    for (int i = 0; i < run.count; i++) {
        const bool begun = i == 0 && run.fresh;
#pragma omp single
        {
            scalar sum = 0;
            for (int c = 0; c < chunks && !begun; c++) sum += self->uphill[c];
            if (!begun) self->nesterov = nesterov_after(self->nesterov, sum, ceiling);
            job.extrapolation = self->nesterov.extrapolation;
        }
#pragma omp for schedule(static)
        for (int body = 0; body < (begun ? 0 : p->body_count); body++) {
            const body_velocity v = self->velocities[body];
            self->velocities[body] =
                velocity_extrapolated(v, self->velocities_before[body], job.extrapolation);
            self->velocities_before[body] = v;
        }
        for (int colour = 0; colour < p->colour_count; colour++) sweep_colour(self, colour, &job);
        sum_uphill(self, chunks);
    }
}

/* Of the iterations that most solves are made of. Those that read shifts, sweep back or have a tail go launch
 * by launch. */
static scree_result iterate(executor *base, iteration_run run, solve_parameters parameters,
                            solve_parameters step, bool *done) {
    native *self = native_of(base);
    *done = run.kind == ITERATION_FORWARD && self->p->tail_first == self->p->block_count && !run.shifts;
    if (!*done) return SCREE_OK;
    if (run.nesterov) {
        TRY(MEMORY_RESERVE(self->uphill_terms, self->term_capacity, self->p->block_count, NULL));
        iterate_forward(self, run, parameters, step.ceiling);
        return SCREE_OK;
    }
    const wide_job job = job_of(self, parameters);
#pragma omp parallel num_threads(parallel_threads(self->threads, self->p->block_count))
    for (int i = 0; i < run.count; i++)
        for (int colour = 0; colour < self->p->colour_count; colour++) sweep_colour(self, colour, &job);
    return SCREE_OK;
}

static scree_result nesterov_read(executor *base, nesterov_figures *out) {
    const nesterov_state *state = &native_of(base)->nesterov;
    *out = (nesterov_figures){.t = (double)state->t, .restarts = state->restarts};
    return SCREE_OK;
}

static scree_result best_keep(executor *base) {
    native *self = native_of(base);
    TRY(MEMORY_RESERVE(self->best, self->best_capacity, self->p->block_count, NULL));
    if (self->p->block_count > 0)
        memcpy(self->best, self->impulses, sizeof *self->best * (size_t)self->p->block_count);
    return SCREE_OK;
}

static scree_result best_restore(executor *base) {
    native *self = native_of(base);
    if (self->p->block_count > 0)
        memcpy(self->impulses, self->best, sizeof *self->best * (size_t)self->p->block_count);
    return SCREE_OK;
}

static body_velocity rebound_of(const problem *p, int body) {
    body_impulse sum = {glms_vec3_zero(), glms_vec3_zero()};
    for (int k = p->incidence_first[body]; k < p->incidence_first[body + 1]; k++) {
        const int block = p->incidence[k] >> 1;
        sum = body_rebound_plus(sum, p->blocks[block], p->impulses[block], p->incidence[k] & 1);
    }
    const body_velocity none = {.linear = glms_vec3_zero(), .angular = glms_vec3_zero()};
    return velocity_after(none, p->mobility[body], sum.linear, sum.angular);
}

static scree_result displace(executor *base, problem *p, bool bounces) {
    native *self = native_of(base);
    if (bounces) {
        TRY(MEMORY_RESERVE(self->rebounds, self->rebound_capacity, p->body_count, NULL));
#pragma omp parallel for schedule(dynamic, 256) num_threads(parallel_threads(self->threads, p->body_count))
        for (int i = 0; i < p->body_count; i++) self->rebounds[i] = rebound_of(p, i);
    }
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, p->block_count))
    for (int i = 0; i < p->block_count; i++) {
        constraint_block *block = &p->blocks[i];
        body_velocity a = p->velocity[block->body_a], b = p->velocity[block->body_b];
        if (bounces) {
            a = velocity_sum(a, self->rebounds[block->body_a]);
            b = velocity_sum(b, self->rebounds[block->body_b]);
        }
        if (block_is_bounded(*block))
            p->rows[block->rows] = bounded_corrected(*block, p->rows[block->rows], a, b);
        else if (block_is_contact(*block))
            block->correction = block_correction(*block, a, b);
    }
    return SCREE_OK;
}

static scree_result take_back(executor *base) {
    native *self = native_of(base);
    problem *p = self->p;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(self->threads, p->body_count))
    for (int i = 0; i < p->body_count; i++)
        p->pseudo_velocity[i] = velocity_sum(p->pseudo_velocity[i], self->rebounds[i]);
    return SCREE_OK;
}

/* The launches work on the problem's own arrays: nothing to bring back. */
static scree_result end(executor *base, solve_parameters parameters) {
    (void)base, (void)parameters;
    return SCREE_OK;
}

static scree_result fetch(backend *base, problem *p) {
    (void)base, (void)p;
    return SCREE_OK;
}

static scree_result solve(backend *base, problem *p, const scree_solver_def *options,
                          scree_solve_report *report) {
    return solve_iterate(&((native *)base)->executor, p, options, report);
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
    memory_release(self->rebounds);
    memory_release(self->uphill_terms);
    batches_release(&self->batches);
    memory_release(self);
}

static const backend_verbs verbs = {destroy, predict, solve, fetch, integrate, NULL};
static const executor_verbs launch_verbs = {
    begin,         gather,    gather_tail,  regather, sweep, update,  keep,     nesterov_begin, nesterov_step,
    nesterov_read, best_keep, best_restore, residual, end,   iterate, displace, take_back};

scree_result native_create(int threads, backend **out) {
    native *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: the native backend");
    self->base.verbs = &verbs;
    self->base.kind = SCREE_BACKEND_NATIVE;
    self->executor.verbs = &launch_verbs;
    self->threads = threads;
    self->wide = wide_sweep_choose(&self->width);
    snprintf(self->base.name, sizeof self->base.name, "native, %d thread%s", threads,
             threads == 1 ? "" : "s");
    *out = &self->base;
    return SCREE_OK;
}

executor *native_executor(backend *base) { return &((native *)base)->executor; }
