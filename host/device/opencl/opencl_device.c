/* Finds OpenCL devices, chooses one, opens it, and names OpenCL's error codes. */
#include "opencl_device.h"

#include "opencl_group.h"

#include "base/memory.h"

#include <CL/cl_ext.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OpenCL calls are thread-safe by the standard, but the first of them initialise the loader and the drivers,
 * and implementations crash when two threads do that at once (PoCL 3.1 in clGetDeviceIDs). So this lock
 * serialises listing, opening and closing devices. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A device of the machine, in the order of scree_device_list. */
typedef struct candidate {
    cl_platform_id platform;
    cl_device_id id;
} candidate;

typedef struct candidate_list {
    int count;
    candidate *items;
} candidate_list;

static const char *code_name(cl_int code) {
#define NAME(x)                                                                                              \
    case x:                                                                                                  \
        return #x;
    switch (code) {
        NAME(CL_DEVICE_NOT_FOUND)
        NAME(CL_DEVICE_NOT_AVAILABLE)
        NAME(CL_COMPILER_NOT_AVAILABLE)
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        NAME(CL_OUT_OF_RESOURCES)
        NAME(CL_OUT_OF_HOST_MEMORY)
        NAME(CL_PROFILING_INFO_NOT_AVAILABLE)
        NAME(CL_MEM_COPY_OVERLAP)
        NAME(CL_BUILD_PROGRAM_FAILURE)
        NAME(CL_MAP_FAILURE)
        NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET)
        NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        NAME(CL_COMPILE_PROGRAM_FAILURE)
        NAME(CL_LINKER_NOT_AVAILABLE)
        NAME(CL_LINK_PROGRAM_FAILURE)
        NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)
        NAME(CL_INVALID_VALUE)
        NAME(CL_INVALID_DEVICE_TYPE)
        NAME(CL_INVALID_PLATFORM)
        NAME(CL_INVALID_DEVICE)
        NAME(CL_INVALID_CONTEXT)
        NAME(CL_INVALID_QUEUE_PROPERTIES)
        NAME(CL_INVALID_COMMAND_QUEUE)
        NAME(CL_INVALID_HOST_PTR)
        NAME(CL_INVALID_MEM_OBJECT)
        NAME(CL_INVALID_BINARY)
        NAME(CL_INVALID_BUILD_OPTIONS)
        NAME(CL_INVALID_PROGRAM)
        NAME(CL_INVALID_PROGRAM_EXECUTABLE)
        NAME(CL_INVALID_KERNEL_NAME)
        NAME(CL_INVALID_KERNEL_DEFINITION)
        NAME(CL_INVALID_KERNEL)
        NAME(CL_INVALID_ARG_INDEX)
        NAME(CL_INVALID_ARG_VALUE)
        NAME(CL_INVALID_ARG_SIZE)
        NAME(CL_INVALID_KERNEL_ARGS)
        NAME(CL_INVALID_WORK_DIMENSION)
        NAME(CL_INVALID_WORK_GROUP_SIZE)
        NAME(CL_INVALID_WORK_ITEM_SIZE)
        NAME(CL_INVALID_GLOBAL_OFFSET)
        NAME(CL_INVALID_EVENT_WAIT_LIST)
        NAME(CL_INVALID_EVENT)
        NAME(CL_INVALID_OPERATION)
        NAME(CL_INVALID_BUFFER_SIZE)
        NAME(CL_INVALID_GLOBAL_WORK_SIZE)
        NAME(CL_INVALID_PROPERTY)
        NAME(CL_PLATFORM_NOT_FOUND_KHR)
    default:
        return "unknown error";
    }
#undef NAME
}

scree_result opencl_fail(cl_int code, const char *what) {
    const bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
    const char *meaning = "";
    if (memory) meaning = ": out of device memory";
    /* Drivers use the same codes for a faulting kernel, a reset and a removed device. */
    if (code == CL_OUT_OF_RESOURCES || code == CL_DEVICE_NOT_AVAILABLE || code == CL_INVALID_COMMAND_QUEUE)
        meaning = ": the device ran out of resources, was reset or was lost";
    return fail(memory ? SCREE_ERROR_DEVICE_MEMORY : SCREE_ERROR_DEVICE, "OpenCL failed (%s, code %d) %s%s",
                code_name(code), code, what, meaning);
}

