/* The OpenCL functions that the engine calls. Each is forwarded to the ICD loader, libOpenCL.so.1, which the
 * first call opens; without it there is no platform. A library for machines with and without OpenCL has this
 * file instead of a link to the loader (CMake option SCREE_LOAD_OPENCL). */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "forward.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *loader;

static void open_loader(void) { loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL); }

static void *find(const char *name) {
    pthread_once(&once, open_loader);
    return loader ? dlsym(loader, name) : NULL;
}

#define FORWARD_CODE(name, parameters, arguments)                                                            \
    FORWARD(cl_int, CL_PLATFORM_NOT_FOUND_KHR, name, parameters, arguments)
#define FORWARD_OBJECT(result, name, parameters, arguments) FORWARD(result, NULL, name, parameters, arguments)

typedef void(CL_CALLBACK *context_notice)(const char *, const void *, size_t, void *);
typedef void(CL_CALLBACK *program_notice)(cl_program, void *);

FORWARD_CODE(clGetPlatformIDs, (cl_uint n, cl_platform_id *out, cl_uint *count), (n, out, count))
FORWARD_CODE(clGetPlatformInfo, (cl_platform_id a, cl_platform_info b, size_t n, void *out, size_t *size),
             (a, b, n, out, size))
FORWARD_CODE(clGetDeviceIDs,
             (cl_platform_id a, cl_device_type type, cl_uint n, cl_device_id *out, cl_uint *count),
             (a, type, n, out, count))
FORWARD_CODE(clGetDeviceInfo, (cl_device_id a, cl_device_info b, size_t n, void *out, size_t *size),
             (a, b, n, out, size))
FORWARD_OBJECT(cl_context, clCreateContext,
               (const cl_context_properties *a, cl_uint n, const cl_device_id *devices, context_notice tell,
                void *context, cl_int *code),
               (a, n, devices, tell, context, code))
FORWARD_CODE(clReleaseContext, (cl_context a), (a))
FORWARD_OBJECT(cl_command_queue, clCreateCommandQueue,
               (cl_context a, cl_device_id device, cl_command_queue_properties b, cl_int *code),
               (a, device, b, code))
FORWARD_CODE(clReleaseCommandQueue, (cl_command_queue a), (a))
FORWARD_CODE(clFinish, (cl_command_queue a), (a))
FORWARD_OBJECT(cl_mem, clCreateBuffer, (cl_context a, cl_mem_flags b, size_t n, void *host, cl_int *code),
               (a, b, n, host, code))
FORWARD_OBJECT(cl_mem, clCreateSubBuffer,
               (cl_mem a, cl_mem_flags b, cl_buffer_create_type c, const void *region, cl_int *code),
               (a, b, c, region, code))
FORWARD_CODE(clReleaseMemObject, (cl_mem a), (a))
FORWARD_OBJECT(cl_program, clCreateProgramWithSource,
               (cl_context a, cl_uint n, const char **texts, const size_t *sizes, cl_int *code),
               (a, n, texts, sizes, code))
FORWARD_OBJECT(cl_program, clCreateProgramWithBinary,
               (cl_context a, cl_uint n, const cl_device_id *devices, const size_t *sizes,
                const unsigned char **data, cl_int *status, cl_int *code),
               (a, n, devices, sizes, data, status, code))
FORWARD_CODE(clBuildProgram,
             (cl_program a, cl_uint n, const cl_device_id *devices, const char *options, program_notice tell,
              void *context),
             (a, n, devices, options, tell, context))
FORWARD_CODE(clGetProgramInfo, (cl_program a, cl_program_info b, size_t n, void *out, size_t *size),
             (a, b, n, out, size))
FORWARD_CODE(clGetProgramBuildInfo,
             (cl_program a, cl_device_id device, cl_program_build_info b, size_t n, void *out, size_t *size),
             (a, device, b, n, out, size))
FORWARD_CODE(clRetainProgram, (cl_program a), (a))
FORWARD_CODE(clReleaseProgram, (cl_program a), (a))
FORWARD_OBJECT(cl_kernel, clCreateKernel, (cl_program a, const char *name, cl_int *code), (a, name, code))
FORWARD_CODE(clRetainKernel, (cl_kernel a), (a))
FORWARD_CODE(clReleaseKernel, (cl_kernel a), (a))
FORWARD_CODE(clSetKernelArg, (cl_kernel a, cl_uint i, size_t n, const void *value), (a, i, n, value))
FORWARD_CODE(clGetKernelWorkGroupInfo,
             (cl_kernel a, cl_device_id device, cl_kernel_work_group_info b, size_t n, void *out,
              size_t *size),
             (a, device, b, n, out, size))

#define QUEUED cl_uint n, const cl_event *after, cl_event *event
FORWARD_CODE(clEnqueueNDRangeKernel,
             (cl_command_queue a, cl_kernel kernel, cl_uint axes, const size_t *from, const size_t *count,
              const size_t *group, QUEUED),
             (a, kernel, axes, from, count, group, n, after, event))
FORWARD_CODE(clEnqueueReadBuffer,
             (cl_command_queue a, cl_mem from, cl_bool wait, size_t place, size_t size, void *out, QUEUED),
             (a, from, wait, place, size, out, n, after, event))
FORWARD_CODE(clEnqueueWriteBuffer,
             (cl_command_queue a, cl_mem to, cl_bool wait, size_t place, size_t size, const void *data,
              QUEUED),
             (a, to, wait, place, size, data, n, after, event))
FORWARD_CODE(clEnqueueCopyBuffer,
             (cl_command_queue a, cl_mem from, cl_mem to, size_t place, size_t target, size_t size, QUEUED),
             (a, from, to, place, target, size, n, after, event))
FORWARD_CODE(clEnqueueFillBuffer,
             (cl_command_queue a, cl_mem to, const void *pattern, size_t width, size_t place, size_t size,
              QUEUED),
             (a, to, pattern, width, place, size, n, after, event))
FORWARD_OBJECT(void *, clEnqueueMapBuffer,
               (cl_command_queue a, cl_mem from, cl_bool wait, cl_map_flags flags, size_t place, size_t size,
                QUEUED, cl_int *code),
               (a, from, wait, flags, place, size, n, after, event, code))
FORWARD_CODE(clEnqueueUnmapMemObject, (cl_command_queue a, cl_mem from, void *mapped, QUEUED),
             (a, from, mapped, n, after, event))
FORWARD_CODE(clReleaseEvent, (cl_event a), (a))
FORWARD_CODE(clGetEventProfilingInfo, (cl_event a, cl_profiling_info b, size_t n, void *out, size_t *size),
             (a, b, n, out, size))
