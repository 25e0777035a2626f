/* Growing buffers within the limits of the device's memory. */
#include "opencl_group.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>

enum { SMALLEST = 256 };

void opencl_memory_free(opencl_device *device, cl_mem memory, size_t bytes) {
    device->memory_used -= bytes;
    if (device->member)
        opencl_member_free(device, memory, bytes);
    else
        clReleaseMemObject(memory);
}

void opencl_buffer_release(opencl_device *device, opencl_buffer *buffer) {
    if (buffer->memory && !buffer->epoch) {
        opencl_memory_free(device, buffer->memory, buffer->bytes);
    }
    *buffer = (opencl_buffer){0};
}

static scree_result too_large(const opencl_device *device, size_t bytes, uint64_t available,
                              const char *what) {
    return fail(SCREE_ERROR_DEVICE_MEMORY,
                "out of device memory: %s needs %zu bytes on `%s`, where %" PRIu64 " are available (%" PRIu64
                " in all, %" PRIu64 " in one buffer)",
                what, bytes, device->info.name, available, device->memory_limit, device->info.max_allocation);
}

uint64_t opencl_memory_available(const opencl_device *device) {
    if (device->member) return opencl_member_available(device);
    const uint64_t available =
        device->memory_limit > device->memory_used ? device->memory_limit - device->memory_used : 0;
    return available < device->info.max_allocation ? available : device->info.max_allocation;
}

scree_result opencl_memory_allocate(opencl_device *device, size_t bytes, const char *what, cl_mem *out) {
    const uint64_t available = opencl_memory_available(device);
    cl_int code;
    if (bytes > available || opencl_command_refused()) return too_large(device, bytes, available, what);
    if (device->member) {
        TRY(opencl_member_allocate(device, bytes, what, out));
        device->memory_used += bytes;
        return SCREE_OK;
    }
    cl_mem memory = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_INVALID_BUFFER_SIZE ||
        code == CL_OUT_OF_RESOURCES)
        return too_large(device, bytes, available, what);
    if (code != CL_SUCCESS) {
        char text[128];
        snprintf(text, sizeof text, "allocating %zu bytes for %s", bytes, what);
        return opencl_fail(code, text);
    }
    device->memory_used += bytes;
    *out = memory;
    return SCREE_OK;
}

/* Returns a capacity an eighth larger than the old one, so that a slowly growing pile does not reallocate in
 * every step, or the needed size if that would not fit. */
static size_t grown(size_t old, size_t needed, uint64_t available) {
    size_t bytes = old + old / 8;
    if (bytes < needed || bytes > available) bytes = needed;
    if (bytes < SMALLEST) bytes = SMALLEST;
    return bytes;
}

static bool serves(const opencl_device *device, const opencl_buffer *buffer, size_t bytes) {
    return buffer->memory && bytes <= buffer->bytes &&
           (!buffer->epoch || buffer->epoch == device->scratch.epoch);
}

/* The old buffer is released after the new one exists, so both count. */
scree_result opencl_buffer_reserve(opencl_device *device, opencl_buffer *buffer, size_t bytes,
                                   const char *what) {
    cl_mem memory = NULL;
    if (serves(device, buffer, bytes)) return SCREE_OK;
    const size_t old = buffer->epoch ? 0 : buffer->bytes,
                 wanted = grown(old, bytes, opencl_memory_available(device));
    TRY(opencl_memory_allocate(device, wanted, what, &memory));
    opencl_buffer_release(device, buffer);
    *buffer = (opencl_buffer){memory, wanted, 0};
    return SCREE_OK;
}

/* Returns the result of a copy; the message is `before`, `what`, `after`. */
static scree_result copied(cl_int code, const char *before, const char *what, const char *after) {
    if (code == CL_SUCCESS) return SCREE_OK;
    char text[128];
    snprintf(text, sizeof text, "%s %s %s", before, what, after);
    return opencl_fail(code, text);
}

/* The queue is in order: a read that waited has waited for all commands before it. */
static void settle(opencl_device *device, cl_bool waited, cl_int code) {
    if (waited && code == CL_SUCCESS) opencl_staging_settle(&device->staging, device->context, device->queue);
}

/* Counts a copy or fill to the current stage, and returns its event if it is timed. */
static cl_event *begin_copy(opencl_device *device, const char *what, size_t bytes) {
    opencl_stage_follow(device);
    return opencl_time_begin(device,
                             (scree_trace_span){.track = SCREE_TRACK_COPIES, .name = what, .bytes = bytes});
}

scree_result opencl_buffer_write(opencl_device *device, opencl_buffer *buffer, const void *from, size_t bytes,
                                 cl_bool waits, const char *what) {
    TRY(opencl_buffer_reserve(device, buffer, bytes, what));
    if (bytes == 0) return SCREE_OK;
    const void *staged = waits ? NULL : opencl_staging_send(&device->staging, from, bytes);
    cl_event *event = begin_copy(device, what, bytes);
    device->traffic.bytes_up += bytes;
    if (device->member) /* which copies the data */
        return commands_write(&device->member->commands, member_place(buffer->memory, 0), from, bytes);
    device->traffic.waits += waits;
    /* A write that waits does so for its own data alone: commands before it may still read pinned memory. */
    const cl_int code = opencl_command_refused()
                            ? CL_OUT_OF_RESOURCES
                            : clEnqueueWriteBuffer(device->queue, buffer->memory, waits, 0, bytes,
                                                   staged ? staged : from, 0, NULL, event);
    return copied(opencl_time_end(device, event, code), "copying", what, "to the device");
}

