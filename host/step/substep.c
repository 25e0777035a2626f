#include "base/memory.h"
#include "base/parallel.h"
#include "rows/cohesion.h"
#include "rows/fill.h"
#include "rows/held_pair.h"
#include "rows/stabilisation.h"
#include "block.h"
#include "gyroscopic.h"
#include "kinematic_step.h"
#include "warm_start.h"
#include "verify.h"

#include <string.h>

int substep_count(const scree_solver_def *options) {
    return stabilisation_uses_substeps(options->stabilisation) ? options->substep.substeps : 1;
}

/* Returns the options of one sweep. `warm`: it starts from existing impulses. */
static scree_solver_def sweep_options(const scree_solver_def *options, bool warm) {
    scree_solver_def out = *options;
    const bool jacobi =
        options->method == SCREE_METHOD_JACOBI || options->method == SCREE_METHOD_ACCELERATED_JACOBI;
    out.method = jacobi ? SCREE_METHOD_JACOBI : SCREE_METHOD_PGS;
    out.iterations = 1, out.tolerance = out.change_tolerance = 0;
    out.warm_start = warm;
    return out;
}

static scree_result reserve(substep_scratch *self, const problem *p, int bodies, int *regrown) {
    TRY(MEMORY_RESERVE(self->poses, self->pose_capacity, bodies, regrown));
    TRY(MEMORY_RESERVE(self->spare, self->spare_capacity, bodies, regrown));
    TRY(MEMORY_RESERVE(self->remainders, self->remainder_capacity, bodies, regrown));
    TRY(MEMORY_RESERVE(self->spare_remainders, self->spare_remainder_capacity, bodies, regrown));
    TRY(MEMORY_RESERVE(self->velocities, self->velocity_capacity, bodies, regrown));
    TRY(MEMORY_RESERVE(self->sums, self->sum_capacity, p->block_count, regrown));
    return MEMORY_RESERVE(self->impulses, self->impulse_capacity, p->block_count, regrown);
}

/* Makes the soft sweep, whose velocities move positions. */
static scree_result push(step_context *step, const problem_input *from, const scree_solver_def *options,
                         bool warm) {
    problem *p = &step->scratch->problem;
    backend *engine = step->backend;
    const scree_solver_def sweep = sweep_options(options, warm);
    const solve_request request = {.options = &sweep, .blind = true};
    scree_solve_report report;
    TRY(engine->operations->predict(engine, from->bodies, from->motion, p));
    TRY(engine->operations->solve(engine, p, &request, &report));
    return engine->operations->integrate(engine, from->bodies, p, from->motion, step->scratch->next_poses,
                                         step->scratch->next_remainders, step->scratch->problem.velocity);
}

/* Makes the sweep without bias, whose velocities are kept. Only the last one is measured. */
static scree_result relax(step_context *step, const problem_input *from, bool last) {
    scree_statistics *s = step->statistics;
    problem *p = &step->scratch->problem;
    backend *engine = step->backend;
    const scree_solver_def sweep = sweep_options(from->options, true);
    problem_relax(p, parallel_threads(step->model->threads, p->block_count));
    const solve_request request = {.options = &sweep, .blind = !last};
    s->verified = last && verify_is_due(step);
    if (s->verified) TRY(verify_prepare(step, from));
    TRY(engine->operations->solve(engine, p, &request, &s->solve));
    if (s->verified) TRY(verify_compare(step, &sweep));
    return engine->operations->integrate(engine, from->bodies, p, from->motion, step->scratch->substeps.spare,
                                         step->scratch->substeps.spare_remainders,
                                         step->scratch->problem.velocity);
}

typedef struct sum_loop {
    const problem *p;
    bool first;
    substep_scratch *scratch;
} sum_loop;

static void sum_slice(const void *context, slice part) {
    const sum_loop loop = *(const sum_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        const vec3s r = loop.p->impulses[i].value,
                    before = loop.first ? vec3_of(0, 0, 0) : loop.scratch->impulses[i].value,
                    world_before = loop.first ? vec3_of(0, 0, 0) : loop.scratch->sums[i];
        loop.scratch->impulses[i].value = glms_vec3_add(before, r);
        loop.scratch->sums[i] =
            glms_vec3_add(world_before, block_to_world(loop.p->blocks[i],
                                                       impulse_in_kilograms(loop.p, loop.p->impulses[i])));
    }
}

