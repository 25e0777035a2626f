/* The search looks at the remaining closing speed of each contact, and the speed at which joints give way,
 * relative to the closing speed of contacts around them without the solve, so that fast bodies elsewhere do
 * not hide it. Around blocks that close too fast, it searches for a proof of infeasibility in patches of the
 * problem: a proof for some blocks holds for the problem, since the other blocks only add constraints. Small
 * patches come first. Most proofs are small, and a large patch contains hard but feasible parts that must be
 * solved before a proof appears. */
#include "infeasible_search.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/vector.h"
#include "block.h"
#include "problem/feasibility.h"
#include "world.h"

#include <string.h>

/* Patches of a size, their blocks, and sweeps over each: more blocks need more sweeps for a proof. */
static const struct {
    int patches, blocks, sweeps;
} sizes[] = {{64, 16, 1024}, {8, 128, 512}, {2, 2048, 1024}};
enum { SIZES = sizeof sizes / sizeof *sizes };
/* Suspicious closing velocity, as a fraction of that around the contact or of gravity's in a step. */
static const double CLOSING_FRACTION = 0.05;

typedef struct search {
    const problem *p;
    const body_array *bodies;
    double least; /* velocity that gravity adds in a step, m/s; slower closing is not suspicious */
    problem patch;
    int *origin;    /* of each block of the patch, its index in the problem */
    uint8_t *taken; /* of each block: it is in the patch */
    double *drive;  /* of each body, the largest closing speed of its contacts without the solve, m/s */
    double *effort; /* of each block: that of a suspect whose patch is still to be searched, else 0 */
    scree_infeasible_kind found;
    int block; /* with the largest part in the proof */
} search;

/* Returns the speed by which a row with the velocity u at the impulse r breaks its law, low ≤ r ≤ high. */
static double row_violation(scalar u, scalar r, scalar low, scalar high) {
    if (!(low < high)) return 0;
    return r < high && u < 0 ? -(double)u : r > low && u > 0 ? (double)u : 0;
}

/* Returns the speed at which a contact closes, or a joint gives way, at given velocities and impulses, m/s.
 */
static double closing_of(const problem *p, int i, const body_velocity *velocity, vec3s r) {
    const constraint_block block = p->blocks[i];
    const vec3s u = block_relative_velocity(block, velocity[block.body_a], velocity[block.body_b]);
    if (block.kind == BLOCK_CONTACT) return fmax(0, -(double)(u.x + block.bias + block.compliance * r.x));
    if (block.kind != BLOCK_BOUNDED) return 0;
    const bounded_rows rows = p->rows[block.rows];
    double out = 0;
    for (int k = 0; k < 3; k++) {
        const scalar own = vec3_along(r, k);
        const scalar law = vec3_along(u, k) + vec3_along(rows.bias, k) + vec3_along(rows.compliance, k) * own;
        out = fmax(out, row_violation(law, own, vec3_along(rows.low, k), vec3_along(rows.high, k)));
    }
    return out;
}

static double drive_of(const problem *p, int i) {
    return p->blocks[i].kind == BLOCK_CONTACT ? closing_of(p, i, p->free_velocity, glms_vec3_zero()) : 0;
}

static void find_drives(search *self) {
    const problem *p = self->p;
    for (int body = 0; body < p->body_count; body++) {
        self->drive[body] = self->least;
        for (int k = p->incidence_first[body]; k < p->incidence_first[body + 1]; k++)
            self->drive[body] = fmax(self->drive[body], drive_of(p, p->incidence[k] / 2));
    }
}

/* Returns the largest closing speed of a contact of the block's bodies without the solve, m/s. */
static double largest_drive_near(const search *self, int i) {
    const constraint_block *block = &self->p->blocks[i];
    return fmax(fmax(self->drive[block->body_a], self->drive[block->body_b]), drive_of(self->p, i));
}

/* Returns 0 for a block that is not suspicious, else 1 plus the ratio of the impulse to that which stops the
 * drive: in an infeasible problem it grows without bound from step to step. */
static double effort_of(const search *self, int i) {
    const problem *p = self->p;
    const constraint_block block = p->blocks[i];
    const vec3s r = p->impulses[i].value;
    const double drive = largest_drive_near(self, i);
    if (!(closing_of(p, i, p->velocity, r) > CLOSING_FRACTION * drive)) return 0;
    const scalar mobility =
        block_delassus(block, p->mobility[block.body_a], p->mobility[block.body_b], 1, 1).diagonal.x;
    return 1 + (double)mobility * (double)glms_vec3_norm(r) / drive;
}

/* Adds a contact or a block of a joint to the patch. */
static void take(search *self, int i, int most) {
    problem *patch = &self->patch;
    if (self->taken[i] || self->p->blocks[i].kind == BLOCK_RESISTANCE || patch->block_count == most) return;
    self->taken[i] = 1;
    self->origin[patch->block_count++] = i;
}

/* Makes the patch of at most `most` blocks nearest to the seed: those that share a movable body with it, and
 * so on. Its bodies are those of the problem. */
static scree_result make_patch(search *self, int seed, int most) {
    const problem *p = self->p;
    problem *patch = &self->patch;
    patch->block_count = 0;
    take(self, seed, most);
    for (int i = 0; i < patch->block_count; i++) { /* grows in the loop: breadth first */
        const constraint_block *block = &p->blocks[self->origin[i]];
        const int ends[2] = {block->body_a, block->body_b};
        for (int side = 0; side < 2; side++)
            for (int k = p->incidence_first[ends[side]]; k < p->incidence_first[ends[side] + 1]; k++)
                take(self, p->incidence[k] / 2, most);
        patch->blocks[i] = *block;
        patch->groups[i] = (block_group){.body_a = ends[0], .body_b = ends[1], .first = i, .count = 1};
    }
    for (int i = 0; i < patch->block_count; i++) {
        self->taken[self->origin[i]] = 0;
        self->effort[self->origin[i]] = 0;
    }
    patch->group_count = patch->remainder_first = patch->block_count;
    return problem_index(patch, self->bodies, 1, NULL);
}

