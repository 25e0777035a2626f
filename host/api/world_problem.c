/* The problem of a world's last step as a separate object. */
#include "problem/contact_problem.h"
#include "base/memory.h"
#include "base/vector.h"
#include "step/world.h"

#include <math.h>

static scree_result copy_start(const problem *p, scree_problem *out) {
    out->start = memory_allocate(3 * (size_t)p->block_count, sizeof *out->start);
    if (!out->start)
        return fail(SCREE_ERROR_MEMORY, "out of memory: impulses of %d contacts", p->block_count);
    for (int i = 0; i < p->block_count; i++) vec3_to_doubles(p->impulses[i].value, &out->start[3 * i]);
    return SCREE_OK;
}

static void scale(void *numbers, size_t count, double by) {
    for (size_t i = 0; i < count; i++) ((double *)numbers)[i] *= by;
}

/* Converts a copy of p from its unit of mass, which is exact. */
static void convert_to_kilograms(const problem *p, scree_problem *out) {
    const double unit = scalbn(1, p->mass_exponent);
    const size_t blocks = (size_t)out->a.count, entries = (size_t)out->a.first[blocks];
    scale(out->a.entries, 9 * entries, 1 / unit);
    scale(out->start, 3 * blocks, unit);
    if (out->a.low) scale(out->a.low, 6 * blocks, unit); /* `high` follows */
}

/* A problem without contacts has no arrays, hence no operator to form. That of a failed step may be
 * incomplete, with blocks in scratch memory that has moved. */
static scree_result form(scree_world *world, scree_problem *out) {
    problem *p = &world->scratch.problem;
    if (!world->scratch.has_problem || !p->block_count) return delassus_allocate(&out->a, 0, 0);
    TRY(world_bring_problem(world));
    TRY(world->backend->operations->fetch(world->backend, p));
    TRY(problem_index(p, &world->state.bodies, world->model.threads, NULL));
    TRY(delassus_assemble(&out->a, p, false, world->model.threads));
    TRY(copy_start(p, out));
    convert_to_kilograms(p, out);
    return SCREE_OK;
}

scree_result scree_problem_from_world(scree_world *world, scree_problem **out) {
    REQUIRE(world);
    REQUIRE(out);
    scree_problem *self = NULL;
    TRY(contact_problem_create(&self));
    team *const before = team_lead(world->team);
    const scree_result result = form(world, self);
    team_lead(before);
    if (result == SCREE_OK)
        *out = self;
    else
        scree_problem_destroy(self);
    return result;
}
