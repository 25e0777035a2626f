#include "opencl_device.h"

#include "base/error.h"

#include "layout_fields.h"

#include <stddef.h>

/* A size or offset on the host. */
typedef struct measure {
    const char *of;
    int bytes;
} measure;

#define SIZE_OF(type) {"sizeof(" #type ")", (int)sizeof(type)},
#define OFFSET_OF(type, field) {"offsetof(" #type ", " #field ")", (int)offsetof(type, field)},
static const measure measures[] = {LAYOUT_FIELDS(SIZE_OF, OFFSET_OF)};

enum { MEASURES = sizeof measures / sizeof *measures };

static scree_result run(opencl_device *device, cl_kernel kernel, opencl_buffer *buffer, int *found) {
    TRY(opencl_buffer_reserve(device, buffer, (MEASURES + 1) * sizeof(int), "the layout probe"));
    cl_int code = clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer->memory);
    const size_t one = 1;
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    if (code != CL_SUCCESS) return opencl_fail(code, "running the layout probe");
    return opencl_buffer_read(device, buffer, found, (MEASURES + 1) * sizeof(int), CL_TRUE,
                              "the layout probe");
}

static scree_result compare(const opencl_device *device, const int *found) {
    if (found[MEASURES] != MEASURES)
        return fail(SCREE_ERROR_DEVICE,
                    "layout probe of `%s`: %d measurements; the host has %d: the kernels in "
                    "SCREE_KERNEL_DIR are from another version",
                    device->info.name, found[MEASURES], MEASURES);
    for (int i = 0; i < MEASURES; i++)
        if (found[i] != measures[i].bytes)
            return fail(SCREE_ERROR_DEVICE,
                        "`%s` (driver %s): struct layout differs: %s is %d on the device, %d on the host",
                        device->info.name, device->info.driver, measures[i].of, found[i], measures[i].bytes);
    return SCREE_OK;
}

scree_result opencl_layout_check(opencl_device *device) {
    cl_program program;
    TRY(opencl_program_build(device, "probe.cl", NULL, &program));
    cl_kernel kernel = NULL;
    opencl_buffer buffer = {0};
    int found[MEASURES + 1];
    scree_result result = opencl_kernel_create(device, program, "probe_layout", &kernel);
    if (result == SCREE_OK) result = run(device, kernel, &buffer, found);
    if (result == SCREE_OK) result = compare(device, found);
    opencl_buffer_release(device, &buffer);
    if (kernel) clReleaseKernel(kernel);
    clReleaseProgram(program);
    return result;
}
