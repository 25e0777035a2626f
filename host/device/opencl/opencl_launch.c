/* Launches of kernels. */
#include "opencl_group.h"

#include <stdio.h>

scree_result opencl_launch(opencl_device *device, cl_kernel kernel, const char *name, size_t global,
                           size_t local, const kernel_argument *arguments, int argument_count) {
    cl_int code = opencl_command_refused() ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
    opencl_stage_follow(device);
    device->traffic.launches++;
    device->traffic.work_items += global;
    if (device->member && code == CL_SUCCESS)
        return opencl_member_launch(device, kernel, global, local, arguments, argument_count);
    for (int i = 0; i < argument_count && code == CL_SUCCESS; i++)
        code = clSetKernelArg(kernel, (cl_uint)i, arguments[i].bytes, arguments[i].value);
    if (code == CL_SUCCESS) {
        cl_event *event = opencl_time_begin(
            device, (scree_trace_span){.track = SCREE_TRACK_KERNELS, .name = name, .work_items = global});
        code = clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &global, &local, 0, NULL, event);
        opencl_time_end(device, event, code);
    }
    if (code == CL_SUCCESS) return SCREE_OK;
    char what[128];
    snprintf(what, sizeof what, "launching the kernel `%s` over %zu work-items", name, global);
    return opencl_fail(code, what);
}
