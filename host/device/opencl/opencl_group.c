#include "opencl_group.h"

#include "base/memory.h"
#include "device/backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local scree_group *entered; /* the group of this thread */

enum { SMALLEST_MEMORY = 1 << 22 }; /* bytes; it doubles when it is full */

static scree_result open_moves(scree_group *self) {
    TRY(opencl_program_build(&self->device, "merge.cl", NULL, &self->program));
    return opencl_kernel_create(&self->device, self->program, "merge_moves", &self->moves);
}

static scree_result open(scree_group *self, const char *device) {
    TRY(opencl_device_open(device, &self->device));
    TRY(opencl_layout_check(&self->device));
    opencl_traffic_drop(&self->device); /* counts that of the worlds only */
    return open_moves(self);
}

scree_result scree_group_create(const char *device, int threads, scree_group **out) {
    REQUIRE(out);
    if (threads < 0) return fail(SCREE_ERROR_ARGUMENT, "threads: %d; must be >= 0", threads);
    scree_group *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: a group of worlds");
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->served, NULL);
    self->expected = threads;
    const scree_result result = open(self, device);
    if (result == SCREE_OK)
        *out = self;
    else
        scree_group_destroy(self);
    return result;
}

void scree_group_destroy(scree_group *self) {
    if (!self) return;
    opencl_merge_release(self);
    for (int i = 0; i < self->kernel_count; i++) clReleaseKernel(self->kernels[i].kernel);
    for (int i = 0; i < self->program_count; i++) {
        clReleaseProgram(self->programs[i].program);
        memory_release(self->programs[i].entry);
        memory_release(self->programs[i].options);
    }
    if (self->moves) clReleaseKernel(self->moves);
    if (self->program) clReleaseProgram(self->program);
    if (self->memory.memory) clReleaseMemObject(self->memory.memory);
    opencl_device_close(&self->device);
    memory_ranges_release(&self->free);
    memory_release(self->programs);
    memory_release(self->kernels);
    pthread_cond_destroy(&self->served);
    pthread_mutex_destroy(&self->mutex);
    memory_release(self);
}

static void lock(scree_group *self) { pthread_mutex_lock(&self->mutex); }
static void unlock(scree_group *self) { pthread_mutex_unlock(&self->mutex); }

static int count_waiting(const scree_group *self) {
    int count = 0;
    for (const opencl_member *member = self->members; member; member = member->next) count += member->waiting;
    return count;
}

/* Once all threads are blocked: runs the commands of those that wait, or, if all begin a step, lets them. */
static void serve(scree_group *self) {
    if (self->blocked < self->threads || self->entered < self->expected || self->blocked == 0) return;
    if (self->blocked == self->meeting) {
        self->meetings++;
        self->blocked = self->meeting = 0;
    } else {
        self->blocked -= count_waiting(self);
        opencl_merge(self, NULL);
    }
    pthread_cond_broadcast(&self->served);
}

void scree_group_enter(scree_group *self) {
    if (!self || entered) return;
    lock(self);
    entered = self;
    self->entered++;
    self->threads++;
    unlock(self);
}

void scree_group_leave(scree_group *self) {
    if (!self || entered != self) return;
    lock(self);
    entered = NULL;
    self->threads--;
    serve(self);
    unlock(self);
}

void group_meet(scree_group *self) {
    if (!self || entered != self) return;
    lock(self);
    const uint64_t meetings = self->meetings;
    self->blocked++;
    self->meeting++;
    serve(self);
    while (self->meetings == meetings) pthread_cond_wait(&self->served, &self->mutex);
    unlock(self);
}

scree_device_traffic scree_group_get_traffic(scree_group *self) {
    REQUIRE_ELSE(self, (scree_device_traffic){0});
    lock(self);
    const scree_device_traffic traffic = self->device.traffic;
    unlock(self);
    return traffic;
}

scree_result opencl_member_wait(opencl_device *device) {
    opencl_member *member = device->member;
    scree_group *self = member->group;
    lock(self);
    if (entered == self) {
        member->waiting = true;
        self->blocked++;
        serve(self);
        while (member->waiting) pthread_cond_wait(&self->served, &self->mutex);
    } else {
        opencl_merge(self, member);
    }
    const cl_int code = member->code;
    unlock(self);
    return code == CL_SUCCESS ? SCREE_OK : opencl_fail(code, "running the commands of a group of worlds");
}

