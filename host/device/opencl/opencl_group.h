/* Groups of worlds: the inner side of scree/group.h. A world of a group has an opencl_device that records
 * commands; the group merges and runs them when all of its worlds wait. Its buffers are parts of one memory,
 * and a cl_mem of such a device is the place in that memory, which only this file and opencl_merge read. */
#pragma once

#include "opencl_commands.h"
#include "opencl_device.h"
#include "opencl_ranges.h"

#include <pthread.h>

#include <scree/group.h>

_Static_assert(sizeof(cl_mem) == sizeof(uint64_t), "a place fits in a cl_mem");

typedef struct opencl_member {
    scree_group *group;
    command_list commands;
    bool waiting;
    cl_int code; /* of the last wait */
    int freed_count, freed_capacity;
    memory_range *freed; /* by the world; commands may still use them */
    struct opencl_member *next;
} opencl_member;

typedef struct merged_program {
    char *entry, *options; /* "": none */
    cl_program program;
} merged_program;

typedef struct merged_kernel {
    cl_program program;
    const char *name;
    cl_kernel kernel;
} merged_kernel;

/* A buffer of the group itself. */
typedef struct merged_buffer {
    cl_mem memory;
    uint64_t bytes;
} merged_buffer;

/* A launch of a flush: `rows` rows, whose places are in the table from `first` on. */
typedef struct merged_launch {
    int kernel; /* MERGE_MOVES: merge_moves */
    uint32_t local, groups, rows, first;
} merged_launch;
enum { MERGE_MOVES = -1 };

/* Scratch memory of opencl_merge. */
typedef struct merge_scratch {
    merged_buffer upload, download;
    int table_count, table_capacity;
    uint32_t *table; /* after the data of all worlds */
    int launch_count, launch_capacity;
    merged_launch *launches;
    int up_capacity, down_capacity, down_count, left_capacity, at_capacity;
    unsigned char *up, *down;
    int *left; /* commands that are left of each world and kernel */
    int *at;   /* next command of each world */
} merge_scratch;

struct scree_group {
    pthread_mutex_t mutex;
    pthread_cond_t served;
    opencl_device device; /* with the queue */
    merged_buffer memory; /* of all worlds */
    memory_ranges free;   /* of it */
    uint64_t used;        /* bytes of it */
    opencl_member *members;
    int expected, entered; /* threads: before the first launch, and until now */
    int threads;           /* now in the group */
    int blocked, meeting;  /* of these; `blocked` has those that meet */
    uint64_t meetings;
    cl_program program; /* merge.cl */
    cl_kernel moves;
    int program_count, program_capacity;
    merged_program *programs;
    int kernel_count, kernel_capacity;
    merged_kernel *kernels;
    merge_scratch scratch;
};

/* Makes a device of the group's. Errors: MEMORY. */
scree_result opencl_group_join(scree_group *self, opencl_device *out);
/* Ends it. */
void opencl_group_part(opencl_device *device);

/* The functions of opencl_device.h for the device of a world in a group; the group must not be locked. */
scree_result opencl_member_allocate(opencl_device *device, size_t bytes, const char *what, cl_mem *out);
void opencl_member_free(opencl_device *device, cl_mem memory, size_t bytes);
scree_result opencl_member_launch(opencl_device *device, cl_kernel kernel, size_t global, size_t local,
                                  const kernel_argument *arguments, int count);
scree_result opencl_member_wait(opencl_device *device);
void opencl_member_abandon(opencl_device *device);
scree_result opencl_member_program(const opencl_device *device, const char *entry, const char *options,
                                   cl_program *out);
scree_result opencl_member_kernel(const opencl_device *device, cl_program program, const char *name,
                                  cl_kernel *out);
uint64_t opencl_member_available(const opencl_device *device);

/* Returns the place of a buffer's byte in the memory of the group. */
static inline uint64_t member_place(cl_mem memory, uint64_t byte) {
    return (uint64_t)(uintptr_t)memory + byte;
}
static inline cl_mem member_memory(uint64_t place) { return (cl_mem)(uintptr_t)place; }

/* Runs the commands of a member, or of all that wait (NULL), and ends their waits. The group is locked. */
void opencl_merge(scree_group *self, const opencl_member *only);
void opencl_merge_release(scree_group *self);
/* Enlarges a buffer of the group, with its contents if it `keeps` them. Returns OpenCL's code. */
cl_int opencl_merged_buffer_grow(scree_group *self, merged_buffer *buffer, uint64_t bytes, bool keeps);