/* Frames turn from substep to substep; those of a joint turn with its body. The action on the bodies is the
 * sum in world axes. The next warm start is the sum along the turning axes. */
static void add_impulses(const problem *p, substep_scratch *scratch, bool first, int threads) {
    parallel_for(parallel_threads(threads, p->block_count), p->block_count, sum_slice,
                 &(const sum_loop){.p = p, .first = first, .scratch = scratch});
}

/* Writes the summed impulses to the contacts and joints, as those of the whole step. The problem remains that
 * of the last substep. */
static void scatter_sum(step_context *step, const problem_input *from) {
    const problem_solution sum = {.impulses = step->scratch->substeps.impulses,
                                  .on_b = step->scratch->substeps.sums,
                                  .time_step = (scalar)step->model->def.time_step};
    problem_scatter(&step->scratch->problem, from, sum, step->model->threads);
}

scree_result substep_run(step_context *step, const problem_input *of) {
    const body_array *bodies = of->bodies;
    scree_statistics *s = step->statistics;
    substep_scratch *scratch = &step->scratch->substeps;
    problem *p = &step->scratch->problem;
    const scree_solver_def *options = of->options;
    const size_t count = (size_t)bodies->count;
    body_array moving = *bodies;
    problem_input from = *of;
    TRY(reserve(scratch, p, bodies->count, &s->regrown));
    TRY(warm_start_begin(&step->scratch->warm_start, p, step->model->threads, &s->regrown));
    const bool measured = step->need_work;
    step->scratch->work = (contact_work){0};
    from.bodies = &moving;
    for (int k = 0; k < options->substep.substeps; k++) {
        memcpy(scratch->velocities, k > 0 ? p->velocity : bodies->velocities,
               count * sizeof *scratch->velocities);
        kinematic_step_part(step, k, options->substep.substeps, scratch->velocities);
        moving.velocities = scratch->velocities;
        if (k > 0) {
            gyroscopic_update(step->backend, from.bodies, step->scratch->next_poses, from.motion.time_step,
                              step->model->threads, scratch->velocities);
            memcpy(scratch->poses, step->scratch->next_poses, count * sizeof *scratch->poses);
            memcpy(scratch->remainders, step->scratch->next_remainders, count * sizeof *scratch->remainders);
            moving.remainders = scratch->remainders, moving.earlier = p->velocity;
            moving.poses = scratch->poses, moving.changes++;
            from.collided = bodies->poses, from.substeps = 0;
            held_pairs_follow(from.contacts, from.bodies, step->model->threads);
            if (bodies->loads != step->state->bodies.loads)
                cohesion_follow(&from, step->state->bodies.loads, (scalar)step->model->def.time_step,
                                step->model->threads, step->scratch->cohesive_loads);
            problem_refill(p, &from, parallel_threads(step->model->threads, p->block_count));
        }
        const bool warm = k > 0 || options->warm_start;
        if (warm) warm_start_choose(&step->scratch->warm_start, p, &from, step->model->threads);
        TRY(push(step, &from, options, warm));
        TRY(relax(step, &from, k + 1 == options->substep.substeps));
        add_impulses(p, scratch, k == 0, step->model->threads);
        if (measured || k + 1 < options->substep.substeps)
            problem_scatter(p, &from, problem_solved(p), step->model->threads);
        if (measured)
            contact_work_add(&from, step->scratch->problem.velocity, 1 / (double)options->substep.substeps,
                             step->model->threads, &step->scratch->work);
    }
    scatter_sum(step, &from);
    s->solve.iterations = 2 * options->substep.substeps;
    s->solve.residual_absolute = scalbn(s->solve.residual_absolute, p->mass_exponent);
    return SCREE_OK;
}

void substep_release(substep_scratch *self) {
    memory_release(self->poses);
    memory_release(self->spare);
    memory_release(self->remainders);
    memory_release(self->spare_remainders);
    memory_release(self->velocities);
    memory_release(self->impulses);
    memory_release(self->sums);
    *self = (substep_scratch){0};
}