/* Runs the commands of this world alone, so that what it has freed is free. */
void opencl_member_abandon(opencl_device *device) {
    opencl_member *member = device->member;
    commands_drop_reads(&member->commands);
    lock(member->group);
    opencl_merge(member->group, member);
    unlock(member->group);
}

scree_result opencl_group_join(scree_group *self, opencl_device *out) {
    opencl_member *member = memory_allocate(1, sizeof *member);
    if (!member) return fail(SCREE_ERROR_MEMORY, "out of memory: a world of a group");
    *out = (opencl_device){.platform = self->device.platform,
                           .id = self->device.id,
                           .info = self->device.info,
                           .memory_limit = self->device.memory_limit,
                           .alignment = self->device.alignment,
                           .scratch = {.epoch = 1},
                           .member = member};
    memcpy(out->platform_version, self->device.platform_version, sizeof out->platform_version);
    member->group = self;
    lock(self);
    member->next = self->members;
    self->members = member;
    unlock(self);
    return SCREE_OK;
}

static void remove_member(scree_group *self, const opencl_member *member) {
    opencl_member **at = &self->members;
    while (*at != member) at = &(*at)->next;
    *at = member->next;
}

void opencl_group_part(opencl_device *device) {
    opencl_member *member = device->member;
    scree_group *self = member->group;
    lock(self);
    for (int i = 0; i < member->freed_count; i++) (void)memory_ranges_give(&self->free, member->freed[i]);
    remove_member(self, member);
    unlock(self);
    commands_release(&member->commands);
    memory_release(member->freed);
    memory_release(member);
    device->member = NULL;
}

static uint64_t limit_of(const scree_group *self) {
    const uint64_t limit = self->device.memory_limit, most = self->device.info.max_allocation;
    return limit < most ? limit : most;
}

uint64_t opencl_member_available(const opencl_device *device) {
    scree_group *self = device->member->group;
    lock(self);
    const uint64_t used = self->used, limit = limit_of(self);
    unlock(self);
    return used < limit ? limit - used : 0;
}

/* Enlarges the memory by at least `bytes`, to twice its size or the limit. Returns OpenCL's code. */
static cl_int grow(scree_group *self, uint64_t bytes) {
    const uint64_t before = self->memory.bytes, least = before + bytes + COMMAND_UNIT;
    uint64_t wanted = 2 * before > SMALLEST_MEMORY ? 2 * before : SMALLEST_MEMORY;
    if (wanted > limit_of(self)) wanted = limit_of(self);
    if (wanted < least) wanted = least;
    if (wanted > limit_of(self)) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    const cl_int code = opencl_merged_buffer_grow(self, &self->memory, wanted, true);
    if (code != CL_SUCCESS) return code;
    /* A place is never 0, by which a buffer would be null. */
    const uint64_t first = before ? before : self->device.alignment;
    return memory_ranges_give(&self->free, (memory_range){first, wanted - first}) == SCREE_OK
               ? CL_SUCCESS
               : CL_OUT_OF_HOST_MEMORY;
}

static uint64_t whole_of(const opencl_device *device, size_t bytes) {
    const uint64_t aligned = device->alignment;
    return ((uint64_t)bytes + aligned - 1) / aligned * aligned;
}

scree_result opencl_member_allocate(opencl_device *device, size_t bytes, const char *what, cl_mem *out) {
    scree_group *self = device->member->group;
    const uint64_t whole = whole_of(device, bytes);
    uint64_t first;
    cl_int code = CL_SUCCESS;
    lock(self);
    memory_ranges_take(&self->free, whole, &first);
    if (first == UINT64_MAX) {
        code = grow(self, whole + device->alignment);
        if (code == CL_SUCCESS) memory_ranges_take(&self->free, whole, &first);
    }
    self->used += code == CL_SUCCESS ? whole : 0;
    const uint64_t used = self->used;
    unlock(self);
    if (code != CL_SUCCESS)
        return fail(
            SCREE_ERROR_DEVICE_MEMORY,
            "out of device memory: %s needs %zu bytes on `%s`, where the worlds of a group have %" PRIu64
            " of at most %" PRIu64,
            what, bytes, device->info.name, used, limit_of(self));
    *out = member_memory(first);
    return SCREE_OK;
}

