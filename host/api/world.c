#include "shared.h"

#include "base/finite.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "base/width.h"
#include "step/periodic_wrap.h"

#include <stdatomic.h>
#include <string.h>

scree_world_def scree_default_world_def(void) {
    return (scree_world_def){.gravity = {0, 0, -9.81f},
                             .time_step = 1.0 / 120,
                             .speculative_distance = 1e-3f,
                             .material = scree_default_material_def(),
                             .solver = scree_default_solver_def(),
                             .backend = SCREE_BACKEND_AUTO};
}

/* The step uses it in single precision. */
static scree_result check_time_step(double time_step) {
    if ((float)time_step > 0 && isfinite((float)time_step)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "time_step: %g; must be > 0 s", time_step);
}

static scree_result check_limits(int bodies, int contacts) {
    if (bodies >= 0 && contacts >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "maximum_bodies: %d, maximum_contacts: %d; must be >= 0", bodies,
                contacts);
}

static scree_result check_def(const scree_world_def *def) {
    TRY(finite_check(def->gravity, "m/s²", "gravity"));
    TRY(check_time_step(def->time_step));
    if (!(def->speculative_distance >= 0) || !isfinite(def->speculative_distance))
        return fail(SCREE_ERROR_ARGUMENT, "speculative_distance: %g; must be >= 0 m",
                    (double)def->speculative_distance);
    TRY(periodic_check_period(def->period, def->period_centre));
    TRY(scree_validate_solver_def(&def->solver));
    if (def->backend == SCREE_BACKEND_HOST)
        return fail(
            SCREE_ERROR_ARGUMENT,
            "backend: host, which solves matrix problems only; must be auto, opencl, native or reference");
    if ((unsigned)def->backend > SCREE_BACKEND_REFERENCE)
        return fail(SCREE_ERROR_ARGUMENT, "backend: %d; must be 0 to %d", (int)def->backend,
                    SCREE_BACKEND_REFERENCE);
    if ((unsigned)def->pipeline >= SCREE_PIPELINE_COUNT)
        return fail(SCREE_ERROR_ARGUMENT, "pipeline: %d; must be 0 to %d", (int)def->pipeline,
                    SCREE_PIPELINE_DEVICE);
    if (def->threads < 0 || def->threads > 4096)
        return fail(SCREE_ERROR_ARGUMENT, "threads: %d; must be 0 to 4096", def->threads);
    if (def->tasks.context && !def->tasks.run)
        return fail(SCREE_ERROR_ARGUMENT, "tasks.run: NULL; must be set if tasks.context is");
    return check_limits(def->maximum_bodies, def->maximum_contacts);
}

/* Returns the number of a new world of this process, from 1 on, so that ids are valid in one world only. */
static uint32_t next_number(void) {
    static _Atomic uint32_t last;
    uint32_t number;
    do number = atomic_fetch_add(&last, 1) + 1;
    while (number == 0);
    return number;
}

void world_set_number(scree_world *world, uint32_t number) {
    world->state.bodies.world = world->model.materials.world = world->state.joints.world =
        world->model.kinematic_groups.world = world->state.flows.world = number;
}

scree_result scree_world_prepare(scree_world *world) {
    REQUIRE(world);
    return world_settle_backend(world);
}

static scree_result fill(scree_world *world, const scree_world_def *def) {
    world->model.def = *def;
    world->state.gravity = def->gravity;
    world->model.def.device = NULL;
    if (def->device) {
        if (strlen(def->device) >= sizeof world->model.device)
            return fail(SCREE_ERROR_ARGUMENT, "device: name too long; at most %zu characters",
                        sizeof world->model.device - 1);
        memcpy(world->model.device, def->device, strlen(def->device) + 1);
    }
    world->model.threads = def->threads ? def->threads : parallel_all_threads();
    world->team = team_create(world->model.threads, &def->tasks);
    if (!world->team) return fail(SCREE_ERROR_MEMORY, "out of memory: threads of the world");
    bodies_release(&world->state.bodies);
    world->state.bodies.period = period_make(def->period, def->period_centre);
    TRY(material_table_init(&world->model.materials, &def->material));
    world_set_number(world, next_number());
    TRY(broadphase_create(&world->scratch.broadphase, BROADPHASE_SKIN));
    broadphase_share(world->scratch.broadphase, &world->scratch.arena);
    world->scratch.search.narrow.scratch = world->scratch.problem.scratch = &world->scratch.arena;
    /* `auto` chooses at the first step. */
    if (def->backend != SCREE_BACKEND_AUTO) TRY(world_settle_backend(world));
    return SCREE_OK;
}

