/* Measures the speed of a device: copies and launches. */
#include "opencl_device.h"

#include "base/clock.h"
#include "base/error.h"

#include <stdlib.h>

enum { REPEATS = 7, LAUNCHES = 500, LARGEST_COPY = 256 << 20 };

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(double values[REPEATS]) {
    qsort(values, REPEATS, sizeof *values, compare);
    return values[REPEATS / 2];
}

/* The first repeat, which allocates pages, is not counted. */
static scree_result measure_copy(opencl_device *device, double *bandwidth) {
    const uint64_t quarter = device->info.max_allocation / 4;
    const size_t bytes = quarter < LARGEST_COPY ? (size_t)quarter : LARGEST_COPY;
    opencl_buffer from = {0}, to = {0};
    double seconds[REPEATS];
    scree_result result = opencl_buffer_reserve(device, &from, bytes, "measuring copies");
    if (result == SCREE_OK) result = opencl_buffer_reserve(device, &to, bytes, "measuring copies");
    for (int r = -1; r < REPEATS && result == SCREE_OK; r++) {
        const double begun = clock_seconds();
        cl_int code = clEnqueueCopyBuffer(device->queue, from.memory, to.memory, 0, 0, bytes, 0, NULL, NULL);
        if (code == CL_SUCCESS) code = clFinish(device->queue);
        if (code != CL_SUCCESS) result = opencl_fail(code, "measuring copies");
        if (r >= 0) seconds[r] = clock_seconds() - begun;
    }
    if (result == SCREE_OK) *bandwidth = 2.0 * (double)bytes / middle(seconds);
    opencl_buffer_release(device, &from);
    opencl_buffer_release(device, &to);
    return result;
}

/* Measures the seconds per launch of `count` launches in a row, with a wait at the end. */
static scree_result time_launches(opencl_device *device, cl_kernel kernel, int count, double *seconds) {
    const double begun = clock_seconds();
    const size_t one = 1;
    cl_int code = CL_SUCCESS;
    for (int i = 0; i < count && code == CL_SUCCESS; i++)
        code = clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    if (code == CL_SUCCESS) code = clFinish(device->queue);
    if (code != CL_SUCCESS) return opencl_fail(code, "measuring launches");
    *seconds = (clock_seconds() - begun) / count;
    return SCREE_OK;
}

static scree_result measure_launches(opencl_device *device, cl_kernel kernel, scree_device_speed *out) {
    opencl_buffer buffer = {0};
    double rows[REPEATS], single[REPEATS];
    scree_result result = opencl_buffer_reserve(device, &buffer, sizeof(int), "measuring launches");
    if (result == SCREE_OK) {
        const cl_int code = clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer.memory);
        if (code != CL_SUCCESS) result = opencl_fail(code, "measuring launches");
    }
    if (result == SCREE_OK) result = time_launches(device, kernel, LAUNCHES, rows); /* warm-up, not counted */
    for (int r = 0; r < REPEATS && result == SCREE_OK; r++) {
        result = time_launches(device, kernel, LAUNCHES, &rows[r]);
        if (result == SCREE_OK) result = time_launches(device, kernel, 1, &single[r]);
    }
    if (result == SCREE_OK) out->launch = middle(rows), out->wait = middle(single);
    opencl_buffer_release(device, &buffer);
    return result;
}

scree_result scree_device_measure(const char *wanted, scree_device_speed *out) {
    REQUIRE(out);
    *out = (scree_device_speed){0};
    opencl_device device;
    TRY(opencl_device_open(wanted, &device));
    cl_program program = NULL;
    cl_kernel kernel = NULL;
    scree_device_speed speed = {0};
    scree_result result = opencl_program_build(&device, "probe.cl", NULL, &program);
    if (result == SCREE_OK) result = opencl_kernel_create(&device, program, "probe_nothing", &kernel);
    if (result == SCREE_OK) result = measure_launches(&device, kernel, &speed);
    if (result == SCREE_OK) result = measure_copy(&device, &speed.copy_bandwidth);
    if (kernel) clReleaseKernel(kernel);
    if (program) clReleaseProgram(program);
    opencl_device_close(&device);
    if (result == SCREE_OK) *out = speed;
    return result;
}
