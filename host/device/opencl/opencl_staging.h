/* Pinned memory of the host, which copies to and from a device pass through.
 *
 * A copy that does not wait really does not only where the driver reads the host's memory by itself: what it
 * might find moved or swapped out it first copies into pinned memory of its own, and the caller waits for
 * that (NVIDIA, OpenCL Best Practices Guide, Pinned Memory, which is also where a mapped buffer of
 * CL_MEM_ALLOC_HOST_PTR comes from). So what is sent is copied into the room here, and what is fetched lands
 * in it and is copied out after the next wait. A copy that finds no room goes as it is, and after the next
 * wait there is room for as much. Without pinned memory all goes as it is. */
#ifndef SCREE_DEVICE_OPENCL_OPENCL_STAGING_H
#define SCREE_DEVICE_OPENCL_OPENCL_STAGING_H

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
    uint64_t passed; /* bytes that went through the room so far */
} opencl_staging;

/* Where a copy of `from` lies from now to the next wait; null: nowhere. */
const void *opencl_staging_send(opencl_staging *self, const void *from, size_t bytes);
/* Where to read to what shall be at `to` after the next wait; null: right there. */
void *opencl_staging_fetch(opencl_staging *self, void *to, size_t bytes);
/* After a wait: what was fetched goes to its places, and the room is empty, and larger if it was too small.
 */
void opencl_staging_settle(opencl_staging *self, cl_context context, cl_command_queue queue);
/* After a failure, when the places are the caller's again and the queue is idle. */
void opencl_staging_drop(opencl_staging *self);
void opencl_staging_release(opencl_staging *self, cl_command_queue queue);

#endif