static scree_result read_member(opencl_device *device, const opencl_buffer *buffer, size_t first, void *to,
                                size_t bytes, cl_bool waits) {
    TRY(commands_move(&device->member->commands, (device_command){.kind = COMMAND_READ,
                                                                  .from = member_place(buffer->memory, first),
                                                                  .bytes = bytes,
                                                                  .target = to}));
    return waits ? opencl_device_wait(device) : SCREE_OK;
}

scree_result opencl_buffer_read_from(opencl_device *device, const opencl_buffer *buffer, size_t first,
                                     void *to, size_t bytes, cl_bool waits, const char *what) {
    if (bytes == 0) return SCREE_OK;
    void *staged = waits ? NULL : opencl_staging_fetch(&device->staging, to, bytes);
    cl_event *event = begin_copy(device, what, bytes);
    device->traffic.bytes_down += bytes;
    if (device->member) return read_member(device, buffer, first, to, bytes, waits);
    device->traffic.waits += waits;
    const cl_int code = opencl_command_refused()
                            ? CL_OUT_OF_RESOURCES
                            : clEnqueueReadBuffer(device->queue, buffer->memory, waits, first, bytes,
                                                  staged ? staged : to, 0, NULL, event);
    settle(device, waits, opencl_time_end(device, event, code));
    return copied(code, "reading", what, "back from the device");
}

scree_result opencl_buffer_read(opencl_device *device, const opencl_buffer *buffer, void *to, size_t bytes,
                                cl_bool waits, const char *what) {
    return opencl_buffer_read_from(device, buffer, 0, to, bytes, waits, what);
}

scree_result opencl_device_wait(opencl_device *device) {
    opencl_stage_follow(device);
    device->traffic.waits++;
    if (device->member) return opencl_member_wait(device);
    const cl_int code = opencl_command_refused() ? CL_OUT_OF_RESOURCES : clFinish(device->queue);
    settle(device, CL_TRUE, code);
    return code == CL_SUCCESS ? SCREE_OK : opencl_fail(code, "waiting for the device");
}

void opencl_device_abandon(opencl_device *device) {
    if (device->member) opencl_member_abandon(device);
    if (device->queue) clFinish(device->queue);
    opencl_staging_drop(&device->staging);
}

scree_result opencl_buffer_copy(opencl_device *device, const opencl_buffer *from, const opencl_buffer *to,
                                size_t bytes, const char *what) {
    return opencl_buffer_copy_from(device, from, 0, to, bytes, what);
}

scree_result opencl_buffer_copy_from(opencl_device *device, const opencl_buffer *from, size_t first,
                                     const opencl_buffer *to, size_t bytes, const char *what) {
    if (bytes == 0) return SCREE_OK;
    cl_event *event = begin_copy(device, what, bytes);
    device->traffic.launches++;
    if (device->member)
        return commands_move(&device->member->commands,
                             (device_command){.kind = COMMAND_COPY,
                                              .from = member_place(from->memory, first),
                                              .to = member_place(to->memory, 0),
                                              .bytes = bytes});
    const cl_int code =
        opencl_command_refused()
            ? CL_OUT_OF_RESOURCES
            : clEnqueueCopyBuffer(device->queue, from->memory, to->memory, first, 0, bytes, 0, NULL, event);
    return opencl_time_end(device, event, code) == CL_SUCCESS ? SCREE_OK : opencl_fail(code, what);
}

scree_result opencl_buffer_clear(opencl_device *device, const opencl_buffer *buffer, size_t bytes,
                                 const char *what) {
    return opencl_buffer_clear_from(device, buffer, 0, bytes, what);
}

scree_result opencl_buffer_clear_from(opencl_device *device, const opencl_buffer *buffer, size_t first,
                                      size_t bytes, const char *what) {
    const cl_uint zero = 0;
    char text[128];
    if (bytes == 0) return SCREE_OK;
    cl_event *event = begin_copy(device, what, bytes);
    device->traffic.launches++;
    if (device->member)
        return commands_move(&device->member->commands,
                             (device_command){.kind = COMMAND_CLEAR,
                                              .to = member_place(buffer->memory, first),
                                              .bytes = bytes});
    const cl_int code = opencl_command_refused()
                            ? CL_OUT_OF_RESOURCES
                            : clEnqueueFillBuffer(device->queue, buffer->memory, &zero, sizeof zero, first,
                                                  bytes, 0, NULL, event);
    if (opencl_time_end(device, event, code) == CL_SUCCESS) return SCREE_OK;
    snprintf(text, sizeof text, "clearing %s", what);
    return opencl_fail(code, text);
}
