/* The check looks at the remaining closing speed of each contact, relative to the closing speed around it
 * without the solve, so that fast bodies elsewhere do not hide it. Around contacts that close too fast, it
 * searches for a proof of infeasibility in patches of the problem: a proof for some contacts holds for the
 * problem, since the other contacts only add constraints. Small patches come first. Most proofs are small,
 * and a large patch contains hard but feasible parts that must be solved before a proof appears. */
#include "feasible.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "block.h"
#include "problem/feasibility.h"
#include "world.h"

#include <string.h>

/* Checks come after 4 steps, 8 more and so on, then every 64 steps, with one in between if the violation
 * rises. A proof is renewed after 8 steps. */
enum { FIRST_WAIT = 4, PROVEN_WAIT = 8, LONGEST_WAIT = 64 };
/* Contacts of a patch, and sweeps over it: more contacts need more sweeps for a proof. */
static const struct { int contacts, sweeps; } sizes[] = {{16, 128}, {128, 512}, {1024, 1024}, {16384, 1024}};
enum { SIZES = sizeof sizes / sizeof *sizes };
/* Budget of checks (feasibility_work): the grant of each step, about 3 % of a solve of 30 iterations, on top
 * of an initial allowance. */
static const double CREDIT_PER_STEP = 200, CREDIT_PER_BLOCK = 0.5, CREDIT_INITIAL = 1e5, CREDIT_MAX = 1e7;
/* Suspicious closing velocity, as a fraction of that around the contact or of gravity's in a step. */
static const double CLOSING_FRACTION = 0.05;
/* Violation of a solve below which nothing is suspicious. */
static const double LEAST = 1e-5;

static double closing_of(const problem *p, int i, const body_velocity *velocity, scalar normal_impulse) {
    const constraint_block block = p->blocks[i];
    if (block.kind != BLOCK_CONTACT) return 0;
    const scalar u = block_relative_velocity(block, velocity[block.body_a], velocity[block.body_b]).x +
                     block.bias + block.compliance * normal_impulse;
    return fmax(0, -(double)u);
}

static double drive_of(const problem *p, int i) { return closing_of(p, i, p->free_velocity, 0); }

/* Returns the largest closing speed of a contact of the block's bodies without the solve, m/s. */
static double largest_drive_near(const feasible_watch *self, const problem *p, int i) {
    const double bodies = fmax(self->drive[p->blocks[i].body_a], self->drive[p->blocks[i].body_b]);
    return fmax(bodies, drive_of(p, i));
}

static bool is_suspicious(const feasible_watch *self, const problem *p, int i) {
    return closing_of(p, i, p->velocity, p->impulses[i].value.x) >
           CLOSING_FRACTION * largest_drive_near(self, p, i);
}

typedef struct suspect_loop {
    feasible_watch *self;
    double least;
    const problem *p;
} suspect_loop;

static void drive_slice(const void *context, slice part) {
    const suspect_loop loop = *(const suspect_loop *)context;
    for (int body = part.first; body < part.end; body++) {
        loop.self->drive[body] = loop.least;
        for (int k = loop.p->incidence_first[body]; k < loop.p->incidence_first[body + 1]; k++)
            loop.self->drive[body] = fmax(loop.self->drive[body], drive_of(loop.p, loop.p->incidence[k] / 2));
    }
}

static void mark_slice(const void *context, slice part) {
    const suspect_loop loop = *(const suspect_loop *)context;
    for (int i = part.first; i < part.end; i++) loop.self->searched[i] = is_suspicious(loop.self, loop.p, i);
}

/* Fills `drive` and the list of suspects, which it marks in `searched`. */
static int find_suspects(feasible_watch *self, const problem *p, double least, int threads) {
    parallel_for(parallel_threads(threads, p->body_count), p->body_count, drive_slice,
                 &(const suspect_loop){.self = self, .least = least, .p = p});
    parallel_for(parallel_threads(threads, p->block_count), p->block_count, mark_slice,
                 &(const suspect_loop){.self = self, .p = p});
    int count = 0;
    for (int i = 0; i < p->block_count; i++)
        if (self->searched[i]) self->suspects[count++] = i;
    return count;
}

static double normal_mobility(const problem *p, int i) {
    const constraint_block block = p->blocks[i];
    return (double)block_delassus(block, p->mobility[block.body_a], p->mobility[block.body_b], 1, 1)
        .diagonal.x;
}

