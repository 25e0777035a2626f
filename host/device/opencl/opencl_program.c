/* Builds device programs, or loads them from the cache. */
#include "opencl_group.h"
#include "opencl_merged_source.h"

#include "base/memory.h"
#include "program_cache.h"

#include <stdio.h>
#include <string.h>

/* No fast-math options: results must agree with native. */
static void standard_options(const opencl_device *device, const char *more, char *out, size_t size) {
    snprintf(out, size, "-cl-std=CL1.2%s%s%s",
             device->info.correctly_rounded ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
             more && more[0] ? " " : "", more ? more : "");
}

static program_key key_of(const opencl_device *device, const char *source, const char *options) {
    program_key key = program_key_begin();
    const char *parts[] = {source,
                           options,
                           device->info.name,
                           device->info.vendor,
                           device->info.driver,
                           device->info.version,
                           device->info.platform,
                           device->platform_version};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) key = program_key_add(key, parts[i]);
    return key;
}

/* Returns a cached program; NULL if there is none or the driver rejects it. */
static cl_program load_program(const opencl_device *device, program_key key, const char *options) {
    size_t bytes;
    void *binary = program_cache_load(key, &bytes);
    if (!binary) return NULL;
    const unsigned char *binaries[] = {binary};
    cl_int status = CL_SUCCESS, code;
    cl_program program =
        clCreateProgramWithBinary(device->context, 1, &device->id, &bytes, binaries, &status, &code);
    memory_release(binary);
    if (code != CL_SUCCESS) return NULL;
    if (status == CL_SUCCESS && clBuildProgram(program, 1, &device->id, options, NULL, NULL) == CL_SUCCESS)
        return program;
    clReleaseProgram(program);
    return NULL;
}

static void store_program(cl_program program, program_key key) {
    size_t bytes = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS ||
        bytes == 0)
        return;
    unsigned char *binary = memory_allocate(bytes, 1);
    if (!binary) return;
    unsigned char *binaries[] = {binary};
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binaries, binaries, NULL) == CL_SUCCESS)
        program_cache_store(key, binary, bytes);
    memory_release(binary);
}

/* Fails with KERNEL_BUILD and the compiler's log. */
static scree_result build_failure(const opencl_device *device, cl_program program, const char *entry) {
    size_t bytes = 0;
    char *log = NULL;
    if (clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) == CL_SUCCESS)
        log = memory_allocate(bytes + 1, 1);
    if (log &&
        clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, bytes, log, NULL) != CL_SUCCESS)
        log[0] = 0;
    const scree_result result =
        fail(SCREE_ERROR_KERNEL_BUILD, "kernels of %s failed to build on `%s` (driver %s):\n%s", entry,
             device->info.name, device->info.driver, log && log[0] ? log : "(empty compiler log)");
    memory_release(log);
    return result;
}

static scree_result compile(const opencl_device *device, const char *entry, const char *source,
                            const char *options, cl_program *out) {
    cl_int code;
    char what[160];
    cl_program program = clCreateProgramWithSource(device->context, 1, &source, NULL, &code);
    if (code != CL_SUCCESS) {
        snprintf(what, sizeof what, "creating the program of %s", entry);
        return opencl_fail(code, what);
    }
    code = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (code == CL_SUCCESS) {
        *out = program;
        return SCREE_OK;
    }
    scree_result result;
    if (code == CL_BUILD_PROGRAM_FAILURE || code == CL_INVALID_BUILD_OPTIONS)
        result = build_failure(device, program, entry);
    else {
        snprintf(what, sizeof what, "building the kernels of %s", entry);
        result = opencl_fail(code, what);
    }
    clReleaseProgram(program);
    return result;
}

/* Builds a source, or loads its program. */
static scree_result build(const opencl_device *device, const char *entry, const char *source,
                          const char *options, cl_program *out) {
    char all[512];
    standard_options(device, options, all, sizeof all);
    const program_key key = key_of(device, source, all);
    scree_result result = SCREE_OK;
    cl_program program = load_program(device, key, all);
    if (!program) {
        result = compile(device, entry, source, all, &program);
        if (result == SCREE_OK) store_program(program, key);
    }
    if (result == SCREE_OK) *out = program;
    return result;
}

scree_result opencl_program_build(const opencl_device *device, const char *entry, const char *options,
                                  cl_program *out) {
    SCOPED char *source = NULL;
    if (device->member) return opencl_member_program(device, entry, options, out);
    TRY(opencl_source_expand(entry, &source));
    return build(device, entry, source, options, out);
}

scree_result opencl_program_build_merged(const opencl_device *device, const char *entry, const char *options,
                                         cl_program *out) {
    SCOPED char *source = NULL, *merged = NULL;
    TRY(opencl_source_expand(entry, &source));
    TRY(opencl_source_merge(source, options, &merged));
    return build(device, entry, merged, options, out);
}

scree_result opencl_kernel_create(const opencl_device *device, cl_program program, const char *name,
                                  cl_kernel *out) {
    cl_int code;
    if (device->member) return opencl_member_kernel(device, program, name, out);
    cl_kernel kernel = clCreateKernel(program, name, &code);
    if (code != CL_SUCCESS) {
        char what[128];
        snprintf(what, sizeof what, "creating the kernel `%s`", name);
        return opencl_fail(code, what);
    }
    *out = kernel;
    return SCREE_OK;
}
