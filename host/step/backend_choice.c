/* Choice of the backend. */
#include "world.h"

#include "base/error.h"
#include "base/parallel.h"
#include "device/opencl/opencl_device.h"

/* Takes a GPU if there is one, else native: its sweeps of 8 or 16 lanes are faster than PoCL at any size
 * (8000 spheres: 22 ms a step, PoCL 44 ms). Where it sweeps one contact at a time (width 1, the associated
 * law) PoCL was faster from about 500 bodies on (10054 bodies, two threads: 122 ms, native 259 ms). A machine
 * without OpenCL is no error, but a GPU that fails to open is: a run must not silently become slow. Errors:
 * those of native_create and opencl_create; NO_DEVICE if no device matches def->device. */
static scree_result create_best(const scree_world_def *def, int threads, backend **out) {
    scree_device_info info;
    const scree_result found = scree_device_find(def->device, &info);
    if (found == SCREE_ERROR_NO_PLATFORM || (found == SCREE_ERROR_NO_DEVICE && !def->device))
        return native_create(threads, out);
    TRY(found);
    if (!info.gpu) return native_create(threads, out);
    const scree_result result = opencl_create_in(def->group, def->device, out);
    if (result != SCREE_OK)
        return fail_prefix(result, "backend `auto` selected `%s` (use `native` to avoid it)", info.name);
    return SCREE_OK;
}

static scree_result create(const scree_world_def *def, backend **out) {
    const int threads = def->threads > 0 ? def->threads : parallel_all_threads();
    switch (def->backend) {
    case SCREE_BACKEND_AUTO:
        return create_best(def, threads, out);
    case SCREE_BACKEND_OPENCL:
        return opencl_create_in(def->group, def->device, out);
    case SCREE_BACKEND_NATIVE:
        return native_create(threads, out);
    case SCREE_BACKEND_REFERENCE:
        return reference_create(threads, out);
    case SCREE_BACKEND_HOST:
    case SCREE_BACKEND_COUNT:
        break;
    }
    return fail(SCREE_ERROR_ARGUMENT, "backend: %d; must be 0 to %d", (int)def->backend,
                SCREE_BACKEND_REFERENCE);
}

scree_result backend_create(const scree_world_def *def, backend **out) {
    TRY(create(def, out));
    if (!def->profile || (*out)->kind != SCREE_BACKEND_OPENCL) return SCREE_OK;
    const scree_result result = opencl_profile(*out);
    if (result != SCREE_OK) (*out)->operations->destroy(*out), *out = NULL;
    return result;
}

static scree_result find_pairs(void *context, const pair_search *search, pair_rows *out, int *regrown) {
    backend *engine = context;
    return engine->operations->find_pairs(engine, search, out, regrown);
}

/* On a processor the host's search and its transfers cost less than launches. A GPU would wait for the host:
 * 0.7 s for a million spheres on 16 cores, against 35 ms of the model for the whole step (bench/README.md).
 */
static scree_pipeline pipeline_of(const backend *engine) {
    const bool gpu = engine->kind == SCREE_BACKEND_OPENCL && opencl_is_gpu(engine);
    return gpu ? SCREE_PIPELINE_DEVICE : SCREE_PIPELINE_HOST;
}

static scree_result settle_pipeline(const backend *engine, scree_pipeline *pipeline) {
    if (*pipeline == SCREE_PIPELINE_AUTO) *pipeline = pipeline_of(engine);
    if (*pipeline == SCREE_PIPELINE_HOST || engine->operations->find_contacts) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT,
                "pipeline: device; must be auto or host on the backend %s; only opencl has a device",
                scree_backend_name(engine->kind));
}

scree_result world_settle_backend(scree_world *world) {
    if (world->backend) return SCREE_OK;
    scree_world_def def = world->model.def;
    backend *engine = NULL;
    def.device = world->model.device[0] ? world->model.device : NULL;
    def.threads = world->model.threads;
    TRY(backend_create(&def, &engine));
    const scree_result result = settle_pipeline(engine, &def.pipeline);
    if (result != SCREE_OK) {
        engine->operations->destroy(engine);
        return result;
    }
    world->backend = engine;
    world->model.def.backend = engine->kind;
    world->model.def.pipeline = def.pipeline;
    if (def.pipeline == SCREE_PIPELINE_DEVICE)
        broadphase_set_source(world->scratch.broadphase, (pair_source){find_pairs, engine});
    return SCREE_OK;
}