/* Returns whether block i acts on a given movable body. A ground does not count: it belongs to all heaps. */
static bool is_of(const problem *p, int i, int slot) {
    return (p->blocks[i].body_a == slot || p->blocks[i].body_b == slot) &&
           p->incidence_first[slot] < p->incidence_first[slot + 1];
}

/* Returns the suspect to begin with: one at the bodies of the last proof, to renew it; else the one with the
 * largest impulse relative to what it must stop, since that grows without bound in an infeasible problem. */
static int first_suspect(const feasible_watch *self, const problem *p, int count, const int proof_bodies[2]) {
    int first = -1;
    double largest = 0;
    for (int k = 0; k < count; k++) {
        const int i = self->suspects[k];
        const bool again =
            self->memory.proven && (is_of(p, i, proof_bodies[0]) || is_of(p, i, proof_bodies[1]));
        const double effort =
            again ? INFINITY
                  : normal_mobility(p, i) * (double)p->impulses[i].value.x / largest_drive_near(self, p, i);
        if (first < 0 || effort > largest) first = i, largest = effort;
    }
    return first;
}

/* Searches the patch around a block if the work left suffices for the smallest number of sweeps; else sets
 * *short_of_work. */
static scree_result search(step_context *step, int seed, int size, double *work, bool *short_of_work) {
    feasible_watch *self = &step->scratch->feasible;
    const problem *p = &step->scratch->problem;
    delassus a;
    infeasibility found = {.block = -1};
    TRY(infeasible_region_around(&self->around, p, seed, sizes[size].contacts));
    for (int i = 0; i < self->around.subproblem.block_count; i++) self->searched[self->around.origin[i]] = 1;
    scree_result result =
        delassus_assemble(&a, &self->around.subproblem, false,
                          parallel_threads(step->model->threads, self->around.subproblem.block_count));
    if (result == SCREE_ERROR_CAPACITY) return SCREE_OK; /* too dense to assemble: no conclusion */
    TRY(result);
    *short_of_work = feasibility_work(&a, FEASIBILITY_SWEEPS) > *work;
    if (!*short_of_work)
        result = feasibility_test(&a, fmin(feasibility_work(&a, sizes[size].sweeps), *work), &found);
    *work -= found.work, self->memory.credit -= found.work;
    delassus_release(&a);
    if (result != SCREE_OK || !found.proven) return result;
    const constraint_block *block = &p->blocks[self->around.origin[found.block]];
    self->memory.proven = true;
    self->memory.bodies[0] = body_id_of(&step->state->bodies, block->body_a);
    self->memory.bodies[1] = body_id_of(&step->state->bodies, block->body_b);
    return SCREE_OK;
}

/* Searches around `first`, then around the other suspects, which take turns from check to check. Each patch
 * size may use half of the work left. A previous proof stands if there is no work left to renew it. */
static scree_result search_all(step_context *step, int suspects, int first) {
    feasible_watch *self = &step->scratch->feasible;
    const problem *p = &step->scratch->problem;
    const bool stood = self->memory.proven;
    bool left = true, first_incomplete = true, out = false;
    self->memory.proven = false;
    for (int size = 0; size < SIZES && left && !self->memory.proven; size++) {
        double work = size < SIZES - 1 ? self->memory.credit / 2 : self->memory.credit;
        memset(self->searched, 0, (size_t)p->block_count);
        left = out = false;
        for (int i = -1; i < suspects && !out && !self->memory.proven; i++) {
            const int seed =
                i < 0 ? first : self->suspects[(self->memory.turn + (unsigned)i) % (unsigned)suspects];
            if (self->searched[seed]) continue;
            TRY(search(step, seed, size, &work, &out));
            left |= !self->around.whole;
            if (i < 0) first_incomplete = out || !self->around.whole;
            if (size == 0 && i >= 0) ++self->memory.turn;
        }
    }
    self->memory.proven |= stood && first_incomplete;
    return SCREE_OK;
}

static scree_result reserve(feasible_watch *self, const problem *p) {
    TRY(MEMORY_RESERVE(self->drive, self->drive_capacity, p->body_count, NULL));
    TRY(MEMORY_RESERVE(self->suspects, self->suspect_capacity, p->block_count, NULL));
    return MEMORY_RESERVE(self->searched, self->searched_capacity, p->block_count, NULL);
}

/* Returns the velocity that gravity adds in a step, m/s. Slower closing is not suspicious. */
static double least_drive(const step_context *step) {
    const vec3s g = step->scratch->gravity;
    return step->model->def.time_step * sqrt((double)g.x * g.x + (double)g.y * g.y + (double)g.z * g.z);
}

