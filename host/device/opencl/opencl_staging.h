/* Pinned host memory for copies to and from a device.
 *
 * A copy that is enqueued without a wait returns at once only if the driver can access the host's memory
 * directly. Memory that could be moved or swapped out is first copied to pinned memory of the driver, and the
 * caller waits for that (NVIDIA, OpenCL Best Practices Guide, Pinned Memory, which also recommends mapping a
 * buffer of CL_MEM_ALLOC_HOST_PTR). So data to send is copied here, and data to fetch arrives here and is
 * copied out after the next wait. A copy that does not fit goes directly, and the memory grows after the next
 * wait. Without pinned memory all copies go directly. */
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STAGED_FETCHES = 32 }; /* between two waits */

typedef struct staged_fetch {
    const void *scratch;
    void *to;
    size_t bytes;
} staged_fetch;

typedef struct opencl_staging {
    bool on;
    cl_mem memory;
    unsigned char *scratch;
    size_t bytes, used, wanted; /* since the last wait */
    int fetch_count;
    staged_fetch fetches[STAGED_FETCHES];
    uint64_t passed; /* bytes that went through the pinned memory so far */
} opencl_staging;

/* Copies `from`; returns the copy, which is valid until the next wait. NULL: no space. */
const void *opencl_staging_send(opencl_staging *self, const void *from, size_t bytes);
/* Returns where to read data that is to be at `to` after the next wait. NULL: no space. */
void *opencl_staging_fetch(opencl_staging *self, void *to, size_t bytes);
/* Call after a wait: copies fetched data to its targets, empties the memory, and grows it if it was too
 * small. */
void opencl_staging_settle(opencl_staging *self, cl_context context, cl_command_queue queue);
/* Call after a failure, when the queue is idle: forgets the pending targets, which belong to the caller
 * again. */
void opencl_staging_drop(opencl_staging *self);
void opencl_staging_release(opencl_staging *self, cl_command_queue queue);