/* Copies a string of a device or platform, cut to `size`; empty if the driver does not provide it. */
static void device_text(cl_device_id id, cl_device_info key, char *out, size_t size) {
    char text[1024] = "";
    if (clGetDeviceInfo(id, key, sizeof text - 1, text, NULL) != CL_SUCCESS) text[0] = 0;
    snprintf(out, size, "%s", text);
}

static void platform_text(cl_platform_id id, cl_platform_info key, char *out, size_t size) {
    char text[1024] = "";
    if (clGetPlatformInfo(id, key, sizeof text - 1, text, NULL) != CL_SUCCESS) text[0] = 0;
    snprintf(out, size, "%s", text);
}

/* Returns a property that is a cl_bool, cl_uint, cl_ulong or bit field; 0 if the driver does not provide
 * it. */
static uint64_t device_number(cl_device_id id, cl_device_info key) {
    uint64_t number = 0;
    size_t bytes = 0;
    if (clGetDeviceInfo(id, key, 0, NULL, &bytes) != CL_SUCCESS || bytes > sizeof number) return 0;
    cl_uint narrow = 0;
    if (bytes == sizeof narrow)
        return clGetDeviceInfo(id, key, bytes, &narrow, NULL) == CL_SUCCESS ? narrow : 0;
    return clGetDeviceInfo(id, key, bytes, &number, NULL) == CL_SUCCESS ? number : 0;
}

opencl_hooks opencl_test_hooks;

static scree_device_info describe(candidate device) {
    scree_device_info info = {0};
    device_text(device.id, CL_DEVICE_NAME, info.name, sizeof info.name);
    platform_text(device.platform, CL_PLATFORM_NAME, info.platform, sizeof info.platform);
    device_text(device.id, CL_DEVICE_VENDOR, info.vendor, sizeof info.vendor);
    device_text(device.id, CL_DRIVER_VERSION, info.driver, sizeof info.driver);
    device_text(device.id, CL_DEVICE_VERSION, info.version, sizeof info.version);
    /* Simulators report all types at once. */
    const uint64_t type = device_number(device.id, CL_DEVICE_TYPE);
    info.gpu = (type & CL_DEVICE_TYPE_GPU) && !(type & CL_DEVICE_TYPE_CPU);
    info.fp64 =
        device_number(device.id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0 && !opencl_test_hooks.without_double;
    info.correctly_rounded =
        device_number(device.id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    info.available = device_number(device.id, CL_DEVICE_AVAILABLE) &&
                     device_number(device.id, CL_DEVICE_COMPILER_AVAILABLE);
    info.compute_units = (int)device_number(device.id, CL_DEVICE_MAX_COMPUTE_UNITS);
    info.memory = device_number(device.id, CL_DEVICE_GLOBAL_MEM_SIZE);
    info.max_allocation = device_number(device.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    return info;
}

static scree_result no_platform(void) {
    return fail(SCREE_ERROR_NO_PLATFORM, "no OpenCL platform is installed: install your GPU's OpenCL driver, "
                                         "or pocl-opencl-icd to run on the CPU, or "
                                         "choose the backend `native`");
}

static scree_result no_device(void) {
    return fail(SCREE_ERROR_NO_DEVICE, "OpenCL is installed but offers no device: check the GPU's driver, "
                                       "install pocl-opencl-icd to run on the CPU, "
                                       "or choose the backend `native`");
}

/* Appends the devices of one platform; none if the platform does not respond. */
static scree_result list_platform(cl_platform_id platform, candidate_list *list) {
    cl_uint count = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count) != CL_SUCCESS || count == 0)
        return SCREE_OK;
    cl_device_id *ids = memory_allocate(count, sizeof *ids);
    candidate *larger = memory_allocate((size_t)list->count + count, sizeof *larger);
    if (!ids || !larger) {
        memory_release(ids);
        memory_release(larger);
        return fail(SCREE_ERROR_MEMORY, "out of memory listing OpenCL devices");
    }
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids, NULL) != CL_SUCCESS) count = 0;
    if (list->count) memcpy(larger, list->items, (size_t)list->count * sizeof *larger);
    for (cl_uint i = 0; i < count; i++) larger[list->count++] = (candidate){platform, ids[i]};
    memory_release(list->items);
    memory_release(ids);
    list->items = larger;
    return SCREE_OK;
}