static scree_result run_check(step_context *step) {
    feasible_watch *self = &step->scratch->feasible;
    problem *p = &step->scratch->problem;
    TRY(step->backend->verbs->fetch(step->backend, p));
    TRY(problem_index(p, &step->state->bodies, step->model->threads, NULL));
    TRY(reserve(self, p));
    const int suspects = find_suspects(self, p, least_drive(step), step->model->threads);
    const int proof_bodies[2] = {body_slot(&step->state->bodies, self->memory.bodies[0]),
                                 body_slot(&step->state->bodies, self->memory.bodies[1])};
    const int first = first_suspect(self, p, suspects, proof_bodies);
    if (suspects > 0) return search_all(step, suspects, first);
    self->memory.proven = false;
    return SCREE_OK;
}

/* Returns whether a contact of the body closes faster than is harmless. */
static bool is_pressed(const problem *p, int slot, double least) {
    double closing = 0, drive = least;
    for (int k = p->incidence_first[slot]; k < p->incidence_first[slot + 1]; k++) {
        const int i = p->incidence[k] / 2;
        closing = fmax(closing, closing_of(p, i, p->velocity, p->impulses[i].value.x));
        drive = fmax(drive, drive_of(p, i));
    }
    return closing > CLOSING_FRACTION * drive;
}

/* Between two checks, keeps the proof while both bodies live and one of them is still pressed. */
static scree_result keep_proof(step_context *step) {
    feasible_memory *self = &step->scratch->feasible.memory;
    problem *p = &step->scratch->problem;
    self->proven = false;
    const int a = body_slot(&step->state->bodies, self->bodies[0]),
              b = body_slot(&step->state->bodies, self->bodies[1]);
    if (a >= 0 && b >= 0) {
        TRY(step->backend->verbs->fetch(step->backend, p));
        TRY(problem_index(p, &step->state->bodies, step->model->threads, NULL));
        self->proven = is_pressed(p, a, least_drive(step)) || is_pressed(p, b, least_drive(step));
    }
    if (!self->proven) self->next = self->wait = FIRST_WAIT;
    return SCREE_OK;
}

/* Brings the next check forward, once between two regular ones, if the violation becomes large. */
static void watch_rise(feasible_memory *self, double violation) {
    if (self->extra == 0 && violation > CLOSING_FRACTION && violation > 2 * self->least &&
        self->next > FIRST_WAIT)
        self->extra = 1, self->next = FIRST_WAIT;
    self->least = fmin(self->least, violation);
}

static void plan_next(feasible_memory *self, double violation) {
    if (self->extra == 1) {
        self->extra = 2;
    } else {
        self->extra = 0;
        self->wait = 2 * self->wait < LONGEST_WAIT ? 2 * self->wait : LONGEST_WAIT;
    }
    self->least = violation;
    self->next = self->proven ? PROVEN_WAIT : self->wait;
}

scree_result feasible_check(step_context *step) {
    scree_statistics *s = step->statistics;
    feasible_memory *self = &step->scratch->feasible.memory;
    const double violation = s->solve.violation;
    if (!self->wait) self->credit = CREDIT_INITIAL;
    self->credit = fmin(
        self->credit + CREDIT_PER_STEP + CREDIT_PER_BLOCK * step->scratch->problem.block_count, CREDIT_MAX);
    if (!self->wait || !(violation > LEAST)) {
        self->next = self->wait = FIRST_WAIT;
        self->extra = 0, self->least = violation, self->proven = false;
    }
    if (!(violation > LEAST)) return SCREE_OK;
    watch_rise(self, violation);
    if (self->proven) TRY(keep_proof(step));
    if (--self->next <= 0) {
        TRY(run_check(step));
        plan_next(self, violation);
    }
    if (!self->proven) return SCREE_OK;
    s->solve.stop = SCREE_STOP_INFEASIBLE;
    s->infeasible_a = self->bodies[0];
    s->infeasible_b = self->bodies[1];
    return SCREE_OK;
}

bool feasible_is_possible(const feasible_memory *memory) {
    return memory->next >= 0 && memory->next <= LONGEST_WAIT && memory->wait >= 0 &&
           memory->wait <= LONGEST_WAIT && memory->extra >= 0 && memory->extra <= 2 && memory->least >= 0 &&
           fabs(memory->credit) <= CREDIT_MAX;
}

void feasible_release(feasible_watch *self) {
    infeasible_region_release(&self->around);
    memory_release(self->drive);
    memory_release(self->suspects);
    memory_release(self->searched);
    *self = (feasible_watch){0};
}