scree_result scree_world_create(const scree_world_def *def, scree_world **out) {
    REQUIRE(def);
    REQUIRE(out);
    TRY(width_check());
    TRY(check_def(def));
    scree_world *world = memory_allocate(1, sizeof *world);
    if (!world) return fail(SCREE_ERROR_MEMORY, "out of memory: the world");
    const scree_result result = fill(world, def);
    if (result != SCREE_OK) {
        scree_world_destroy(world);
        return result;
    }
    *out = world;
    return SCREE_OK;
}

static void backend_destroy(backend *engine) {
    if (engine) engine->operations->destroy(engine);
}

void scree_world_destroy(scree_world *world) {
    if (!world) return;
    observers_release(&world->observers);
    bodies_release(&world->state.bodies);
    material_table_release(&world->model.materials);
    joints_release(&world->state.joints);
    kinematic_groups_release(&world->model.kinematic_groups);
    flow_release(&world->state.flows);
    gravity_release(&world->model.gravity);
    broadphase_destroy(world->scratch.broadphase);
    contacts_release(&world->state.contacts);
    contacts_release(&world->scratch.contacts_next);
    contact_search_release(&world->scratch.search);
    detection_pass_release(&world->scratch.detection);
    deferred_impact_release(&world->scratch.deferred);
    problem_release(&world->scratch.problem);
    scratch_release(&world->scratch.arena);
    problem_release(&world->verification.problem);
    problem_release(&world->verification.solution);
    backend_destroy(world->backend);
    backend_destroy(world->verification.reference);
    backend_destroy(world->verification.other);
    memory_release(world->note);
    query_release(&world->queries);
    memory_release(world->scratch.boxes);
    memory_release(world->scratch.next_poses);
    memory_release(world->scratch.next_remainders);
    memory_release(world->scratch.velocities);
    memory_release(world->scratch.earlier);
    memory_release(world->scratch.prescribed);
    memory_release(world->scratch.cohesive_loads);
    memory_release(world->scratch.settling);
    substep_release(&world->scratch.substeps);
    warm_start_release(&world->scratch.warm_start);
    memory_release(world->scratch.crossed);
    team_destroy(world->team);
    stage_log_release(&world->log);
    memory_release(world);
}

uint32_t scree_world_get_number(const scree_world *world) {
    REQUIRE_ELSE(world, 0);
    return world->state.bodies.world;
}

scree_world_def scree_world_get_def(const scree_world *world) {
    REQUIRE_ELSE(world, (scree_world_def){0});
    scree_world_def def = world->model.def;
    def.gravity = world->state.gravity;
    return def;
}

int scree_world_get_trace(const scree_world *world, const scree_trace_span **out) {
    REQUIRE_ELSE(world, 0);
    REQUIRE_ELSE(out, 0);
    *out = world->log.spans;
    return world->log.span_count;
}

const char *scree_world_get_device_name(const scree_world *world) {
    REQUIRE_ELSE(world, NULL);
    return world->backend ? world->backend->name : "auto (chosen at the first step)";
}

scree_result scree_world_set_solver(scree_world *world, const scree_solver_def *solver) {
    REQUIRE(world);
    REQUIRE(solver);
    TRY(scree_validate_solver_def(solver));
    world->model.def.solver = *solver;
    return SCREE_OK;
}

scree_result scree_world_set_gravity(scree_world *world, scree_vec3 gravity) {
    REQUIRE(world);
    TRY(finite_check(gravity, "m/s²", "gravity"));
    gravity_release(&world->model.gravity);
    world->state.gravity = gravity;
    return SCREE_OK;
}

