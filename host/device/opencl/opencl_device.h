/* OpenCL devices, contexts and programs: what the solver and the ray caster share. */
#ifndef SCREE_DEVICE_OPENCL_OPENCL_DEVICE_H
#define SCREE_DEVICE_OPENCL_OPENCL_DEVICE_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <scree/device.h>
#include <scree/statistics.h>

#include "opencl_staging.h"

/* A chosen device with its context and an in-order queue. */
typedef struct opencl_device {
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    scree_device_info info;
    char platform_version[128];
    uint64_t memory_limit; /* bytes that this context's buffers may take together */
    uint64_t memory_used;
    scree_device_traffic traffic; /* since the host last asked */
    opencl_staging staging;       /* of copies that do not wait */
    bool as_gpu;                  /* what suits a GPU is chosen, where a processor has it otherwise */
    int lanes;                    /* of kernels that update several groups at once; 1: there are none */
} opencl_device;

/* Opens the device whose name contains `wanted` or whose index in scree_device_list it is; null or empty: the
 * best (a GPU before a CPU, then compute units). The environment variable SCREE_DEVICE_MEMORY_LIMIT (bytes)
 * lowers the memory that buffers may take; SCREE_AS_GPU=1 has a processor do as a GPU does. Errors:
 * NO_PLATFORM, NO_DEVICE (lists what there is), DEVICE, DEVICE_MEMORY, MEMORY. */
scree_result opencl_device_open(const char *wanted, opencl_device *out);
/* What an environment variable says that is 0 or 1; `otherwise` where it says nothing. */
bool opencl_device_switch(const char *variable, bool otherwise);
/* Puts a queue whose events have times in the place of an idle one. Errors: DEVICE. */
scree_result opencl_device_profile(opencl_device *device);
/* Also fine for a zeroed one. */
void opencl_device_close(opencl_device *device);

/* Builds one entry file (such as "solve.cl") with everything that it includes; from SCREE_KERNEL_DIR if that
 * is set. `options` are added to the standard ones (null: none). Programs are cached on disk. Errors:
 * KERNEL_BUILD with the log; DEVICE; MEMORY. */
scree_result opencl_program_build(const opencl_device *device, const char *entry, const char *options,
                                  cl_program *out);

/* A kernel of a program. Errors: DEVICE. */
scree_result opencl_kernel_create(cl_program program, const char *name, cl_kernel *out);

/* A device buffer that grows. */
typedef struct opencl_buffer {
    cl_mem memory;
    size_t bytes;
} opencl_buffer;

/* Makes room for at least `bytes` (contents are lost when it grows). `what` names the buffer in messages.
 * Errors: DEVICE_MEMORY (the buffer stays as it was), DEVICE. */
scree_result opencl_buffer_reserve(opencl_device *device, opencl_buffer *buffer, size_t bytes,
                                   const char *what);
/* Reserves and copies `bytes` from the host; reads `bytes` back. Both return when the host's memory may be
 * used again. Errors: DEVICE_MEMORY, DEVICE. */
scree_result opencl_buffer_write(opencl_device *device, opencl_buffer *buffer, const void *from, size_t bytes,
                                 const char *what);
scree_result opencl_buffer_read(opencl_device *device, const opencl_buffer *buffer, void *to, size_t bytes,
                                const char *what);
/* The same without a wait: the host's memory must stay as it is until the next one, and what is read is there
 * after it. */
scree_result opencl_buffer_send(opencl_device *device, opencl_buffer *buffer, const void *from, size_t bytes,
                                const char *what);
scree_result opencl_buffer_fetch(opencl_device *device, const opencl_buffer *buffer, void *to, size_t bytes,
                                 const char *what);
/* Waits for everything that was asked for. Errors: DEVICE. */
scree_result opencl_device_wait(opencl_device *device);
/* Waits after a failure: what was to be read is not written any more. */
void opencl_device_abandon(opencl_device *device);
/* Copies within the device. Errors: DEVICE, with `what`. */
scree_result opencl_buffer_copy(opencl_device *device, const opencl_buffer *from, const opencl_buffer *to,
                                size_t bytes, const char *what);
/* Makes the first `bytes` zero. Errors: DEVICE. */
scree_result opencl_buffer_clear(opencl_device *device, const opencl_buffer *buffer, size_t bytes,
                                 const char *what);
void opencl_buffer_release(opencl_device *device, opencl_buffer *buffer);

/* fail() with the code's name: DEVICE_MEMORY for allocation failures, else DEVICE; `what` says what was being
 * done. */
scree_result opencl_fail(cl_int code, const char *what);

#endif
