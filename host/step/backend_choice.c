/* Chooses who solves. */
#include "device/backend.h"

#include "base/error.h"
#include "base/parallel.h"
#include "device/native/wide_sweep.h"
#include "device/opencl/opencl_device.h"

/* From this many bodies on `auto` prefers a CPU's OpenCL device to native where native sweeps one contact at
 * a time. Measured (PoCL 3.1, gcc 12, two cores of an AMD EPYC; pgs, coulomb, 30 iterations, six contacts a
 * body, predict + solve + integrate, best of 7, ms):
 *
 *     bodies                 96   307   982   3142   10054
 *     native, 1 thread      3.4    10    35    118     395
 *     native, 2 threads      27    30    45     90     259
 *     PoCL                  3.5   6.1    15     38     122
 *
 * PoCL's code is made for the CPU that it runs on and its launches are cheaper than starting threads; below
 * some hundred bodies the difference is a few ms and does not pay for building kernels.
 *
 * Sweeps of 8 or 16 lanes beat it at any size: whole steps of 8000 spheres take 22 ms, PoCL's 44; 210 cubes 3
 * and 18. Those of 4 take a fifth of the time of one lane; beside PoCL on a processor that has no more they
 * have not been measured. */
enum { CPU_DEVICE_BODIES = 500 };

const char *scree_backend_name(scree_backend_kind kind) {
    static const char *const names[] = {"auto", "opencl", "native", "reference", "host"};
    _Static_assert(sizeof names / sizeof *names == SCREE_BACKEND_COUNT, "every backend has a name");
    return (unsigned)kind < SCREE_BACKEND_COUNT ? names[kind] : NULL;
}

static bool sweeps_wide(const scree_world_def *def) {
    int width;
    return wide_code_choose(&width) && def->solver.law != SCREE_LAW_ASSOCIATED;
}

/* A GPU if there is one, or a device that is named; else the faster at this size. A machine without OpenCL is
 * no error here, but a GPU that is there and does not work is: it must not go unnoticed that a run is slow.
 */
static scree_result create_best(const scree_world_def *def, int bodies, int threads, backend **out) {
    scree_device_info info;
    const scree_result found = scree_device_find(def->device, &info);
    if (found == SCREE_ERROR_NO_PLATFORM || (found == SCREE_ERROR_NO_DEVICE && !def->device))
        return native_create(threads, out);
    TRY(found);
    if (!info.gpu && (bodies < CPU_DEVICE_BODIES || (sweeps_wide(def) && !def->device)))
        return native_create(threads, out);
    const scree_result result = opencl_create(def->device, out);
    if (result != SCREE_OK)
        return fail_prefix(result, "the backend `auto` chose `%s` (choose `native` to do without it)",
                           info.name);
    return SCREE_OK;
}

static scree_result create(const scree_world_def *def, int bodies, backend **out) {
    const int threads = def->threads > 0 ? def->threads : parallel_all_threads();
    switch (def->backend) {
    case SCREE_BACKEND_AUTO:
        return create_best(def, bodies, threads, out);
    case SCREE_BACKEND_OPENCL:
        return opencl_create(def->device, out);
    case SCREE_BACKEND_NATIVE:
        return native_create(threads, out);
    case SCREE_BACKEND_REFERENCE:
        return reference_create(threads, out);
    case SCREE_BACKEND_HOST:
    case SCREE_BACKEND_COUNT:
        break;
    }
    return fail(SCREE_ERROR_ARGUMENT, "backend is %d, expected 0 … %d", (int)def->backend,
                SCREE_BACKEND_REFERENCE);
}

scree_result backend_create(const scree_world_def *def, int bodies, backend **out) {
    TRY(create(def, bodies, out));
    if (!def->profile || (*out)->kind != SCREE_BACKEND_OPENCL) return SCREE_OK;
    const scree_result result = opencl_profile(*out);
    if (result != SCREE_OK) (*out)->verbs->destroy(*out), *out = NULL;
    return result;
}
