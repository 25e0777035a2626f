/* The native backend: the shared functions in plain loops. The threads of one parallel region share the items
 * of each launch of a solve. Every loop writes only to its own item, so that results do not depend on the
 * thread count. */
#include "native_state.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "motion.h"
#include "rows/mass_unit.h"
#include "rows/stabilisation.h"
#include "round_velocity.h"
#include "solve/method.h"
#include "solve/sweep_bytes.h"

#include <stdio.h>

/* Returns the bodies of a step as arrays of floats. */
static wide_bodies bodies_of(const body_array *bodies, problem *p, const motion_parameters *motion) {
    return (wide_bodies){.poses = (const float *)bodies->poses,
                         .remainders = (const float *)bodies->remainders,
                         .velocities = (const float *)bodies->velocities,
                         .masses = (const float *)bodies->masses,
                         .loads = (const float *)bodies->loads,
                         .mobility = (float *)p->mobility,
                         .free_velocities = (float *)p->free_velocity,
                         .solved = (const float *)p->velocity,
                         .pseudo = (const float *)p->pseudo_velocity,
                         .gravity = &motion->gravity.x,
                         .time_step = motion->time_step,
                         .unit_factor = mass_unit_factor(p)};
}

/* Returns the number of slots processed at once. */
static int lanes_of(const native *self) { return self->wide ? self->batches.width : 1; }

typedef struct motion_loop {
    int lanes, count;
    const native *self;
    wide_bodies all;
    const body_array *bodies;
    problem *p;
    motion_parameters motion;
    body_pose *poses;
    body_remainder *remainders;
    body_velocity *velocities;
} motion_loop;

static void predict_slice(const void *context, slice part) {
    const motion_loop loop = *(const motion_loop *)context;
    for (int group = part.first; group < part.end; group++) {
        const int first = group * loop.lanes,
                  end = first + loop.lanes < loop.count ? first + loop.lanes : loop.count;
        if (loop.self->wide && first + loop.lanes <= loop.count && loop.self->wide->predict(&loop.all, first))
            continue;
        for (int i = first; i < end; i++) {
            const body_mass mass = mass_scaled(loop.bodies->masses[i], loop.all.unit_factor);
            const body_load load = load_scaled(loop.bodies->loads[i], loop.all.unit_factor);
            const body_mobility mobility = mobility_of(loop.bodies->poses[i], mass);
            loop.p->mobility[i] = mobility;
            loop.p->free_velocity[i] = free_velocity_of(loop.bodies->poses[i], loop.bodies->velocities[i],
                                                        mass, load, mobility, loop.motion);
        }
    }
}

static scree_result predict(backend *base, const body_array *bodies, motion_parameters motion, problem *p) {
    const native *self = (const native *)base;
    const int lanes = lanes_of(self), count = bodies->count;
    const wide_bodies all = bodies_of(bodies, p, &motion);
    parallel_for(parallel_threads(self->threads, count), (count + lanes - 1) / lanes, predict_slice,
                 &(const motion_loop){.lanes = lanes,
                                      .count = count,
                                      .self = self,
                                      .all = all,
                                      .bodies = bodies,
                                      .p = p,
                                      .motion = motion});
    problem_clear_ground(p, bodies);
    p->predicted = true;
    return SCREE_OK;
}

static scree_result fetch(backend *base, problem *p) {
    native *self = (native *)base;
    void *scratch;
    if (!self->packed || self->p != p) return SCREE_OK;
    TRY(scratch_take(p->scratch, (size_t)p->block_count * sizeof *p->blocks, &scratch, NULL));
    p->blocks = scratch;
    native_unpack_to(self, p->blocks);
    return SCREE_OK;
}

/* Blocks per thread: with fewer, a colour is swept before another thread notices it. */
enum { SOLVE_GRAIN = 1500 };

static scree_result solve(backend *base, problem *p, const solve_request *request,
                          scree_solve_report *report) {
    native *self = (native *)base;
    const int worth = 1 + p->block_count / SOLVE_GRAIN;
    self->team = team_led();
    self->assembly = request->assembly;
    self->cold = !request->options->warm_start;
    const int before = team_resize(self->team, worth);
    const scree_result result = solve_iterate(&self->executor, p, request, report);
    team_resize(self->team, before);
    return result;
}

static void integrate_slice(const void *context, slice part) {
    const motion_loop loop = *(const motion_loop *)context;
    for (int group = part.first; group < part.end; group++) {
        const int first = group * loop.lanes,
                  end = first + loop.lanes < loop.count ? first + loop.lanes : loop.count;
        if (loop.self->wide && first + loop.lanes <= loop.count &&
            loop.self->wide->integrate(&loop.all, first))
            continue;
        for (int i = first; i < end; i++) {
            const body_place place =
                place_after((body_place){loop.bodies->poses[i], loop.bodies->remainders[i]},
                            loop.bodies->masses[i], loop.p->free_velocity[i], loop.p->velocity[i],
                            loop.p->pseudo_velocity[i], loop.motion.time_step);
            loop.poses[i] = place.pose;
            loop.remainders[i] = place.remainder;
            loop.velocities[i] = velocity_alone(loop.p->velocity[i]);
        }
    }
}

