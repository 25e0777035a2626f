/* Snapshots and clones of a world, as rows of its stored state (state_rows.h) that stay in memory. */
#include "shared.h"
#include "state_rows.h"

#include "base/memory.h"

#include <scree/world_snapshot.h>

#include <string.h>

struct scree_world_snapshot {
    uint32_t world; /* its number */
    contact_work work;
    state_rows rows;
};

static scree_result take(const scree_world *world, state_rows *out) {
    TRY(state_rows_take(world, out));
    return state_rows_make(world, out);
}

scree_result scree_world_snapshot_create(const scree_world *world, scree_world_snapshot **out) {
    REQUIRE(world);
    REQUIRE(out);
    scree_world_snapshot *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: a snapshot");
    self->world = world->state.bodies.world;
    self->work = world->state.work;
    const scree_result result = take(world, &self->rows);
    if (result == SCREE_OK)
        *out = self;
    else
        scree_world_snapshot_destroy(self);
    return result;
}

void scree_world_snapshot_destroy(scree_world_snapshot *self) {
    if (!self) return;
    state_rows_release(&self->rows);
    memory_release(self);
}

/* Returns a definition with the backend, device and threads of a world. */
static scree_world_def runtime_of(const scree_world *world) {
    scree_world_def def = world->model.def;
    def.device = *world->model.device ? world->model.device : NULL;
    return def;
}

/* Exchanges what a snapshot holds. Both worlds keep their backend, observers and scratch memory. */
static void exchange(scree_world *world, scree_world *restored) {
    const world_model model = world->model;
    const world_state state = world->state;
    char *const note = world->note;
    world->model = restored->model;
    world->state = restored->state;
    world->note = restored->note;
    restored->model = model;
    restored->state = state;
    restored->note = note;
}

/* Settings that belong to the run stay, and readers of the bodies see that these have changed. */
static void settle(scree_world *world, const scree_world *before) {
    world_model *model = &world->model;
    const scree_world_def *def = &before->model.def;
    model->def.backend = def->backend;
    model->def.pipeline = def->pipeline;
    model->def.threads = def->threads;
    model->def.profile = def->profile;
    model->threads = before->model.threads;
    memcpy(model->device, before->model.device, sizeof model->device);
    world->state.bodies.changes = before->state.bodies.changes + 1;
    world->state.bodies.definitions = before->state.bodies.definitions + 1;
    world->state.bodies.written = before->state.bodies.written + 1;
    world->state.bodies.loaded = before->state.bodies.loaded + 1;
    world->state.statistics = before->state.statistics;
    world->scratch.has_problem = false;
}

/* Makes a world without a backend from rows, with ids of the number `number`. */
static scree_result make_shell(const scree_world_snapshot *self, scree_world **out) {
    const scree_world_def automatic = scree_default_world_def();
    scree_world *shell;
    TRY(state_rows_create(&self->rows, &automatic, &shell));
    world_set_number(shell, self->world);
    shell->state.work = self->work;
    const scree_result result = state_rows_fill(&self->rows, shell);
    if (result == SCREE_OK)
        *out = shell;
    else
        scree_world_destroy(shell);
    return result;
}

scree_result scree_world_snapshot_restore(const scree_world_snapshot *snapshot, scree_world *world) {
    REQUIRE(snapshot);
    REQUIRE(world);
    if (snapshot->world != world->state.bodies.world)
        return fail(SCREE_ERROR_HANDLE, "snapshot: of world %u; must be of world %u", snapshot->world,
                    world->state.bodies.world);
    scree_world *shell = NULL;
    TRY(make_shell(snapshot, &shell));
    exchange(world, shell);
    settle(world, shell);
    scree_world_destroy(shell);
    observers_restored(&world->observers, world);
    return SCREE_OK;
}

scree_result scree_world_clone(const scree_world *world, scree_world **out) {
    REQUIRE(world);
    REQUIRE(out);
    const scree_world_def runtime = runtime_of(world);
    state_rows rows;
    scree_world *made = NULL;
    scree_result result = take(world, &rows);
    if (result == SCREE_OK) result = state_rows_give(&rows, &runtime, &made);
    state_rows_release(&rows);
    if (result != SCREE_OK) return result;
    made->state.work = world->state.work;
    *out = made;
    return SCREE_OK;
}
