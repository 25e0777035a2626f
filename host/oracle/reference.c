/* The reference backend: double precision, A = J M⁻¹ Jᵀ assembled in 3×3 blocks and solved to convergence. */
#include "reference.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "reference_matrix.h"
#include "reference_motion.h"

#include <math.h>
#include <stdio.h>

/* Per solve; this backend ignores options->iterations. */
enum { MOST_SWEEPS = 30000 };
/* Scaled residual to solve to, unless a smaller one is requested. */
static const double TOLERANCE = 1e-10;

typedef struct reference {
    backend base;
    int threads;
} reference;

/* Returns a body with its mass and load in the problem's unit. */
static reference_body body_at(const problem *p, const body_array *bodies, int slot) {
    reference_body body = {bodies->poses[slot], bodies->remainders[slot], bodies->velocities[slot],
                           bodies->masses[slot], bodies->loads[slot]};
    scalar *const in_kilograms[] = {&body.mass.mass,      &body.mass.inertia.x, &body.mass.inertia.y,
                                    &body.mass.inertia.z, &body.load.force.x,   &body.load.force.y,
                                    &body.load.force.z,   &body.load.torque.x,  &body.load.torque.y,
                                    &body.load.torque.z};
    for (int i = 0; i < 10; i++) *in_kilograms[i] /= p->kilograms;
    return body;
}

typedef struct reference_loop {
    const body_array *bodies;
    problem *p;
    motion_parameters motion;
    body_pose *poses;
    body_remainder *remainders;
    body_velocity *velocities;
} reference_loop;

static void predict_slice(const void *context, slice part) {
    const reference_loop loop = *(const reference_loop *)context;
    for (int slot = part.first; slot < part.end; slot++) {
        const reference_body body = body_at(loop.p, loop.bodies, slot);
        loop.p->mobility[slot] = reference_mobility(body);
        loop.p->free_velocity[slot] = reference_free_velocity(body, loop.motion);
    }
}

static scree_result predict(backend *base, const body_array *bodies, motion_parameters motion, problem *p) {
    const reference *self = (const reference *)base;
    parallel_for(self->threads, bodies->count, predict_slice,
                 &(const reference_loop){.bodies = bodies, .p = p, .motion = motion});
    problem_clear_ground(p, bodies);
    return SCREE_OK;
}

static void write_velocities(const problem *p, const double *r, bool position_pass, double *v,
                             body_velocity *out) {
    reference_body_velocities(p, r, position_pass, v);
    for (int slot = 0; slot < p->body_count; ++slot, v += 6) {
        out[slot] = (body_velocity){.linear = vec3_of((scalar)v[0], (scalar)v[1], (scalar)v[2]),
                                    .angular = vec3_of((scalar)v[3], (scalar)v[4], (scalar)v[5])};
    }
}

static void write_solution(problem *p, const double *r, bool position_pass, double *v) {
    block_impulse *impulses = position_pass ? p->pseudo_impulses : p->impulses;
    for (int i = 0; i < p->block_count; i++)
        impulses[i] =
            (block_impulse){.value = vec3_of((scalar)r[3 * i], (scalar)r[3 * i + 1], (scalar)r[3 * i + 2])};
    write_velocities(p, r, position_pass, v, position_pass ? p->pseudo_velocity : p->velocity);
}

static void read_start(const problem *p, double *r) {
    for (int i = 0; i < p->block_count; i++) vec3_to_doubles(p->impulses[i].value, &r[3 * i]);
}

static scree_solve_report report_of(const reference_outcome *out, int blocks) {
    return (scree_solve_report){.iterations = out->sweeps,
                                .stop = blocks == 0 ? SCREE_STOP_NONE : reference_stop(out),
                                .residual_before = out->before.measure[SCREE_MEASURE_SCALED],
                                .residual = out->after.measure[SCREE_MEASURE_SCALED],
                                .residual_absolute = out->after.absolute,
                                .violation = out->after.violation,
                                .fallbacks = out->fallbacks};
}

static scree_result solve_pass(problem *p, const scree_solver_def *options, bool position_pass,
                               scree_solve_report *report) {
    reference_matrix a;
    TRY(reference_matrix_form(&a, p, position_pass));
    const size_t rows = 3 * (size_t)p->block_count;
    double *r = memory_allocate(rows + 6 * (size_t)p->body_count, sizeof *r);
    scree_result result =
        r ? SCREE_OK : fail(SCREE_ERROR_MEMORY, "out of memory: impulses of %d contacts", p->block_count);
    if (r && options->warm_start && !position_pass) read_start(p, r);
    const reference_goal goal = {
        .law = position_pass ? SCREE_LAW_COULOMB : options->law, /* all laws are equal without friction */
        .measure = SCREE_MEASURE_SCALED,
        .tolerance = options->tolerance > 0 ? fmin(TOLERANCE, (double)options->tolerance) : TOLERANCE,
        .sweeps = MOST_SWEEPS};
    const scree_problem_def def = reference_matrix_def(&a);
    reference_outcome outcome;
    if (result == SCREE_OK) result = reference_solve(&def, &goal, r, &outcome);
    if (result == SCREE_OK) {
        *report = report_of(&outcome, p->block_count);
        write_solution(p, r, position_pass, r + rows);
    }
    memory_release(r);
    reference_matrix_release(&a);
    return result;
}

