#include "world.h"

#include "../base/memory.h"
#include "../base/vector.h"

#include <omp.h>
#include <string.h>

scree_world_def scree_default_world_def(void) {
    return (scree_world_def){.gravity = {0, 0, -9.81f},
                             .time_step = 1.0f / 120,
                             .speculative_distance = 1e-3f,
                             .material = scree_default_material_def(),
                             .solver = scree_default_solver_def(),
                             .backend = SCREE_BACKEND_AUTO};
}

static scree_result check_gravity(scree_vec3 gravity) {
    if (vec3_finite(vec3_in(gravity))) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "gravity is not finite, expected m/s²");
}

static scree_result check_time_step(float time_step) {
    if (time_step > 0 && isfinite(time_step)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "time_step is %g, expected seconds above 0", (double)time_step);
}

static scree_result check_def(const scree_world_def *def) {
    TRY(check_gravity(def->gravity));
    TRY(check_time_step(def->time_step));
    if (!(def->speculative_distance >= 0) || !isfinite(def->speculative_distance))
        return fail(SCREE_ERROR_ARGUMENT, "speculative_distance is %g, expected metres of at least 0",
                    (double)def->speculative_distance);
    TRY(scree_validate_solver_def(&def->solver));
    if ((unsigned)def->backend >= SCREE_BACKEND_COUNT)
        return fail(SCREE_ERROR_ARGUMENT, "backend is %d, expected 0 to %d", (int)def->backend,
                    SCREE_BACKEND_COUNT - 1);
    if (def->threads < 0 || def->threads > 4096)
        return fail(SCREE_ERROR_ARGUMENT, "threads is %d, expected 0 to 4096", def->threads);
    if (def->maximum_bodies < 0 || def->maximum_contacts < 0)
        return fail(SCREE_ERROR_ARGUMENT,
                    "maximum_bodies is %d and maximum_contacts is %d, expected at least 0",
                    def->maximum_bodies, def->maximum_contacts);
    return SCREE_OK;
}

scree_result world_settle_backend(scree_world *world) {
    if (world->engine) return SCREE_OK;
    scree_world_def def = world->def;
    def.device = world->device[0] ? world->device : NULL;
    def.threads = world->threads;
    TRY(backend_create(&def, world->bodies.living, &world->engine));
    world->def.backend = world->engine->kind;
    return SCREE_OK;
}

static scree_result fill(scree_world *world, const scree_world_def *def) {
    world->def = *def;
    world->def.device = NULL;
    if (def->device) {
        if (strlen(def->device) >= sizeof world->device)
            return fail(SCREE_ERROR_ARGUMENT, "device is longer than %zu characters",
                        sizeof world->device - 1);
        memcpy(world->device, def->device, strlen(def->device) + 1);
    }
    world->threads = def->threads ? def->threads : omp_get_num_procs();
    bodies_release(&world->bodies);
    TRY(material_table_init(&world->materials, &def->material));
    TRY(broadphase_create(&world->pairs));
    /* `auto` waits for the first step, when the size is known. */
    if (def->backend != SCREE_BACKEND_AUTO) TRY(world_settle_backend(world));
    return SCREE_OK;
}

scree_result scree_world_create(const scree_world_def *def, scree_world **out) {
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
    if (engine) engine->verbs->destroy(engine);
}

void scree_world_destroy(scree_world *world) {
    if (!world) return;
    bodies_release(&world->bodies);
    material_table_release(&world->materials);
    broadphase_destroy(world->pairs);
    contacts_release(&world->contacts);
    contacts_release(&world->contacts_next);
    problem_release(&world->step_problem);
    problem_release(&world->verify_problem);
    problem_release(&world->verify_solution);
    backend_destroy(world->engine);
    backend_destroy(world->verify_reference);
    backend_destroy(world->verify_other);
    memory_release(world->boxes);
    memory_release(world->next_poses);
    memory_release(world->pulled_loads);
    memory_release(world->next_velocities);
    memory_release(world);
}

scree_world_def scree_world_read(const scree_world *world) { return world->def; }

const char *scree_world_backend(const scree_world *world) {
    return world->engine ? world->engine->name : "auto (chosen at the first step)";
}

scree_result scree_world_solver_set(scree_world *world, const scree_solver_def *solver) {
    TRY(scree_validate_solver_def(solver));
    world->def.solver = *solver;
    return SCREE_OK;
}

scree_result scree_world_gravity_set(scree_world *world, scree_vec3 gravity) {
    TRY(check_gravity(gravity));
    world->def.gravity = gravity;
    return SCREE_OK;
}

scree_result scree_world_time_step_set(scree_world *world, float time_step) {
    TRY(check_time_step(time_step));
    world->def.time_step = time_step;
    return SCREE_OK;
}

scree_result scree_world_verify(scree_world *world, int every) {
    if (every < 0) return fail(SCREE_ERROR_ARGUMENT, "every is %d, expected at least 0", every);
    world->verify_every = every;
    return SCREE_OK;
}

double scree_world_time(const scree_world *world) { return world->time; }
uint64_t scree_world_steps(const scree_world *world) { return world->steps; }

int scree_contact_count(const scree_world *world) { return world->contacts.points; }

int scree_contact_list(const scree_world *world, scree_contact *out, int capacity) {
    int count = 0;
    for (int i = 0; i < world->contacts.count; i++) {
        const contact_pair *pair = &world->contacts.pairs[i];
        for (int k = 0; k < pair->shape.count && count < capacity; k++)
            out[count++] = (scree_contact){
                body_id_of(&world->bodies, pair->shape.a), body_id_of(&world->bodies, pair->shape.b),
                vec3_out(pair->shape.points[k].position),  vec3_out(pair->shape.normal),
                vec3_out(contact_impulse(pair, k)),        pair->shape.points[k].gap};
    }
    return count;
}