static scree_result integrate(backend *base, const body_array *bodies, problem *p, motion_parameters motion,
                              body_pose *poses, body_remainder *remainders, body_velocity *velocities) {
    const native *self = (const native *)base;
    const int lanes = lanes_of(self), count = bodies->count;
    wide_bodies all = bodies_of(bodies, p, &motion);
    all.next_poses = (float *)poses, all.next_remainders = (float *)remainders;
    all.next_velocities = (float *)velocities;
    parallel_for(parallel_threads(self->threads, count), (count + lanes - 1) / lanes, integrate_slice,
                 &(const motion_loop){.lanes = lanes,
                                      .count = count,
                                      .self = self,
                                      .all = all,
                                      .poses = poses,
                                      .remainders = remainders,
                                      .bodies = bodies,
                                      .p = p,
                                      .motion = motion,
                                      .velocities = velocities});
    return SCREE_OK;
}

static void destroy(backend *base) {
    native *self = (native *)base;
    memory_release(self->diagonals);
    memory_release(self->kept);
    memory_release(self->chunks);
    memory_release(self->starts);
    memory_release(self->uphill);
    memory_release(self->rebounds);
    memory_release(self->tree_states);
    memory_release(self->moves);
    scratch_release(&self->own_scratch);
    batches_release(&self->batches);
    memory_release(self);
}

/* The uncoloured remainder, and updates of all blocks at once, gather velocities body by body. */
static bool sums_by_colour(const backend *base, const scree_solver_def *options) {
    return ((const native *)base)->wide && method_row_of(options->method)->kind != ITERATION_JACOBI;
}

/* Returns whether the solve can be expected to pack all blocks of a problem: there are no joints, and the one
 * before had all in batches. Substeps read their blocks again, and so does a `split` solve with bounces
 * between its passes. */
static bool packs(const native *self, const problem *p, const problem_input *from) {
    const scree_solver_def *options = from->options;
    const scree_stabilisation kind = options->stabilisation;
    return p->scratch && p->remainder_first == p->block_count &&
           !(from->joints && from->joints->link_count > 0) && native_sweeps_wide(self, (int)options->law) &&
           !self->has_loose && !stabilisation_uses_substeps(kind) &&
           !(self->bounced && stabilisation_has_position_pass(kind));
}

/* Blocks that will be packed are filled by the solve, a part at a time. */
static scree_result place_blocks(backend *base, problem *p, const problem_input *from, int *regrown) {
    native *self = (native *)base;
    const bool sums = sums_by_colour(base, from->options);
    self->packed = false;
    if (!sums || p->remainder_first < p->block_count)
        TRY(problem_index(p, from->bodies, self->threads, regrown));
    if (!sums || !packs(self, p, from)) return problem_own_blocks(p, regrown);
    p->blocks = NULL;
    return SCREE_OK;
}

/* Counts batches in their own layout and loose groups as arrays of structs. */
static uint64_t count_bytes(const backend *base, const problem *p, const body_array *bodies,
                            const scree_solver_def *options) {
    const native *self = (const native *)base;
    const batches *of = &self->batches;
    if (!native_sweeps_wide(self, (int)options->law) || !sums_by_colour(base, options))
        return sweep_bytes(p, bodies, options);
    uint64_t bytes = batches_sweep_bytes(of) + sweep_bytes_of_mass_split(p, options);
    for (int i = 0; i < of->loose_first[p->colour_count]; i++)
        bytes += sweep_bytes_of_groups(p, bodies, of->loose[i], of->loose[i] + 1);
    return bytes;
}

static const backend_operations operations = {.destroy = destroy,
                                              .predict = predict,
                                              .solve = solve,
                                              .fetch = fetch,
                                              .integrate = integrate,
                                              .place_blocks = place_blocks,
                                              .sweep_bytes = count_bytes};

scree_result native_create(int threads, backend **out) {
    native *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: the native backend");
    self->base.operations = &operations;
    self->base.kind = SCREE_BACKEND_NATIVE;
    self->executor.operations = &native_executor_operations;
    self->threads = threads;
    self->wide = wide_code_choose(&self->batches.width);
    snprintf(self->base.name, sizeof self->base.name, "native, %d thread%s", threads,
             threads == 1 ? "" : "s");
    *out = &self->base;
    return SCREE_OK;
}

executor *native_executor(backend *base) { return &((native *)base)->executor; }
