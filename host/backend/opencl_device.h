/* OpenCL devices, contexts and programs: what the solver and the ray caster share. */
#ifndef SCREE_BACKEND_OPENCL_DEVICE_H
#define SCREE_BACKEND_OPENCL_DEVICE_H

#include <CL/cl.h>

#include <scree/device.h>

/* A chosen device with its context and an in-order queue. */
typedef struct opencl_device {
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    scree_device_info info;
} opencl_device;

/* Opens the device whose name contains `wanted` or whose index in scree_device_list it is; null: the best (a
 * GPU before a CPU, then compute units). Errors: NO_PLATFORM, NO_DEVICE (lists what there is), DEVICE,
 * DEVICE_MEMORY. */
scree_result opencl_device_open(const char *wanted, opencl_device *out);
void opencl_device_close(opencl_device *device);

/* Builds one entry file (such as "solve.cl") with everything that it includes; from SCREE_KERNEL_DIR if that
 * is set. `options` are added to the standard ones. Programs are cached on disk. Errors: KERNEL_BUILD with
 * the log; DEVICE. */
scree_result opencl_program_build(const opencl_device *device, const char *entry, const char *options,
                                  cl_program *out);

/* A kernel of a program. Errors: DEVICE. */
scree_result opencl_kernel_create(cl_program program, const char *name, cl_kernel *out);

/* fail() with the code's name: DEVICE_MEMORY for allocation failures, else DEVICE; `what` says what was being
 * done. */
scree_result opencl_fail(cl_int code, const char *what);

#endif