/* Lists all devices of the machine. The caller releases the items, also after a failure. */
static scree_result list_candidates(candidate_list *list) {
    cl_uint count = 0;
    const cl_int code = clGetPlatformIDs(0, NULL, &count);
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && count == 0)) return no_platform();
    if (code != CL_SUCCESS) return opencl_fail(code, "while looking for platforms");
    cl_platform_id *platforms = memory_allocate(count, sizeof *platforms);
    if (!platforms) return fail(SCREE_ERROR_MEMORY, "out of memory listing OpenCL platforms");
    scree_result result = SCREE_OK;
    if (clGetPlatformIDs(count, platforms, NULL) != CL_SUCCESS) result = no_platform();
    for (cl_uint i = 0; i < count && result == SCREE_OK; i++) result = list_platform(platforms[i], list);
    memory_release(platforms);
    if (result == SCREE_OK && list->count == 0) return no_device();
    return result;
}

static bool contains(const char *text, const char *part) {
    const size_t length = strlen(part);
    for (; strlen(text) >= length; text++)
        if (strncasecmp(text, part, length) == 0) return true;
    return false;
}

/* GPUs before other devices, then by compute units; the first of equals. */
static bool better(const scree_device_info *a, const scree_device_info *b) {
    if (a->gpu != b->gpu) return a->gpu;
    return a->compute_units > b->compute_units;
}

/* Returns the best available device of those whose name contains `part` (NULL: of all); −1 if there is
 * none. */
static int best_device(const candidate_list *list, const char *part) {
    int best = -1;
    scree_device_info best_info = {0};
    for (int i = 0; i < list->count; i++) {
        const scree_device_info info = describe(list->items[i]);
        if (!info.available || (part && !contains(info.name, part))) continue;
        if (best < 0 || better(&info, &best_info)) best = i, best_info = info;
    }
    return best;
}

static bool is_number(const char *wanted) { return wanted[strspn(wanted, "0123456789")] == 0; }

/* Converts a plain number to an index; −1 if it is not below `count`. */
static int index_of(const char *wanted, int count) {
    const long index = strtol(wanted, NULL, 10);
    return index < count ? (int)index : -1;
}

static scree_result no_match(const candidate_list *list, const char *wanted) {
    char names[4096] = "";
    size_t length = 0;
    for (int i = 0; i < list->count && length < sizeof names; i++) {
        const scree_device_info info = describe(list->items[i]);
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%d: %s (%s)%s", i ? "; " : "", i,
                                   info.name, info.platform, info.available ? "" : " [not available]");
    }
    if (wanted && is_number(wanted))
        return fail(SCREE_ERROR_NO_DEVICE, "OpenCL device number %s does not exist; available: %s", wanted,
                    names);
    if (wanted)
        return fail(SCREE_ERROR_NO_DEVICE, "no available OpenCL device matches `%s`; installed: %s", wanted,
                    names);
    return fail(SCREE_ERROR_NO_DEVICE, "no OpenCL device is available; installed: %s", names);
}

scree_result scree_device_list(scree_device_info *out, int capacity, int *count) {
    candidate_list list = {0};
    REQUIRE(count);
    if (capacity > 0) REQUIRE(out);
    pthread_mutex_lock(&lock);
    const scree_result result = list_candidates(&list);
    if (result == SCREE_OK) {
        const int best = best_device(&list, NULL);
        for (int i = 0; i < list.count && i < capacity; i++) {
            out[i] = describe(list.items[i]);
            out[i].chosen = i == best;
        }
        *count = list.count;
    }
    pthread_mutex_unlock(&lock);
    memory_release(list.items);
    return result;
}

/* Lowers the memory of a device to the limit of the environment. Errors: ARGUMENT. */
static scree_result limit_memory(uint64_t *memory) {
    const char *text = getenv("SCREE_DEVICE_MEMORY_LIMIT");
    char *end = NULL;
    if (!text || !*text) return SCREE_OK;
    const uint64_t limit = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (!end || *end)
        return fail(SCREE_ERROR_ARGUMENT,
                    "SCREE_DEVICE_MEMORY_LIMIT: \"%s\"; must be a whole number of bytes", text);
    if (limit < *memory) *memory = limit;
    return SCREE_OK;
}