/* Tests the patch around a suspect, of which `a` is the operator: without and with friction. `velocities` are
 * those of its blocks after the solve. */
static scree_result test_patch(search *self, const delassus *a, int seed, int sweeps, real3 *velocities) {
    const body_velocity *velocity = self->p->velocity;
    for (int i = 0; i < a->count; i++) {
        const constraint_block block = self->patch.blocks[i];
        velocities[i] =
            real3_of(block_relative_velocity(block, velocity[block.body_a], velocity[block.body_b]));
    }
    for (int friction = 0; friction < 2 && !self->found; friction++) {
        infeasibility found;
        const feasibility_goal goal = {.work = feasibility_work(a, friction, sweeps),
                                       .least_speed = CLOSING_FRACTION * largest_drive_near(self, seed),
                                       .velocities = friction ? velocities : NULL};
        TRY(feasibility_test(a, &goal, &found));
        if (!found.proven) continue;
        self->found = friction ? SCREE_INFEASIBLE_JAMMED : SCREE_INFEASIBLE_CRUSHED;
        self->block = self->origin[found.block];
    }
    return SCREE_OK;
}

static scree_result search_around(search *self, int seed, int size) {
    delassus a;
    TRY(make_patch(self, seed, sizes[size].blocks));
    SCOPED real3 *velocities = memory_allocate((size_t)self->patch.block_count, sizeof *velocities);
    if (!velocities)
        return fail(SCREE_ERROR_MEMORY, "out of memory: velocities of %d contacts", self->patch.block_count);
    TRY(delassus_assemble(&a, &self->patch, false, 1));
    const scree_result result = test_patch(self, &a, seed, sizes[size].sweeps, velocities);
    delassus_release(&a);
    return result;
}

/* Returns the suspect with the largest effort; −1: none. */
static int next_suspect(const search *self) {
    int next = -1;
    for (int i = 0; i < self->p->block_count; i++)
        if (self->effort[i] > (next < 0 ? 0 : self->effort[next])) next = i;
    return next;
}

static scree_result search_all(search *self) {
    find_drives(self);
    for (int size = 0; size < SIZES && !self->found; size++) {
        for (int i = 0; i < self->p->block_count; i++) self->effort[i] = effort_of(self, i);
        for (int k = 0; k < sizes[size].patches && !self->found; k++) {
            const int seed = next_suspect(self);
            if (seed < 0) break;
            TRY(search_around(self, seed, size));
        }
    }
    return SCREE_OK;
}

/* The patch shares the bodies and rows of the problem. */
static scree_result reserve(search *self) {
    const problem *p = self->p;
    const int most = sizes[SIZES - 1].blocks;
    self->patch = (problem){.time_step = p->time_step, .body_count = p->body_count};
    TRY(problem_reserve(&self->patch, OF_OWN_BLOCKS, most, NULL));
    TRY(problem_reserve(&self->patch, OF_GROUPS, most, NULL));
    self->patch.blocks = self->patch.own_blocks;
    self->patch.mobility = p->mobility;
    self->patch.free_velocity = p->free_velocity;
    self->patch.rows = p->rows;
    self->patch.row_count = p->row_count;
    self->origin = memory_allocate((size_t)most, sizeof *self->origin);
    self->taken = memory_allocate((size_t)p->block_count, sizeof *self->taken);
    self->drive = memory_allocate((size_t)p->body_count, sizeof *self->drive);
    self->effort = memory_allocate((size_t)p->block_count, sizeof *self->effort);
    if (self->origin && self->taken && self->drive && self->effort) return SCREE_OK;
    return fail(SCREE_ERROR_MEMORY, "out of memory: the search of %d contacts", p->block_count);
}

static void release(search *self) {
    self->patch.mobility = NULL;
    self->patch.free_velocity = NULL;
    self->patch.rows = NULL;
    problem_release(&self->patch);
    memory_release(self->origin);
    memory_release(self->taken);
    memory_release(self->drive);
    memory_release(self->effort);
}

/* Returns the id of a body of the problem; null: a joint's ground. */
static scree_body_id id_of(const body_array *bodies, int slot) {
    return slot < bodies->count ? body_id_of(bodies, slot) : (scree_body_id){0};
}

scree_result infeasible_search_run(scree_world *world, scree_infeasible *out) {
    problem *p = &world->scratch.problem;
    const body_array *bodies = &world->state.bodies;
    *out = (scree_infeasible){.kind = SCREE_INFEASIBLE_NONE};
    if (!world->scratch.has_problem || !p->block_count || bodies->gone_count > 0) return SCREE_OK;
    TRY(world_bring_problem(world));
    TRY(world->backend->operations->fetch(world->backend, p));
    TRY(problem_index(p, bodies, world->model.threads, NULL));
    search self = {.p = p,
                   .bodies = bodies,
                   .least = world->model.def.time_step * (double)glms_vec3_norm(world->scratch.gravity)};
    scree_result result = reserve(&self);
    if (result == SCREE_OK) result = search_all(&self);
    release(&self);
    if (result != SCREE_OK || !self.found) return result;
    *out = (scree_infeasible){.kind = self.found,
                              .a = id_of(bodies, p->blocks[self.block].body_a),
                              .b = id_of(bodies, p->blocks[self.block].body_b)};
    return SCREE_OK;
}
