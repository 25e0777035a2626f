/* OpenCL devices, contexts and programs, shared by the solver and the ray caster. */
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <scree/device.h>
#include <scree/statistics.h>

#include "base/stage_log.h"
#include "kernel_argument.h"
#include "opencl_scratch.h"
#include "opencl_staging.h"

/* A command that a profiling queue times. */
typedef struct timed_command {
    cl_event event;
    scree_trace_span span; /* `begin`: when it was enqueued */
} timed_command;

/* A chosen device with its context and an in-order queue, or the share of a world of a group in one
 * (opencl_group.h), which has neither. */
typedef struct opencl_device {
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    scree_device_info info;
    char platform_version[128];
    uint64_t memory_limit; /* bytes; limit for all buffers of this context together */
    uint64_t memory_used;
    size_t alignment;                               /* of parts of scratch memory, bytes */
    scree_device_traffic traffic;                   /* since the last call of opencl_traffic_take */
    scree_step_stage stage;                         /* of the last command */
    scree_device_traffic stage_mark;                /* `traffic` when that stage began */
    scree_device_traffic stages[SCREE_STAGE_COUNT]; /* parts of `traffic` up to then */
    bool profiled;
    int timed_count, timed_capacity;
    timed_command *timed;   /* since the last call of opencl_traffic_take, if profiled */
    opencl_staging staging; /* for copies that do not wait */
    opencl_scratch scratch;
    struct opencl_member *member; /* NULL: in no group */
} opencl_device;

/* Opens the device whose name contains `wanted`, or whose index in scree_device_list it is; NULL or empty:
 * the best one (a GPU before a CPU, then compute units). The environment variable SCREE_DEVICE_MEMORY_LIMIT
 * (bytes) lowers the memory limit. Errors: NO_PLATFORM, NO_DEVICE (lists the devices), DEVICE, DEVICE_MEMORY,
 * MEMORY. */
scree_result opencl_device_open(const char *wanted, opencl_device *out);
/* Replaces the queue, which must be idle, with one that times its launches. Errors: DEVICE. */
scree_result opencl_device_profile(opencl_device *device);
/* A zeroed device is allowed. */
void opencl_device_close(opencl_device *device);

/* Builds an entry file (such as "solve.cl") with its includes, read from SCREE_KERNEL_DIR if that is set.
 * `options` are added to the standard ones (NULL: none). Programs are cached on disk. Errors: KERNEL_BUILD
 * with the log; DEVICE; MEMORY. */
scree_result opencl_program_build(const opencl_device *device, const char *entry, const char *options,
                                  cl_program *out);

/* Builds it for several worlds at once (opencl_merged_source.h). */
scree_result opencl_program_build_merged(const opencl_device *device, const char *entry, const char *options,
                                         cl_program *out);

/* Creates a kernel of a program of this device; worlds of a group have the same. Errors: DEVICE. */
scree_result opencl_kernel_create(const opencl_device *device, cl_program program, const char *name,
                                  cl_kernel *out);

/* Enqueues a kernel over `global` work-items in groups of `local`. Errors: DEVICE and DEVICE_MEMORY, with
 * `name`; MEMORY. */
scree_result opencl_launch(opencl_device *device, cl_kernel kernel, const char *name, size_t global,
                           size_t local, const kernel_argument *arguments, int argument_count);

/* Counts what follows to the current stage. Call before a command. */
void opencl_stage_follow(opencl_device *device);
/* Returns where to write the event of a command that is about to be enqueued, or NULL if it is not timed.
 * `opencl_time_end` completes it with the result of enqueuing. */
cl_event *opencl_time_begin(opencl_device *device, scree_trace_span what);
cl_int opencl_time_end(opencl_device *device, const cl_event *event, cl_int code);
/* Adds the traffic since the last call to the stages `to`; the queue must be idle. Keeps the spans of timed
 * commands in `log` (may be NULL). */
void opencl_traffic_take(opencl_device *device, scree_stage_report to[SCREE_STAGE_COUNT], stage_log *log);
/* Forgets the traffic so far. */
void opencl_traffic_drop(opencl_device *device);

/* A device buffer that grows, or a part of the device's scratch memory. */
typedef struct opencl_buffer {
    cl_mem memory;
    size_t bytes;
    uint64_t epoch; /* of the scratch that it is a part of; 0: the memory is its own */
} opencl_buffer;

/* Reserves at least `bytes`; the contents are lost when the buffer grows. A part of scratch that is valid and
 * large enough stays one. `what` names the buffer in
 * messages. Errors: DEVICE_MEMORY (the buffer is unchanged), DEVICE. */
scree_result opencl_buffer_reserve(opencl_device *device, opencl_buffer *buffer, size_t bytes,
                                   const char *what);
