/* Traffic of a device by stage, and the device's time in its commands. */
#include "opencl_device.h"

#include "base/clock.h"
#include "base/memory.h"

static void add(scree_device_traffic *sum, const scree_device_traffic *from,
                const scree_device_traffic *before) {
    sum->launches += from->launches - before->launches;
    sum->waits += from->waits - before->waits;
    sum->bytes_up += from->bytes_up - before->bytes_up;
    sum->bytes_down += from->bytes_down - before->bytes_down;
    sum->work_items += from->work_items - before->work_items;
    sum->busy += from->busy - before->busy;
}

static void settle_stage(opencl_device *device) {
    add(&device->stages[device->stage], &device->traffic, &device->stage_mark);
    device->stage_mark = device->traffic;
}

void opencl_stage_follow(opencl_device *device) {
    if (device->stage == stage_current()) return;
    settle_stage(device);
    device->stage = stage_current();
}

cl_event *opencl_time_begin(opencl_device *device, scree_trace_span what) {
    if (!device->profiled ||
        MEMORY_RESERVE(device->timed, device->timed_capacity, device->timed_count + 1, NULL) != SCREE_OK)
        return NULL;
    timed_command *const command = &device->timed[device->timed_count];
    *command = (timed_command){.span = what};
    command->span.stage = device->stage;
    command->span.begin = clock_seconds();
    return &command->event;
}

cl_int opencl_time_end(opencl_device *device, const cl_event *event, cl_int code) {
    device->timed_count += event && code == CL_SUCCESS;
    return code;
}

/* Returns a time of a command on the device's clock, s; 0 if the driver does not tell it. */
static double time_of(cl_event event, cl_profiling_info when) {
    cl_ulong nanoseconds = 0;
    return clGetEventProfilingInfo(event, when, sizeof nanoseconds, &nanoseconds, NULL) == CL_SUCCESS
               ? 1e-9 * (double)nanoseconds
               : 0;
}

/* Returns the host's clock minus the device's, s. A command is queued after the host has begun to enqueue it,
 * so each one gives a lower bound; the largest is that of the quickest call. */
static double clock_offset(const opencl_device *device) {
    double offset = 0;
    for (int i = 0; i < device->timed_count; i++) {
        const timed_command *command = &device->timed[i];
        const double bound = command->span.begin - time_of(command->event, CL_PROFILING_COMMAND_QUEUED);
        if (i == 0 || bound > offset) offset = bound;
    }
    return offset;
}

static void take_times(opencl_device *device, stage_log *log) {
    const double offset = clock_offset(device);
    for (int i = 0; i < device->timed_count; i++) {
        timed_command *command = &device->timed[i];
        scree_trace_span span = command->span;
        span.begin = offset + time_of(command->event, CL_PROFILING_COMMAND_START);
        span.end = offset + time_of(command->event, CL_PROFILING_COMMAND_END);
        if (span.track == SCREE_TRACK_KERNELS) device->stages[span.stage].busy += span.end - span.begin;
        if (log) stage_log_span(log, span);
        clReleaseEvent(command->event);
    }
    device->timed_count = 0;
}

void opencl_traffic_take(opencl_device *device, scree_stage_report to[SCREE_STAGE_COUNT], stage_log *log) {
    const scree_device_traffic none = {0};
    settle_stage(device);
    take_times(device, log);
    for (int i = 0; i < SCREE_STAGE_COUNT; i++) {
        add(&to[i].device, &device->stages[i], &none);
        device->stages[i] = none;
    }
    device->traffic = device->stage_mark = none;
}

void opencl_traffic_drop(opencl_device *device) {
    scree_stage_report dropped[SCREE_STAGE_COUNT] = {0};
    opencl_traffic_take(device, dropped, NULL);
}