void opencl_member_free(opencl_device *device, cl_mem memory, size_t bytes) {
    opencl_member *member = device->member;
    scree_group *self = member->group;
    const memory_range range = {member_place(memory, 0), whole_of(device, bytes)};
    lock(self);
    self->used -= range.bytes;
    /* Recorded commands may still use it. Without memory for the list it stays taken. */
    if (MEMORY_RESERVE(member->freed, member->freed_capacity, member->freed_count + 1, NULL) == SCREE_OK)
        member->freed[member->freed_count++] = range;
    unlock(self);
}

static char *copy_of(const char *text) {
    char *copy = memory_allocate(strlen(text) + 1, 1);
    return copy ? strcpy(copy, text) : NULL;
}

static scree_result add_program(scree_group *self, const char *entry, const char *options) {
    TRY(MEMORY_RESERVE(self->programs, self->program_capacity, self->program_count + 1, NULL));
    merged_program added = {copy_of(entry), copy_of(options), NULL};
    scree_result result = added.entry && added.options
                              ? opencl_program_build_merged(&self->device, entry, options, &added.program)
                              : fail(SCREE_ERROR_MEMORY, "out of memory for a program");
    if (result == SCREE_OK) {
        self->programs[self->program_count++] = added;
        return SCREE_OK;
    }
    memory_release(added.entry);
    memory_release(added.options);
    return result;
}

/* Finds a program, or builds it. The group is locked. */
static scree_result find_program(scree_group *self, const char *entry, const char *options, cl_program *out) {
    int i = 0;
    while (i < self->program_count &&
           (strcmp(self->programs[i].entry, entry) || strcmp(self->programs[i].options, options)))
        i++;
    if (i == self->program_count) TRY(add_program(self, entry, options));
    *out = self->programs[i].program;
    clRetainProgram(*out);
    return SCREE_OK;
}

scree_result opencl_member_program(const opencl_device *device, const char *entry, const char *options,
                                   cl_program *out) {
    scree_group *self = device->member->group;
    lock(self);
    const scree_result result = find_program(self, entry, options ? options : "", out);
    unlock(self);
    return result;
}

static scree_result add_kernel(scree_group *self, cl_program program, const char *name) {
    cl_kernel kernel;
    TRY(MEMORY_RESERVE(self->kernels, self->kernel_capacity, self->kernel_count + 1, NULL));
    TRY(opencl_kernel_create(&self->device, program, name, &kernel));
    self->kernels[self->kernel_count++] = (merged_kernel){program, name, kernel};
    return SCREE_OK;
}

static scree_result find_kernel(scree_group *self, cl_program program, const char *name, cl_kernel *out) {
    int i = 0;
    while (i < self->kernel_count &&
           (self->kernels[i].program != program || strcmp(self->kernels[i].name, name)))
        i++;
    if (i == self->kernel_count) TRY(add_kernel(self, program, name));
    *out = self->kernels[i].kernel;
    clRetainKernel(*out);
    return SCREE_OK;
}

scree_result opencl_member_kernel(const opencl_device *device, cl_program program, const char *name,
                                  cl_kernel *out) {
    scree_group *self = device->member->group;
    lock(self);
    const scree_result result = find_kernel(self, program, name, out);
    unlock(self);
    return result;
}

/* Returns the index of a kernel of the group. */
static int kernel_index(scree_group *self, cl_kernel kernel) {
    int i = 0;
    lock(self);
    while (self->kernels[i].kernel != kernel) i++;
    unlock(self);
    return i;
}

scree_result opencl_member_launch(opencl_device *device, cl_kernel kernel, size_t global, size_t local,
                                  const kernel_argument *arguments, int count) {
    opencl_member *member = device->member;
    return commands_launch(&member->commands, kernel_index(member->group, kernel), global, local, arguments,
                           count);
}