static bool bounces(const constraint_block *block) {
    return block->kind == BLOCK_CONTACT && signbit(block->compliance);
}

/* The step between the velocity pass and the position pass of `split`: the equations of
 * kernels/displacement.h in double. Computes, from p's solution V⁺, r, the corrections of its blocks and P₀
 * of every body (six numbers each, linear first, m/s). `v` and `r` are scratch for six numbers per body and
 * three per block. */
static void displace(problem *p, double *rebounds, double *v, double *r) {
    for (int i = 0; i < p->block_count; i++) {
        r[3 * i] = bounces(&p->blocks[i]) ? -(double)p->impulses[i].value.x : 0;
        r[3 * i + 1] = r[3 * i + 2] = 0;
    }
    reference_body_velocities(p, r, true, rebounds);
    for (int slot = 0; slot < p->body_count; slot++) {
        const vec3s linear = p->velocity[slot].linear, angular = p->velocity[slot].angular;
        const double after[6] = {(double)linear.x,  (double)linear.y,  (double)linear.z,
                                 (double)angular.x, (double)angular.y, (double)angular.z};
        for (int k = 0; k < 6; k++) v[6 * slot + k] = after[k] + rebounds[6 * slot + k];
    }
    for (int i = 0; i < p->block_count; i++) {
        constraint_block *block = &p->blocks[i];
        double u[3];
        if (block->kind == BLOCK_BOUNDED) {
            bounded_rows *rows = &p->rows[block->rows];
            rows->correction = rows->closing;
            reference_block_velocity(p, i, v, r, true, u);
            rows->correction = vec3_of((scalar)u[0], (scalar)u[1], (scalar)u[2]);
        }
        if (block->kind != BLOCK_CONTACT) continue;
        block->correction = block->closing;
        reference_block_velocity(p, i, v, r, true, u);
        block->correction = (scalar)u[0];
    }
}

static scree_result solve_positions(problem *p, const scree_solver_def *options) {
    const size_t bodies = 6 * (size_t)p->body_count;
    double *rebounds = memory_allocate(2 * bodies + 3 * (size_t)p->block_count, sizeof *rebounds);
    if (!rebounds) return fail(SCREE_ERROR_MEMORY, "out of memory: velocities of %d bodies", p->body_count);
    scree_solve_report report;
    displace(p, rebounds, rebounds + bodies, rebounds + 2 * bodies);
    const scree_result result = solve_pass(p, options, true, &report);
    for (int slot = 0; slot < p->body_count && result == SCREE_OK; slot++) {
        const double *back = rebounds + 6 * slot;
        body_velocity *v = &p->pseudo_velocity[slot];
        v->linear = glms_vec3_add(v->linear, vec3_of((scalar)back[0], (scalar)back[1], (scalar)back[2]));
        v->angular = glms_vec3_add(v->angular, vec3_of((scalar)back[3], (scalar)back[4], (scalar)back[5]));
    }
    memory_release(rebounds);
    return result;
}

static scree_result solve(backend *base, problem *p, const solve_request *request,
                          scree_solve_report *report) {
    const scree_solver_def *options = request->options;
    (void)base;
    TRY(solve_pass(p, options, false, report));
    _Static_assert((int)SCREE_STABILISATION_COUNT == 6, "another stabilisation may need a pass of its own");
    if (options->stabilisation != SCREE_STABILISATION_SPLIT) return SCREE_OK;
    return solve_positions(p, options);
}

/* The arrays are on the host already. */
static scree_result fetch(backend *base, problem *p) {
    (void)base;
    (void)p;
    return SCREE_OK;
}

static void integrate_slice(const void *context, slice part) {
    const reference_loop loop = *(const reference_loop *)context;
    for (int slot = part.first; slot < part.end; slot++) {
        const reference_body moved =
            reference_moved(body_at(loop.p, loop.bodies, slot), loop.p->velocity[slot],
                            loop.p->pseudo_velocity[slot], (double)loop.motion.time_step);
        loop.poses[slot] = moved.pose;
        loop.remainders[slot] = moved.remainder;
        loop.velocities[slot] = loop.p->velocity[slot];
    }
}

static scree_result integrate(backend *base, const body_array *bodies, problem *p, motion_parameters motion,
                              body_pose *poses, body_remainder *remainders, body_velocity *velocities) {
    const reference *self = (const reference *)base;
    parallel_for(self->threads, bodies->count, integrate_slice,
                 &(const reference_loop){.poses = poses,
                                         .remainders = remainders,
                                         .bodies = bodies,
                                         .p = p,
                                         .motion = motion,
                                         .velocities = velocities});
    return SCREE_OK;
}

static void destroy(backend *base) { memory_release(base); }

static const backend_operations operations = {.destroy = destroy,
                                              .predict = predict,
                                              .solve = solve,
                                              .fetch = fetch,
                                              .integrate = integrate,
                                              .spin = reference_spin_after};

scree_result reference_create(int threads, backend **out) {
    reference *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: the reference backend");
    self->base.operations = &operations;
    self->base.kind = SCREE_BACKEND_REFERENCE;
    self->threads = threads;
    snprintf(self->base.name, sizeof self->base.name, "reference, %d thread%s", threads,
             threads == 1 ? "" : "s");
    *out = &self->base;
    return SCREE_OK;
}
