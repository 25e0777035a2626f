/* Launches of kernels, and the device's time in them. */
#include "opencl_device.h"

#include "base/memory.h"

#include <stdio.h>

scree_result opencl_launch(opencl_device *device, cl_kernel kernel, const char *name, size_t global,
                           size_t local, const kernel_argument *arguments, int argument_count) {
    cl_event *event = NULL;
    cl_int code = CL_SUCCESS;
    if (device->profiled) {
        TRY(MEMORY_RESERVE(device->events, device->event_capacity, device->event_count + 1, NULL));
        event = &device->events[device->event_count];
    }
    for (int i = 0; i < argument_count && code == CL_SUCCESS; i++)
        code = clSetKernelArg(kernel, (cl_uint)i, arguments[i].bytes, arguments[i].value);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &global, &local, 0, NULL, event);
    device->traffic.launches++;
    if (code == CL_SUCCESS) {
        device->event_count += device->profiled;
        return SCREE_OK;
    }
    char what[128];
    snprintf(what, sizeof what, "launching the kernel `%s` over %zu work-items", name, global);
    return opencl_fail(code, what);
}

static double seconds_of(cl_event event) {
    cl_ulong begun, ended;
    const bool timed =
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begun, &begun, NULL) ==
            CL_SUCCESS &&
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL) == CL_SUCCESS;
    return timed ? 1e-9 * (double)(ended - begun) : 0;
}

traffic_mark opencl_traffic_mark(const opencl_device *device) {
    return (traffic_mark){device->traffic, device->event_count};
}

/* Adds the time of the launches since `first` to the device's traffic. */
static void time_launches(opencl_device *device, int first) {
    for (int i = first; i < device->event_count; i++) {
        device->traffic.busy += seconds_of(device->events[i]);
        clReleaseEvent(device->events[i]);
    }
    device->event_count = first;
}

static void add_difference(const scree_device_traffic *all, const scree_device_traffic *before,
                           scree_device_traffic *sum) {
    sum->launches += all->launches - before->launches;
    sum->waits += all->waits - before->waits;
    sum->bytes_up += all->bytes_up - before->bytes_up;
    sum->bytes_down += all->bytes_down - before->bytes_down;
    sum->busy += all->busy - before->busy;
}

void opencl_traffic_since(opencl_device *device, traffic_mark mark, scree_device_traffic *sum) {
    time_launches(device, mark.event_count);
    add_difference(&device->traffic, &mark.traffic, sum);
}

void opencl_traffic_between(const opencl_device *device, traffic_mark from, traffic_mark to,
                            scree_device_traffic *sum) {
    add_difference(&to.traffic, &from.traffic, sum);
    for (int i = from.event_count; i < to.event_count; i++) sum->busy += seconds_of(device->events[i]);
}

scree_device_traffic opencl_traffic_take(opencl_device *device) {
    time_launches(device, 0);
    const scree_device_traffic taken = device->traffic;
    device->traffic = (scree_device_traffic){0};
    return taken;
}