enum { LEAST_ALIGNMENT = 128 /* bytes: cache lines of any device */ };

static void release(opencl_device *device) {
    opencl_scratch_release(device);
    if (device->queue) opencl_staging_release(&device->staging, device->queue);
    if (device->queue) clReleaseCommandQueue(device->queue);
    if (device->context) clReleaseContext(device->context);
    device->queue = NULL;
    device->context = NULL;
}

static size_t alignment_of(cl_device_id id) {
    const uint64_t bits = device_number(id, CL_DEVICE_MEM_BASE_ADDR_ALIGN);
    return bits > 8 * LEAST_ALIGNMENT ? (size_t)bits / 8 : LEAST_ALIGNMENT;
}

static scree_result open_candidate(candidate chosen, opencl_device *out) {
    opencl_device device = {.platform = chosen.platform, .id = chosen.id, .info = describe(chosen)};
    platform_text(chosen.platform, CL_PLATFORM_VERSION, device.platform_version,
                  sizeof device.platform_version);
    device.memory_limit = device.info.memory;
    TRY(limit_memory(&device.memory_limit));
    device.alignment = alignment_of(chosen.id);
    device.scratch.epoch = 1;
    device.staging.on = !opencl_test_hooks.without_staging;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)chosen.platform,
                                                0};
    cl_int code;
    char what[256];
    device.context = clCreateContext(properties, 1, &device.id, NULL, NULL, &code);
    if (code == CL_SUCCESS) device.queue = clCreateCommandQueue(device.context, device.id, 0, &code);
    if (code != CL_SUCCESS) {
        release(&device);
        snprintf(what, sizeof what, "opening the device `%s`", device.info.name);
        return opencl_fail(code, what);
    }
    *out = device;
    return SCREE_OK;
}

/* Lists all devices, and sets the index of the wanted one. The caller releases the items, also after a
 * failure. */
static scree_result choose(const char *wanted, candidate_list *list, int *chosen) {
    if (wanted && !wanted[0]) wanted = NULL;
    TRY(list_candidates(list));
    *chosen = wanted && is_number(wanted) ? index_of(wanted, list->count) : best_device(list, wanted);
    return *chosen < 0 ? no_match(list, wanted) : SCREE_OK;
}

scree_result opencl_device_open(const char *wanted, opencl_device *out) {
    candidate_list list = {0};
    int chosen = 0;
    pthread_mutex_lock(&lock);
    scree_result result = choose(wanted, &list, &chosen);
    if (result == SCREE_OK) result = open_candidate(list.items[chosen], out);
    pthread_mutex_unlock(&lock);
    memory_release(list.items);
    return result;
}

scree_result scree_device_find(const char *wanted, scree_device_info *out) {
    candidate_list list = {0};
    int chosen = 0;
    REQUIRE(out);
    pthread_mutex_lock(&lock);
    const scree_result result = choose(wanted, &list, &chosen);
    if (result == SCREE_OK) *out = describe(list.items[chosen]);
    pthread_mutex_unlock(&lock);
    memory_release(list.items);
    return result;
}

scree_result opencl_device_profile(opencl_device *device) {
    cl_int code;
    if (device->member)
        return fail(SCREE_ERROR_ARGUMENT, "profile: true; must be false for a world of a group");
    cl_command_queue queue =
        clCreateCommandQueue(device->context, device->id, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS) return opencl_fail(code, "creating a profiling queue");
    clReleaseCommandQueue(device->queue);
    device->queue = queue;
    device->profiled = true;
    return SCREE_OK;
}

static void close_member(opencl_device *device) {
    opencl_scratch_release(device);
    opencl_group_part(device);
}

void opencl_device_close(opencl_device *device) {
    if (device->member) close_member(device);
    if (!device->queue && !device->context) return;
    opencl_traffic_drop(device);
    memory_release(device->timed);
    pthread_mutex_lock(&lock);
    release(device);
    pthread_mutex_unlock(&lock);
}