/* The first reserves and copies `bytes` from the host, the second reads `bytes` back. With `waits` both
 * return when the host's memory may be used again; else it must not change until the next wait, and data read
 * back is not valid before. Errors: DEVICE_MEMORY, DEVICE. */
scree_result opencl_buffer_write(opencl_device *device, opencl_buffer *buffer, const void *from, size_t bytes,
                                 cl_bool waits, const char *what);
scree_result opencl_buffer_read(opencl_device *device, const opencl_buffer *buffer, void *to, size_t bytes,
                                cl_bool waits, const char *what);
/* Reads `bytes` from a byte of the buffer on. */
scree_result opencl_buffer_read_from(opencl_device *device, const opencl_buffer *buffer, size_t first,
                                     void *to, size_t bytes, cl_bool waits, const char *what);
/* Waits for all enqueued commands. Errors: DEVICE. */
scree_result opencl_device_wait(opencl_device *device);
/* Waits after a failure, and drops the pending copies from pinned memory. */
void opencl_device_abandon(opencl_device *device);
/* Copy between two buffers of the device, the second from a byte of `from` on. Errors: DEVICE, with `what`.
 */
scree_result opencl_buffer_copy(opencl_device *device, const opencl_buffer *from, const opencl_buffer *to,
                                size_t bytes, const char *what);
scree_result opencl_buffer_copy_from(opencl_device *device, const opencl_buffer *from, size_t first,
                                     const opencl_buffer *to, size_t bytes, const char *what);
/* Clears the first `bytes`. Errors: DEVICE. */
scree_result opencl_buffer_clear(opencl_device *device, const opencl_buffer *buffer, size_t bytes,
                                 const char *what);
/* Clears bytes from `first` on. */
scree_result opencl_buffer_clear_from(opencl_device *device, const opencl_buffer *buffer, size_t first,
                                      size_t bytes, const char *what);
void opencl_buffer_release(opencl_device *device, opencl_buffer *buffer);

/* opencl_scratch.c. The first makes a buffer the top of the scratch memory, `bytes` long and with undefined
 * contents, whatever it was before. It is valid until a reset to a mark below it. Errors: as
 * opencl_buffer_reserve. */
scree_result opencl_buffer_share(opencl_device *device, opencl_buffer *buffer, size_t bytes,
                                 const char *what);
scratch_mark opencl_scratch_mark(const opencl_device *device);
/* Gives back what has been taken since the mark. */
void opencl_scratch_reset(opencl_device *device, scratch_mark mark);
/* Gives back everything, and lets the next part join chunks that have been added. */
void opencl_scratch_clear(opencl_device *device);
void opencl_scratch_release(opencl_device *device);
/* Allocates device memory within the limits. Errors: as opencl_buffer_reserve. */
scree_result opencl_memory_allocate(opencl_device *device, size_t bytes, const char *what, cl_mem *out);
void opencl_memory_free(opencl_device *device, cl_mem memory, size_t bytes);
/* Returns the bytes that a buffer may have. */
uint64_t opencl_memory_available(const opencl_device *device);
/* Exchanges two buffers. */
static inline void opencl_buffer_exchange(opencl_buffer *a, opencl_buffer *b) {
    const opencl_buffer before = *a;
    *a = *b;
    *b = before;
}

/* Calls fail() with the code's name: DEVICE_MEMORY for allocation failures, else DEVICE. `what` describes the
 * action that failed. */
scree_result opencl_fail(cl_int code, const char *what);

/* Runs probe.cl. Errors: DEVICE, naming the struct or field that differs; those of opencl_program_build. */
scree_result opencl_layout_check(opencl_device *device);

/* Expands `#include "name"` in the entry file, each file once, with #line directives so that compiler
 * messages name the right file and line. Files come from the folder SCREE_KERNEL_DIR if that is set, else
 * from the library. The caller releases *out with memory_release. Errors: KERNEL_BUILD (a file is missing),
 * FILE, MEMORY. */
scree_result opencl_source_expand(const char *entry, char **out);

/* Switches by which tests force a path that the library would not take on this device; all false or 0 in the
 * library. A test sets one before it opens a device or a backend, while no other thread does, and resets it
 * afterwards. */
typedef struct opencl_hooks {
    bool without_double;   /* hides double precision */
    bool without_staging;  /* copies do not pass through pinned memory */
    bool separate_colours; /* each colour has a launch of its own */
    int failing_command;   /* the command with this number from now on is refused, once; 0: none */
} opencl_hooks;
extern opencl_hooks opencl_test_hooks;

/* Counts a launch, a copy, a fill, a wait or an allocation, and returns whether a test has it refused. */
static inline bool opencl_command_refused(void) {
    return opencl_test_hooks.failing_command > 0 && --opencl_test_hooks.failing_command == 0;
}
