/* Device memory that the stages of a step use in turn: a stack. A part is a sub-buffer, so kernels need not
 * know. The queue is in order: memory that is taken again after a reset belongs to the commands that are
 * enqueued from then on, and those before it may still use it. */
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <stddef.h>
#include <stdint.h>

/* Chunks grow in proportion to their sum, so there are few. */
enum { SCRATCH_CHUNKS = 64, SCRATCH_PARTS = 1024 };

typedef struct scratch_chunk {
    cl_mem memory;
    size_t bytes, used;
} scratch_chunk;

/* A sub-buffer, kept because the parts of a step are those of the last one. */
typedef struct scratch_part {
    int chunk;
    size_t first, bytes;
    cl_mem memory;
} scratch_part;

typedef struct opencl_scratch {
    uint64_t epoch; /* of the parts that are valid: how often the scratch has been cleared, and 1 */
    int chunk_count, part_count, at; /* at: chunk of the top */
    int next;                        /* part that follows the last one that was found */
    size_t peak;                     /* most bytes in use since the last clear */
    size_t wanted;                   /* of the next chunk */
    scratch_chunk chunks[SCRATCH_CHUNKS];
    scratch_part parts[SCRATCH_PARTS];
} opencl_scratch;

/* A height of the stack. */
typedef struct scratch_mark {
    int chunk;
    size_t used;
} scratch_mark;