scree_result scree_world_set_gravity_schedule(scree_world *world, const scree_gravity_key *keys, int count) {
    REQUIRE(world);
    if (count < 0) return fail(SCREE_ERROR_ARGUMENT, "count: %d; must be >= 0", count);
    if (count > 0) REQUIRE(keys);
    return gravity_set(&world->model.gravity, keys, count, world_time(world));
}

int scree_world_get_gravity_schedule(const scree_world *world, scree_gravity_key *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    const gravity_schedule *schedule = &world->model.gravity;
    for (int i = 0; i < schedule->count && i < capacity; i++) {
        out[i] = schedule->keys[i];
        out[i].time += schedule->begin - world_time(world);
    }
    return schedule->count;
}

scree_result scree_world_set_time_step(scree_world *world, double time_step) {
    REQUIRE(world);
    TRY(check_time_step(time_step));
    if (time_step == world->model.def.time_step) return SCREE_OK;
    TRY(contacts_bring(&world->state.contacts));
    contacts_scale(&world->state.contacts, (scalar)(time_step / world->model.def.time_step));
    joints_scale(&world->state.joints, (scalar)(time_step / world->model.def.time_step));
    world->state.time_before = world_time(world);
    world->state.steps_before = world->state.steps;
    world->model.def.time_step = time_step;
    return SCREE_OK;
}

scree_result scree_world_set_limits(scree_world *world, int maximum_bodies, int maximum_contacts) {
    REQUIRE(world);
    TRY(check_limits(maximum_bodies, maximum_contacts));
    world->model.def.maximum_bodies = maximum_bodies;
    world->model.def.maximum_contacts = maximum_contacts;
    return SCREE_OK;
}

scree_result scree_world_set_verify(scree_world *world, int every) {
    REQUIRE(world);
    if (every < 0) return fail(SCREE_ERROR_ARGUMENT, "every: %d; must be >= 0", every);
    world->verification.every = every;
    return SCREE_OK;
}

/* Returns whether two materials used by bodies have rolling or spinning friction. */
static bool used_resist(const scree_world *world, const bool *used) {
    const material_table *table = &world->model.materials;
    for (int a = 0; a < table->count; a++)
        for (int b = a; used[a] && b < table->count; b++) {
            if (!used[b]) continue;
            const scree_material_pair_def contact = material_combine(table, a, b);
            if (contact.rolling_friction > 0 || contact.spinning_friction > 0) return true;
        }
    return false;
}

bool scree_world_has_rolling_resistance(const scree_world *world) {
    REQUIRE_ELSE(world, false);
    if (!material_resists(&world->model.materials)) return false;
    bool *used = memory_allocate((size_t)world->model.materials.count, sizeof *used);
    if (!used) return true; /* conservative */
    for (int i = 0; i < world->state.bodies.count; i++)
        if (world->state.bodies.types[i] != SLOT_FREE) used[world->state.bodies.materials[i]] = true;
    const bool resists = used_resist(world, used);
    memory_release(used);
    return resists;
}

scree_result scree_world_set_note(scree_world *world, const char *note) {
    const size_t length = note ? strlen(note) : 0;
    REQUIRE(world);
    if (length > WORLD_NOTE_MOST)
        return fail(SCREE_ERROR_ARGUMENT, "note: %zu bytes; at most %d", length, WORLD_NOTE_MOST);
    char *copy = memory_allocate(length + 1, 1);
    if (!copy) return fail(SCREE_ERROR_MEMORY, "out of memory: a note of %zu bytes", length);
    if (length) memcpy(copy, note, length);
    memory_release(world->note);
    world->note = copy;
    return SCREE_OK;
}

const char *scree_world_get_note(const scree_world *world) {
    REQUIRE_ELSE(world, NULL);
    return world->note ? world->note : "";
}

double scree_world_get_time(const scree_world *world) {
    REQUIRE_ELSE(world, 0);
    return world_time(world);
}

uint64_t scree_world_step_count(const scree_world *world) {
    REQUIRE_ELSE(world, 0);
    return world->state.steps;
}
