/* The reference backend: double precision, A = J M⁻¹ Jᵀ formed in 3×3 blocks and solved to convergence. */
#include "reference.h"

#include "../base/memory.h"
#include "reference_block.h"
#include "reference_iteration.h"
#include "reference_motion.h"

#include <stdio.h>
#include <string.h>

/* Symmetric sweeps of one solve at most; options->iterations does not limit this backend. */
enum { MOST_ITERATIONS = 10000 };
/* Iterations without halving the error that are stagnation. */
enum { PATIENCE = 400 };
/* Scaled residual that a solve goes down to, unless a smaller one is asked for. */
static const double TOLERANCE = 1e-10;

typedef struct reference {
    backend base;
    int threads;
} reference;

static reference_body body_at(const body_array *bodies, int slot) {
    return (reference_body){bodies->poses[slot], bodies->velocities[slot], bodies->masses[slot],
                            bodies->loads[slot]};
}

static scree_result predict(backend *base, const body_array *bodies, motion_parameters motion, problem *p) {
    const reference *self = (const reference *)base;
#pragma omp parallel for schedule(static) num_threads(self->threads)
    for (int slot = 0; slot < bodies->count; ++slot) {
        const reference_body body = body_at(bodies, slot);
        body_mobility mobility = reference_mobility(body);
        mobility.share = p->mobility[slot].share;
        mobility.tail_share = p->mobility[slot].tail_share;
        p->mobility[slot] = mobility;
        p->free_velocity[slot] = reference_free_velocity(body, motion);
    }
    return SCREE_OK;
}

/* V = V* + M⁻¹ Σ Jᵀ r over each body's blocks in their order; V* = 0 in the position pass. */
static void write_velocities(const problem *p, const real3 *r, bool position_pass, int threads,
                             body_velocity *out) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int slot = 0; slot < p->body_count; ++slot) {
        reference_velocity sum = {{0, 0, 0}, {0, 0, 0}};
        for (int i = p->incidence_first[slot]; i < p->incidence_first[slot + 1]; ++i) {
            const int block = p->incidence[i] / 2, side = p->incidence[i] % 2;
            const reference_frame frame = reference_frame_of(&p->blocks[block]);
            const real3 on_body = real3_scaled(side ? 1 : -1, reference_on_b(&frame, r[block]));
            const reference_velocity push = reference_applied(&frame, side, on_body);
            sum.linear = real3_sum(sum.linear, push.linear);
            sum.angular = real3_sum(sum.angular, push.angular);
        }
        reference_velocity v = reference_response(&p->mobility[slot], sum);
        if (!position_pass) {
            v.linear = real3_sum(v.linear, real3_of(p->free_velocity[slot].linear));
            v.angular = real3_sum(v.angular, real3_of(p->free_velocity[slot].angular));
        }
        out[slot] = (body_velocity){.linear = real3_rounded(v.linear), .angular = real3_rounded(v.angular)};
    }
}

/* A_cc, rounded, into the blocks, as the other backends leave it there. */
static void write_diagonals(const delassus *a, problem *p) {
    for (int i = 0; i < p->block_count; ++i) {
        const real3x3 *m = &a->entries[a->diagonal[i]];
        p->blocks[i].diagonal = vec3_of((scalar)m->m[0][0], (scalar)m->m[1][1], (scalar)m->m[2][2]);
        p->blocks[i].off_diagonal = vec3_of((scalar)m->m[1][2], (scalar)m->m[0][2], (scalar)m->m[0][1]);
    }
}

static scree_result solve_formed(const reference *self, problem *p, const delassus *a,
                                 const scree_solver_def *options, bool position_pass,
                                 scree_solve_report *report) {
    block_impulse *impulses = position_pass ? p->pseudo_impulses : p->impulses;
    real3 *r = memory_allocate((size_t)p->block_count, sizeof *r);
    if (!r) return fail(SCREE_ERROR_MEMORY, "out of memory: impulses of %d contacts", p->block_count);
    if (options->warm_start && !position_pass)
        for (int i = 0; i < p->block_count; ++i) r[i] = real3_of(impulses[i].value);
    double tolerance = TOLERANCE;
    if (options->tolerance > 0) tolerance = fmin(tolerance, (double)options->tolerance);
    const reference_goal goal = {.law = position_pass ? SCREE_LAW_COULOMB
                                                      : options->law, /* without friction the laws are one */
                                 .measure = SCREE_MEASURE_SCALED,
                                 .tolerance = tolerance,
                                 .iterations = MOST_ITERATIONS,
                                 .patience = PATIENCE};
    const scree_result result = reference_iterate(a, &goal, r, report, NULL);
    if (result == SCREE_OK) {
        for (int i = 0; i < p->block_count; ++i) impulses[i] = (block_impulse){.value = real3_rounded(r[i])};
        write_velocities(p, r, position_pass, self->threads,
                         position_pass ? p->pseudo_velocity : p->velocity);
        if (!position_pass) write_diagonals(a, p);
    }
    memory_release(r);
    return result;
}

static scree_result solve_pass(const reference *self, problem *p, const scree_solver_def *options,
                               bool position_pass, scree_solve_report *report) {
    delassus a;
    TRY(delassus_assemble(&a, p, position_pass, self->threads));
    const scree_result result = solve_formed(self, p, &a, options, position_pass, report);
    delassus_release(&a);
    return result;
}

static scree_result solve(backend *base, problem *p, const scree_solver_def *options,
                          scree_solve_report *report) {
    const reference *self = (const reference *)base;
    TRY(solve_pass(self, p, options, false, report));
    if (options->stabilisation != SCREE_STABILISATION_SPLIT) return SCREE_OK;
    scree_solve_report position;
    return solve_pass(self, p, options, true, &position);
}

/* Everything is on the host already. */
static scree_result fetch(backend *base, problem *p) {
    (void)base, (void)p;
    return SCREE_OK;
}

static scree_result integrate(backend *base, const body_array *bodies, problem *p, motion_parameters motion,
                              body_pose *poses, body_velocity *velocities) {
    const reference *self = (const reference *)base;
#pragma omp parallel for schedule(static) num_threads(self->threads)
    for (int slot = 0; slot < bodies->count; ++slot) {
        poses[slot] = reference_pose_after(body_at(bodies, slot), p->free_velocity[slot], p->velocity[slot],
                                           p->pseudo_velocity[slot], (double)motion.time_step);
        velocities[slot] = p->velocity[slot];
    }
    return SCREE_OK;
}

static void destroy(backend *base) { memory_release(base); }

static const backend_verbs verbs = {destroy, predict, solve, fetch, integrate};

scree_result reference_create(int threads, backend **out) {
    reference *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: the reference backend");
    self->base.verbs = &verbs;
    self->base.kind = SCREE_BACKEND_REFERENCE;
    self->threads = threads;
    snprintf(self->base.name, sizeof self->base.name, "reference, %d thread%s", threads,
             threads == 1 ? "" : "s");
    *out = &self->base;
    return SCREE_OK;
}
